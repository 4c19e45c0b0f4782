#if FFmpeg
  import Foundation
  import TestSupport
  import Testing

  /// WavPack files, as the programs of WavPack's author and mutagen read them.
  @Suite("WavPack")
  struct WavPackTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @discardableResult
    private func run(_ tool: String, _ arguments: String...) throws -> Tool {
      let run = try Tool.run(tool, arguments, in: folder.path)
      try #require(run.status == 0, "\(tool): \(run.errorText)")
      return run
    }

    private func values(_ name: String) throws -> [UInt8] {
      try run("ffmpeg", "-v", "error", "-i", name, "-f", "f64le", "-").output
    }

    @Test(arguments: [
      ("pcm_u8", "8-bit ints"), ("pcm_s16le", "16-bit ints"), ("pcm_s24le", "24-bit ints"),
      ("pcm_s32le", "32-bit ints"), ("pcm_f32le", "32-bit floats"),
    ])
    func everyDepthIsVerifiedAndExact(codec: String, depth: String) throws {
      try run(
        "sox", "-R", "-n", "-r", "44100", "-b", "32", "-c", "2", "made.wav", "synth", "1.5",
        "pinknoise")
      try run("ffmpeg", "-v", "error", "-i", "made.wav", "-c:a", codec, "in.wav")
      let made = try Program.run("-f", "1", "in.wav", "-o", "out.wv", in: folder.path)
      #expect(made.status == 0, "\(made.errorText)")
      try run("wvunpack", "-q", "-v", "out.wv")
      let summary = try run("wvunpack", "-s", "out.wv")
      #expect((summary.outputText + summary.errorText).contains(depth))
      try run("wvunpack", "-q", "out.wv", "-o", "back.wav")
      #expect(try values("back.wav") == values("in.wav"))
      // And by its own reader.
      let again = try Program.run("-f", "1", "out.wv", "-o", "again.wav", in: folder.path)
      #expect(again.status == 0, "\(again.errorText)")
      #expect(try values("again.wav") == values("in.wav"))
    }

    @Test(arguments: ["mono", "5.1", "5.1(side)", "7.1"])
    func layoutsAreStated(layout: String) throws {
      try run(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=0.5:r=48000:seed=1", "-af",
        "aformat=channel_layouts=\(layout)", "-c:a", "pcm_s16le", "in.wav")
      let made = try Program.run("-f", "1", "in.wav", "-o", "out.wv", in: folder.path)
      #expect(made.status == 0, "\(made.errorText)")
      try run("wvunpack", "-q", "-v", "out.wv")
      let probe = try run(
        "ffprobe", "-v", "error", "-show_entries", "stream=channel_layout", "-of", "csv=p=0",
        "out.wv")
      #expect(probe.outputText == layout + "\n")
      #expect(try values("out.wv") == values("in.wav"))
    }

    @Test func tagsAreAPETags() throws {
      try folder.write("in.wav", Sound.wav)
      try run(
        "ffmpeg", "-v", "error", "-i", "in.wav", "-f", "lavfi", "-i", "color=red:s=16x16:d=1",
        "-map",
        "0", "-map", "1", "-frames:v", "1", "-disposition:v", "attached_pic", "-metadata",
        "title=Größe", "-metadata:s:v", "comment=Cover (front)", "-metadata", "track=3/12",
        "-metadata", "artist=A", "-c:v", "png", "in.flac")
      let made = try Program.run("-f", "1.5", "in.flac", "-o", "out.wv", in: folder.path)
      #expect(made.status == 0, "\(made.errorText)")
      try run("wvunpack", "-q", "-v", "out.wv")
      let read = try run(
        "python3", "-c",
        """
        import mutagen.wavpack
        tags = mutagen.wavpack.WavPack("out.wv")
        print(tags["Title"], tags["Track"], tags["Artist"], tags["Cover Art (Front)"].value.split(b"\\0", 1)[1][:4])
        print(tags.info.length, tags.info.channels, tags.info.sample_rate)
        """)
      #expect(
        read.outputText.hasPrefix("Größe 3/12 A b'\\x89PNG'\n"),
        "\(read.outputText) \(read.errorText)")
      let info = try Program.run("info", "--json", "out.wv", in: folder.path)
      let record = try #require(
        try JSONSerialization.jsonObject(with: Data(info.output)) as? [String: Any])
      let tags = record["tags"] as? [[String: Any]] ?? []
      for (name, value) in [("TITLE", "Größe"), ("TRACKNUMBER", "3"), ("TRACKTOTAL", "12")] {
        #expect(
          tags.contains { $0["name"] as? String == name && $0["value"] as? String == value },
          "\(tags)")
      }
    }
  }
#endif

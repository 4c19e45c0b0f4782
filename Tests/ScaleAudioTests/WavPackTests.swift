#if FFmpeg
  import ScaleAudio
  import TestSupport
  import Testing

  /// WavPack files, as the programs of WavPack's author and mutagen read them.
  @Suite("WavPack")
  struct WavPackTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    private func values(_ name: String) throws -> [UInt8] {
      try bench.run("ffmpeg", "-v", "error", "-i", name, "-f", "f64le", "-").output
    }

    @Test(arguments: [
      ("pcm_u8", "8-bit ints"), ("pcm_s16le", "16-bit ints"), ("pcm_s24le", "24-bit ints"),
      ("pcm_s32le", "32-bit ints"), ("pcm_f32le", "32-bit floats"),
    ])
    func everyDepthIsVerifiedAndExact(codec: String, depth: String) throws {
      try bench.run(
        "sox", "-R", "-n", "-r", "44100", "-b", "32", "-c", "2", "made.wav", "synth", "1.5",
        "pinknoise")
      try bench.run("ffmpeg", "-v", "error", "-i", "made.wav", "-c:a", codec, "in.wav")
      try bench.convert("in.wav", to: "out.wv", .by(1))
      try bench.run("wvunpack", "-q", "-v", "out.wv")
      let summary = try bench.run("wvunpack", "-s", "out.wv")
      #expect((summary.outputText + summary.errorText).contains(depth))
      try bench.run("wvunpack", "-q", "out.wv", "-o", "back.wav")
      #expect(try values("back.wav") == values("in.wav"))
      // And by its own reader.
      try bench.convert("out.wv", to: "again.wav", .by(1))
      #expect(try values("again.wav") == values("in.wav"))
    }

    @Test(arguments: ["mono", "5.1", "5.1(side)", "7.1"])
    func layoutsAreStated(layout: String) throws {
      try bench.run(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=0.5:r=48000:seed=1", "-af",
        "aformat=channel_layouts=\(layout)", "-c:a", "pcm_s16le", "in.wav")
      try bench.convert("in.wav", to: "out.wv", .by(1))
      try bench.run("wvunpack", "-q", "-v", "out.wv")
      let probe = try bench.run(
        "ffprobe", "-v", "error", "-show_entries", "stream=channel_layout", "-of", "csv=p=0",
        "out.wv")
      #expect(probe.outputText == layout + "\n")
      #expect(try values("out.wv") == values("in.wav"))
    }

    @Test func tagsAreAPETags() throws {
      try bench.folder.write("in.wav", Sound.wav)
      try bench.run(
        "ffmpeg", "-v", "error", "-i", "in.wav", "-f", "lavfi", "-i", "color=red:s=16x16:d=1",
        "-map",
        "0", "-map", "1", "-frames:v", "1", "-disposition:v", "attached_pic", "-metadata",
        "title=Größe", "-metadata:s:v", "comment=Cover (front)", "-metadata", "track=3/12",
        "-metadata", "artist=A", "-c:v", "png", "in.flac")
      try bench.convert("in.flac", to: "out.wv", .by(1.5))
      try bench.run("wvunpack", "-q", "-v", "out.wv")
      let read = try bench.run(
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
      let tags = try bench.inspect("out.wv").source.metadata
      for (name, value) in [("TITLE", "Größe"), ("TRACKNUMBER", "3"), ("TRACKTOTAL", "12")] {
        #expect(tags.values(name) == [value])
      }
    }
  }
#endif

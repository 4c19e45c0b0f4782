#if FFmpeg
  import Foundation
  import ScaleAudio
  import TestSupport
  import Testing

  /// Reports about files that FFmpeg's libraries read.
  @Suite("scaleaudio info: FFmpeg's formats")
  struct InfoLibAVTests {
    let bench: InfoBench

    init() throws { bench = try InfoBench() }

    private func make(_ name: String, _ options: String) throws {
      try bench.run(
        "sox -R -n -r 44100 -c 2 -b 16 x.wav synth 2 pinknoise gain -3 && "
          + "ffmpeg -v error -i x.wav \(options) \(name)")
    }

    @Test(arguments: [("x.m4a", "-c:a aac -b:a 96k", false), ("y.m4a", "-c:a alac", true)])
    func mp4(name: String, options: String, isLossless: Bool) throws {
      try make(name, options)
      let facts = try bench.info(name)
      let (stream, _) = try bench.probe(name)
      let sizes = try bench.packetSizes(name)
      #expect(facts["lossless"] as? Bool == isLossless)
      #expect(facts["inputFrames"] as? Int == 88200)
      #expect(facts["framesAre"] as? String == "declared")
      #expect(facts["bitRate"] as? Int == Int(stream["bit_rate"] as? String ?? ""))
      guard !isLossless else { return }
      #expect(facts["delayFrames"] as? Int == 1024)
      #expect(facts["paddingFrames"] as? Int == sizes.count * 1024 - 1024 - 88200)
    }

    /// An estimate is near and reported as one; a count is what ffmpeg decodes.
    @Test(
      arguments: [
        ("x.wma", "-c:a wmav2"), ("x.aac", "-c:a aac"), ("x.mka", "-c:a libvorbis"),
        ("x.ac3", "-c:a ac3"),
      ])
    func counting(name: String, options: String) throws {
      try make(name, options)
      let estimate = try bench.info(name)
      #expect(estimate["framesAre"] as? String == "estimated")
      let about = try #require(estimate["inputFrames"] as? Int)
      #expect((80_000...96_000).contains(about), "\(about)")
      let facts = try bench.info(name, "--exact")
      #expect(facts["framesAre"] as? String == "counted")
      let raw = try bench.run("ffmpeg -v error -i \(name) -f s16le -c:a pcm_s16le - | wc -c")
      let decoded = Int(raw.outputText.prefix { $0.isNumber }).map { $0 / 4 }
      #expect(facts["inputFrames"] as? Int == decoded, "\(name)")
    }

    @Test func lengthByTheHeader() throws {
      try make("x.wv", "-c:a wavpack")
      let facts = try bench.info("x.wv")
      #expect(facts["framesAre"] as? String == "declared")
      #expect(facts["inputFrames"] as? Int == 88200)
      #expect(facts["inputBits"] as? Int == 16)
    }

    /// Without its correction file, what WavPack's hybrid mode writes is lossy.
    @Test func hybrid() throws {
      try make("whole.wv", "-c:a wavpack")
      try bench.run("wavpack -q -b4 x.wav -o hybrid.wv && wavpack -q -c -b4 x.wav -o both.wv")
      #expect(try bench.run("wvunpack -s hybrid.wv").outputText.contains("hybrid lossy"))
      #expect(try bench.info("hybrid.wv")["lossless"] as? Bool == false)
      #expect(try bench.info("both.wv")["lossless"] as? Bool == false)
      #expect(try bench.info("whole.wv")["lossless"] as? Bool == true)
    }

    @Test func packetTableOfCAF() throws {
      try make("x.caf", "-c:a alac")
      let facts = try bench.info("x.caf", "--exact")
      let sizes = try bench.packetSizes("x.caf")
      #expect(facts["inputFrames"] as? Int == 88200)
      #expect(facts["delayFrames"] as? Int == 0)
      #expect(facts["paddingFrames"] as? Int == sizes.count * 4096 - 88200)
    }

    @Test func tracks() throws {
      try make("y.flac", "-ac 1 -ar 22050")
      try bench.run(
        "ffmpeg -v error -i x.wav -i y.flac -map 0:a -map 1:a -c:a:0 aac -c:a:1 flac "
          + "-metadata:s:a:0 language=deu -metadata:s:a:1 language=eng "
          + "-metadata:s:a:1 title=Comments x.mka")
      let facts = try bench.info("x.mka", "--track", "2")
      let tracks = try #require(facts["tracks"] as? [[String: Any]])
      #expect(tracks.map { $0["number"] as? Int } == [1, 2])
      #expect(tracks.map { $0["sampleRate"] as? Int } == [44100, 22050])
      #expect(tracks.map { $0["layout"] as? String } == ["stereo", "mono"])
      #expect(tracks.map { $0["language"] as? String } == ["deu", "eng"])
      #expect(tracks.map { $0["title"] as? String } == [nil, "Comments"])
      #expect(tracks.map { $0["taken"] as? Bool } == [false, true])
      #expect((tracks[1]["codec"] as? String)?.contains("FLAC") == true)
      #expect(facts["inputSampleRate"] as? Int == 22050)
      let text = try Program.run("info", "x.mka", in: bench.folder.path).outputText
      #expect(
        text.contains("2  FLAC (Free Lossless Audio Codec), 22,050 Hz, mono, eng, \"Comments\""))
      let refused = try bench.info("x.mka", "--track", "3", status: 1)
      #expect(refused["errorClass"] as? String == "unsupported")
    }

    @Test(arguments: ["mp4", "mov"])
    func tracksOfMP4HaveTitles(kind: String) throws {
      try make("y.flac", "-ac 1 -ar 22050")
      try bench.run(
        "ffmpeg -v error -i x.wav -i y.flac -i x.wav -map 0:a -map 1:a -map 2:a -c:a aac "
          + "-metadata:s:a:0 title=Grün -metadata:s:a:2 title=Comments x.\(kind)")
      let facts = try bench.info("x.\(kind)")
      let tracks = try #require(facts["tracks"] as? [[String: Any]])
      #expect(tracks.map { $0["title"] as? String } == ["Grün", nil, "Comments"])
    }
  }
#endif

#if FFmpeg
  import AudioFiles
  import AudioModel
  import TestSupport
  import Testing

  @testable import AudioIO

  /// Program and transport streams, which no header gives a length: they are read as far as they decode.
  @Suite("Streams without a length")
  struct CutStreamTests {
    /// A file of four seconds, with video of a codec if one is given.
    private static func make(_ name: String, _ options: String, video: String? = nil) throws
      -> AudioFixture
    {
      try .noise(
        name, (video.map { "-c:v \($0) " } ?? "") + options, seconds: 4,
        pictures: video == nil ? nil : "160x120")
    }

    private static func packs(_ bytes: [UInt8]) -> [Int] {
      bytes.indices.dropLast(4).filter { bytes[$0..<$0 + 4].elementsEqual([0, 0, 1, 0xBA]) }
    }

    /// A recording may end anywhere. What is whole is read, and a part of a packet is left out with a warning.
    @Test(arguments: [
      ("x.mpg", "-c:a mp2 -f vob", nil), ("x.mpg", "-c:a mp2 -f dvd", "mpeg2video"),
      ("x.mpg", "-c:a ac3 -f vob", nil), ("x.ts", "-c:a aac -f mpegts", nil),
      ("x.ts", "-c:a mp2 -f mpegts", nil),
      ("x.ts", "-c:a ac3 -f mpegts -mpegts_m2ts_mode 1", "mpeg2video"),
    ])
    func cutAnywhere(name: String, options: String, video: String?) throws {
      let fixture = try Self.make(name, options, video: video)
      let whole = try fixture.read(name, as: Int16.self)
      #expect(whole.source.warnings.isEmpty)
      let bytes = try fixture.bytes(name)
      var warned = 0
      for part in [0.45, 0.6, 0.61, 0.85] {
        try fixture.put("cut", bytes.prefix(Int(Double(bytes.count) * part)))
        let read = try fixture.read("cut", as: Int16.self)
        let share = Double(read.source.frameCount) / Double(whole.source.frameCount)
        #expect(abs(share - part) < 0.2, "\(part): \(share)")
        let isSame = whole.samples.starts(with: read.samples.dropLast(2 * 1536))
        #expect(isSame)
        warned +=
          read.source.warnings.map(\.text).contains { $0.contains("its last packet is left out") }
          ? 1 : 0
      }
      // Between packets of video, the cuts may be between frames of audio.
      #expect(warned > 0 || name == "x.mpg" || video != nil)
    }

    /// Discs and recorders split a recording anywhere, also within a frame of audio.
    @Test(arguments: ["-c:a ac3", "-c:a dca -strict -2"])
    func programStreamMayBeginWithinAFrame(options: String) throws {
      let fixture = try Self.make("x.mpg", options + " -f vob")
      let bytes = try fixture.bytes("x.mpg")
      let packs = Self.packs(bytes)
      for part in [0.2, 0.35, 0.5] {
        try fixture.put("rest", bytes[packs[Int(Double(packs.count) * part)]...])
        let read = try fixture.read("rest", as: Int16.self)
        let other = try fixture.decode("rest", as: "s16le")
        #expect(read.samples.count * 2 == other.count)
        guard !options.contains("dca") else { continue }
        #expect(
          read.source.warnings.map(\.text).contains {
            $0.contains("starts in the middle of a frame")
          })
      }
    }

    /// Between video, the rest of a frame of MPEG audio may be several packets, and look like the start of one.
    @Test(arguments: ["-c:a mp2", "-c:a libmp3lame"])
    func filmMayBeginWithinAFrame(options: String) throws {
      let fixture = try AudioFixture()
      let made = try Tool.run(
        "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "sine=440:r=48000:d=4", "-f", "lavfi", "-i",
          "testsrc=s=64x64:r=25:d=4", "-c:v", "mpeg2video", "-ac", "2",
        ] + options.split(separator: " ").map(String.init) + ["-f", "mpeg", "x.mpg"],
        in: fixture.folder.path)
      try #require(made.status == 0, "\(made.errorText)")
      let bytes = try fixture.bytes("x.mpg")
      for pack in Self.packs(bytes).prefix(12) {
        try fixture.put("rest", bytes[pack...])
        let read = try fixture.read("rest", as: Int16.self)
        // ffmpeg reports the rest of the frame as an error.
        let other = try Tool.run(
          "ffmpeg", ["-v", "quiet", "-i", "rest", "-map", "0:a:0", "-f", "s16le", "-"],
          in: fixture.folder.path)
        #expect(read.samples.count * 2 == other.output.count)
        let isSame = read.samples.elementsEqual(Raw.int16(other.output)) {
          abs(Int($0) - Int($1)) <= 1
        }
        #expect(isSame, "pack at \(pack)")
      }
    }

    /// Only packets show the codec of these streams.
    @Test(arguments: ["-c:a mp2 -mpegts_m2ts_mode 1", "-c:a dca -strict -2"])
    func privateStreamIsFound(options: String) throws {
      let fixture = try Self.make("x.ts", options + " -f mpegts")
      let read = try fixture.read("x.ts", as: Int16.self)
      let other = Raw.int16(try fixture.decode("x.ts", as: "s16le"))
      #expect(read.samples.count == other.count)
    }
  }
#endif

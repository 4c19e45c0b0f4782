#if FFmpeg
  import AudioFiles
  import AudioModel
  import TestSupport
  import Testing

  @testable import AudioIO

  /// Bytes that are not audio, before and between the frames of streams.
  @Suite("Junk around frames")
  struct StreamTailTests {
    private static func make(_ name: String, _ options: String) throws -> AudioFixture {
      let fixture = try AudioFixture()
      let made = try Tool.run(
        "ffmpeg",
        ["-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=1:r=48000:seed=1"]
          + options.split(separator: " ").map(String.init) + [name], in: fixture.folder.path)
      try #require(made.status == 0, "\(made.errorText)")
      return fixture
    }

    /// Bytes without sync words.
    private static func junk(_ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 >> 8) & 0x7E }
    }

    /// FFmpeg ends ADX with a block that marks the end; the last packet of its demuxer is a short one.
    @Test(arguments: [1, 2], [8000, 44100]) func ADXIsReadToItsEnd(channels: Int, rate: Int) throws
    {
      for seconds in ["0.3", "1", "1.7"] {
        let fixture = try Self.make(
          "x.adx", "-c:a adpcm_adx -ac \(channels) -ar \(rate) -t \(seconds)")
        #expect(try fixture.read("x.adx").samples == fixture.decodeWithFFmpeg("x.adx"))
      }
    }

    @Test func aroundAACFrames() throws {
      let fixture = try Self.make("x.aac", "")
      let whole = try fixture.read("x.aac")
      #expect(whole.source.warnings.map(\.text) == [])
      let bytes = try fixture.bytes("x.aac")
      let frames = ADTSFrames.starts(in: bytes)
      let middle = frames[frames.count / 2]
      for (before, between) in [(333, 0), (0, 222), (70, 50)] {
        try fixture.put(
          "junk",
          Self.junk(before) + bytes[..<middle] + Self.junk(between) + bytes[middle...])
        let read = try fixture.read("junk")
        #expect(read.samples == whole.samples)
        #expect(
          read.source.warnings.map(\.text).contains { $0.hasPrefix("\(before + between) bytes") })
      }
    }
  }
#endif

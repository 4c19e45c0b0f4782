#if FFmpeg
  import AudioFiles
  import AudioModel
  import TestSupport
  import Testing

  @testable import AudioIO

  /// Bytes that are not audio, before, between and after the frames of streams.
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

    @Test(arguments: [
      ("x.thd", "-c:a truehd -strict -2"), ("x.mlp", "-c:a mlp -strict -2"), ("x.ac3", ""),
      ("x.eac3", ""), ("x.dts", "-ac 2 -c:a dca -strict -2"),
    ])
    func afterTheLastFrame(name: String, options: String) throws {
      let fixture = try Self.make(name, options)
      let whole = try fixture.read(name)
      let bytes = try fixture.bytes(name)
      for tail in [Self.junk(5000), [UInt8](repeating: 0, count: 777)] {
        try fixture.put("tail", bytes + tail)
        let read = try fixture.read("tail")
        #expect(read.samples == whole.samples)
        #expect(read.source.warnings.contains { $0.contains("from \(bytes.count) on") })
      }
      // A frame whose end is missing is not junk.
      try fixture.put("cut", bytes.dropLast(11))
      #expect(throws: AudioFileError.self) { try fixture.read("cut") }
    }

    @Test(arguments: [
      ("x.nut", "-c:a pcm_s16le"), ("x.nut", "-c:a flac"), ("x.ast", "-c:a pcm_s16be_planar"),
      ("x.flv", "-c:a libmp3lame -ar 44100"), ("x.ts", "-c:a mp2"),
      ("x.m2ts", "-c:a ac3 -mpegts_m2ts_mode 1"),
    ])
    func afterTheLastUnitOfAContainer(name: String, options: String) throws {
      let fixture = try Self.make(name, options)
      let whole = try fixture.read(name)
      #expect(whole.source.warnings == [])
      let bytes = try fixture.bytes(name)
      for tail in [Self.junk(5000), [UInt8](repeating: 0, count: 777)] {
        try fixture.put("tail", bytes + tail)
        let read = try fixture.read("tail")
        #expect(read.samples == whole.samples)
        #expect(read.source.warnings.contains { $0.contains("from \(bytes.count) on") })
      }
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
      #expect(whole.source.warnings == [])
      let bytes = try fixture.bytes("x.aac")
      let frames = ADTSFrames.starts(in: bytes)
      let middle = frames[frames.count / 2]
      for (before, between) in [(333, 0), (0, 222), (70, 50)] {
        try fixture.put(
          "junk",
          Self.junk(before) + bytes[..<middle] + Self.junk(between) + bytes[middle...])
        let read = try fixture.read("junk")
        #expect(read.samples == whole.samples)
        #expect(read.source.warnings.contains { $0.hasPrefix("\(before + between) bytes") })
      }
    }

    @Test func NUTWithoutItsIndex() throws {
      let fixture = try Self.make("x.nut", "-c:a mp3")
      #expect(try fixture.read("x.nut").source.warnings == [])
      let bytes = try fixture.bytes("x.nut")
      let index: [UInt8] = [0x4E, 0x58, 0xDD, 0x67, 0x2F, 0x23, 0xE6, 0x4E]
      let start = try #require(bytes.indices.last { bytes[$0...].starts(with: index) })
      try fixture.put("cut.nut", bytes[..<start])
      #expect(try fixture.read("cut.nut").source.warnings.contains { $0.contains("no index") })
    }
  }
#endif

#if FFmpeg
  import AudioModel
  import TestSupport
  import Testing

  @testable import AudioFiles
  @testable import AudioIO

  /// Streams of few frames, which content alone does not show, and files that are refused: what they are.
  @Suite("Short streams and refusals")
  struct ShortStreamTests {
    /// GSM 06.10: frames of 33 bytes and 160 samples.
    @Test(arguments: [1, 2, 31, 32, 33])
    func shortGSMIsReadByItsName(count: Int) throws {
      let fixture = try AudioFixture()
      try fixture.run(
        "sox", "-R", "-n", "-r", "8000", "-c", "1", "-b", "16", "x.gsm", "synth", "1", "pinknoise")
      let bytes = try fixture.bytes("x.gsm")
      try fixture.put("y.gsm", bytes.prefix(33 * count))
      let read = try fixture.read("y.gsm")
      #expect(read.source.frameCount == 160 * count)
      #expect(try read.samples == fixture.decodeWithFFmpeg("y.gsm"))
      try fixture.put("y.GSM", bytes.prefix(33 * count))
      #expect(try fixture.sniff("y.GSM") != nil)
      if count < 32 {
        try fixture.put("y.bin", bytes.prefix(33 * count))
        #expect(try fixture.sniff("y.bin") == nil)
        try fixture.put("z.gsm", bytes.prefix(33 * count).map { $0 ^ 0x40 })
        #expect(try fixture.sniff("z.gsm") == nil)
      }
    }

    @Test(arguments: [1, 2, 3], ["aac", "adts"])
    func shortADTSIsReadByItsName(count: Int, kind: String) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 20_000)
      try fixture.encode("x.aac", "-c:a aac")
      let bytes = try fixture.bytes("x.aac")
      var end = 0
      for _ in 0..<count {
        end += Int(bytes[end + 3] & 3) << 11 | Int(bytes[end + 4]) << 3 | Int(bytes[end + 5] >> 5)
      }
      try fixture.put("y.\(kind)", bytes[..<end])
      #expect(try fixture.read("y.\(kind)").source.frameCount == 1024 * count)
      try fixture.put("z.\(kind)", bytes[1..<end])
      if count < 3 { #expect(try fixture.sniff("z.\(kind)") == nil) }
    }

    /// One frame of AC-3 or E-AC-3: 1,536 samples.
    @Test(arguments: ["ac3", "eac3"])
    func shortAC3IsReadByItsName(kind: String) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 20_000)
      try fixture.encode("x.\(kind)", "-c:a \(kind)")
      let bytes = try fixture.bytes("x.\(kind)")
      let end = try #require(bytes.dropFirst(2).firstRange(of: [0x0B, 0x77])).lowerBound
      try fixture.put("y.\(kind)", bytes[..<end])
      #expect(try fixture.read("y.\(kind)").source.frameCount == 1536)
      try fixture.put("z.\(kind)", bytes[1..<end])
      #expect(try fixture.sniff("z.\(kind)") == nil)
    }

    @Test(arguments: [
      ("v.mxf", "-c:v mpeg2video"), ("v.mpg", "-c:v mpeg2video -f mpeg2video"), ("v.nut", ""),
      ("v.ogv", "-c:v libtheora"), ("v.dv", "-s 720x576 -pix_fmt yuv420p"),
    ])
    func filmsWithoutSoundAreNamed(name: String, options: String) throws {
      let fixture = try AudioFixture()
      let made = try Tool.run(
        "ffmpeg",
        ["-v", "error", "-f", "lavfi", "-i", "testsrc=d=1:s=320x240:r=25"]
          + options.split(separator: " ").map(String.init) + [name], in: fixture.folder.path)
      try #require(made.status == 0, "\(made.errorText)")
      let error = try #require(fixture.refusal(name))
      #expect(error.message.hasSuffix("it has no audio track, only video"), "\(error)")
      #expect(error.remedy == .act("name a file with sound"))
    }

    /// Raw G.722 has no header, and `--raw` has no G.722.
    @Test func encodingsWithoutHeadersAreNamed() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 16_000, channels: 1, rate: 16000)
      try fixture.encode("x.g722", "-c:a g722")
      let error = try #require(fixture.refusal("x.g722"))
      #expect(error.message.contains("G.722"), "\(error)")
      #expect(error.remedy != .declareRaw && error.remedy != .seeFormats)
    }

    /// Cut between its index and its data.
    @Test func indexWithoutDataIsNoEmptyFile() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 44_100)
      try fixture.encode("x.m4b", "-c:a aac -movflags +faststart -f ipod")
      let bytes = try fixture.bytes("x.m4b")
      let mark = Array("mdat".utf8)
      let data = try #require(bytes.indices.first { bytes[$0...].starts(with: mark) }) - 4
      for end in [data, data + 4, data + 8, data + 30] {
        try fixture.put("y.m4b", bytes[..<end])
        for salvaging in [false, true] {
          #expect {
            try fixture.read("y.m4b", salvaging: salvaging)
          } throws: {
            errorName($0) == "truncated"
          }
        }
      }
    }

    /// Channel configuration 15 of AAC is reserved, and WMA in QuickTime lacks what its decoder needs: salvaging would not
    /// help.
    @Test func variantsThatCannotBeDecodedAreNoDamage() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 44_100)
      try fixture.encode("x.mov", "-c:a wmav2")
      try fixture.encode("x.m4a", "-c:a aac")
      var bytes = try fixture.bytes("x.m4a")
      // The configuration of AAC-LC: 5 bits of object type, 4 of the rate, 4 of the channels.
      let mark: [UInt8] = [0x05, 0x80, 0x80, 0x80]
      let place = try #require(bytes.indices.first { bytes[$0...].starts(with: mark) }) + 5
      bytes[place + 1] = bytes[place + 1] & 0x87 | 9 << 3
      try fixture.put("y.m4a", bytes)
      for name in ["x.mov", "y.m4a"] {
        for salvaging in [false, true] {
          #expect {
            try fixture.read(name, salvaging: salvaging)
          } throws: {
            errorName($0) == "unsupported" && "\($0)".contains("a variant of")
          }
        }
      }
    }

    /// A header of VOC states no encoding.
    @Test func headerOfVOCAloneIsNamed() throws {
      let fixture = try AudioFixture()
      let header = Array("Creative Voice File".utf8) + [0x1A, 0x1A, 0, 0x0A, 1, 0x29, 0x11]
      for end: [UInt8] in [[], [0]] {
        try fixture.put("x.voc", header + end)
        let error = try #require(fixture.refusal("x.voc"))
        #expect(error.message.hasSuffix("it has a header and no samples"), "\(error)")
      }
    }
  }
#endif

#if FFmpeg
  import TestSupport
  import Testing

  /// Creative Voice with blocks of silence, which libavformat leaves out.
  @Suite("Creative Voice")
  struct VOCTests {
    private static let header =
      Array("Creative Voice File".utf8) + [0x1A, 0x1A, 0, 0x0A, 1, 0x29, 0x11]

    /// A block of samples at 1,000,000 / (256 - 131) = 8,000 Hz, unsigned, of 8 bits.
    private func samples(_ count: Int) -> [UInt8] {
      [1] + Wave.le(count + 2, 3) + [131, 0]
        + (0..<count).map { UInt8(truncatingIfNeeded: 20 + $0 % 200) }
    }

    /// A pause of this many frames of a rate, 8,000 Hz for 131.
    private func pause(_ count: Int, rate: UInt8 = 131) -> [UInt8] {
      [3, 3, 0, 0] + Wave.le(count - 1, 2) + [rate]
    }

    @Test func silenceStaysWhereItIs() throws {
      let fixture = try AudioFixture()
      // The second pause counts at 4,000 Hz.
      try fixture.put(
        "x.voc",
        Self.header + samples(1000) + pause(500) + samples(300) + pause(100, rate: 6) + samples(9)
          + pause(40) + [0])
      let read = try fixture.read("x.voc")
      let parts = [(1000, 1), (500, 0), (300, 1), (200, 0), (9, 1), (40, 0)]
      #expect(read.source.frameCount == 2049)
      let expected = parts.flatMap { count, factor in
        (0..<count).map { factor * (20 + $0 % 200 - 128) * 256 }
      }
      #expect(read.samples.map(Int.init) == expected)
      #expect(read.source.warnings.isEmpty)
    }

    @Test func silenceMayBegin() throws {
      let fixture = try AudioFixture()
      try fixture.put("x.voc", Self.header + pause(700) + samples(1000) + [0])
      let read = try fixture.read("x.voc")
      #expect(read.samples.count == 1700)
      #expect(read.samples.prefix(700).allSatisfy { $0 == 0 })
    }

    @Test func repetitionIsNamed() throws {
      let fixture = try AudioFixture()
      try fixture.put(
        "x.voc", Self.header + [6, 2, 0, 0, 1, 0] + samples(1000) + [7, 0, 0, 0] + [0])
      let read = try fixture.read("x.voc")
      #expect(read.samples.count == 1000)
      #expect(
        read.source.warnings.map(\.text) == ["its blocks that are to be repeated are read once"])
    }
  }
#endif

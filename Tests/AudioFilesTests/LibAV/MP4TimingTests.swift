#if FFmpeg
  import Testing

  @testable import AudioContainers

  @Suite("Gapless tags of iTunes")
  struct MP4TimingTests {
    @Test(arguments: [
      // Delay, padding and length add up to what decodes.
      (" 00000000 00000840 000001C0 0000000000000600 00000000", 4096, 2112..<3648),
      // For HE-AAC the core is counted.
      ("00000000 00000400 00000400 00000800", 8192, 2048..<6144),
      // Apple's encoders omit a packet from the count.
      ("0 400 100 800", 4096, 1024..<3072),
    ])
    func areRead(text: String, decoded: Int, range: Range<Int>) {
      #expect(MP4Timing.range(text, decoded: decoded) == range)
    }

    @Test(arguments: [
      "", "1 2 3", "0 0 0 0", "0 400 0 FFFFFFFF", "0 -1 0 10", "0 x y z",
      "0 7FFFFFFFFFFFFFFF 7FFFFFFFFFFFFFFF 7FFFFFFFFFFFFFFF", "0 FFFFFFFFFFFFFFFFF 0 1",
    ])
    func malformedTagsAreIgnored(text: String) {
      #expect(MP4Timing.range(text, decoded: 4096) == nil)
    }
  }
#endif

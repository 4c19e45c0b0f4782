#if FFmpeg
  import TestSupport
  import Testing

  /// The encoder delay that Matroska states (CodecDelay), which FFmpeg 7 and later write for most codecs.
  @Suite("Encoder delay in Matroska")
  struct CodecDelayTests {
    /// Replaces the language of the only track, 7 bytes, by a delay in nanoseconds of as many.
    ///
    /// Source: RFC 9559 sections 5.1.4.1.19 (Language, 0x22B59C) and 5.1.4.1.26 (CodecDelay, 0x56AA).
    private func delayed(_ bytes: [UInt8], nanoseconds: Int) throws -> [UInt8] {
      let language: [UInt8] = [0x22, 0xB5, 0x9C, 0x83] + Array("und".utf8)
      let place = try #require(bytes.indices.first { bytes[$0...].starts(with: language) })
      var bytes = bytes
      bytes.replaceSubrange(
        place..<place + 7, with: [0x56, 0xAA, 0x84] + Wave.le(nanoseconds, 4).reversed())
      return bytes
    }

    /// The lag in frames at which the first channel of `samples` resembles that of `source` most.
    private func lag(of samples: [Int16], to source: [Int16]) -> Int {
      let products = (-1200...1200).map { lag -> Double in
        (4000..<16_000).reduce(0.0) {
          $0 + Double(samples[2 * ($1 + lag)]) * Double(source[2 * $1])
        }
      }
      return (products.indices.max { products[$0] < products[$1] } ?? 0) - 1200
    }

    @Test(arguments: [
      ("aac", 48000, 1024), ("ac3", 48000, 256), ("libmp3lame -b:a 192k", 44100, 1105),
      ("mp2", 48000, 481),
    ])
    func delayIsRemoved(codec: String, rate: Int, delay: Int) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: rate, rate: rate)
      try fixture.encode("x.mka", "-c:a \(codec) -write_crc32 0")
      let nanoseconds = Int((Double(delay) / Double(rate) * 1e9).rounded())
      try fixture.put("y.mka", delayed(fixture.bytes("x.mka"), nanoseconds: nanoseconds))
      let whole = try fixture.read("x.mka").samples
      let source = try fixture.read("x.wav").samples
      try #require(lag(of: whole, to: source) == delay)
      for salvaging in [false, true] {
        let read = try fixture.read("y.mka", salvaging: salvaging)
        #expect(read.samples == Array(whole[(2 * delay)...]))
        #expect(read.source.frameCount == whole.count / 2 - delay)
        #expect(read.source.storage.delay == delay)
        #expect(lag(of: read.samples, to: source) == 0)
      }
    }

    /// libavformat has always passed on the delay and the padding of Opus.
    @Test(arguments: ["mka", "webm"])
    func opusIsTrimmedOnce(kind: String) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 48_123, rate: 48000)
      try fixture.encode("x.\(kind)", "-c:a libopus")
      let read = try fixture.read("x.\(kind)")
      #expect(read.source.frameCount == 48_123)
      let expected = try fixture.decodeWithFFmpeg("x.\(kind)")
      #expect(read.samples.count == expected.count)
      let difference = zip(read.samples, expected).map { abs(Int($0) - Int($1)) }.max() ?? 99
      #expect(difference <= 1)
    }
  }
#endif

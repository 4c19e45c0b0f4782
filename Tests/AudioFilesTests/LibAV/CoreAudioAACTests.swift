#if FFmpeg
  import AudioModel
  import TestSupport
  import Testing

  @testable import AudioFiles
  @testable import AudioIO

  /// CAF with AAC, written here around packets of ffmpeg's encoder: ffmpeg does not write AAC into CAF.
  @Suite("CAF with variants of AAC")
  struct CoreAudioAACTests {
    /// The packets in a file of ADTS.
    private func packets(_ adts: [UInt8]) -> [[UInt8]] {
      var packets: [[UInt8]] = []
      var start = 0
      while start + 7 <= adts.count {
        let size =
          Int(adts[start + 3] & 3) << 11 | Int(adts[start + 4]) << 3 | Int(adts[start + 5] >> 5)
        packets.append(Array(adts[start + 7..<start + size]))
        start += size
      }
      return packets
    }

    private func number(_ value: Int, _ count: Int) -> [UInt8] { Wave.le(value, count).reversed() }

    private func chunk(_ type: String, _ content: [UInt8], size: Int? = nil) -> [UInt8] {
      Array(type.utf8) + number(size ?? content.count, 8) + content
    }

    /// A file of packets of 44.1 kHz stereo, whose frames are the audio, except `delay` and `rest`.
    private func file(
      _ packets: [[UInt8]], id: String, configuration: [UInt8], framesPerPacket: Int, rate: Double,
      delay: Int, rest: Int, hasSize: Bool = true, hasVersion: Bool = false
    ) -> [UInt8] {
      func descriptor(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag, 0x80, 0x80, 0x80, UInt8(content.count)] + content
      }
      let decoder = [0x40, 0x14] + [UInt8](repeating: 0, count: 11) + descriptor(5, configuration)
      let cookie = descriptor(3, [0, 0, 0] + descriptor(4, decoder) + descriptor(6, [2]))
      let rateBits = withUnsafeBytes(of: rate.bitPattern.bigEndian) { Array($0) }
      let description =
        rateBits + Array(id.utf8) + number(0, 8) + number(framesPerPacket, 4) + number(2, 4)
        + number(0, 4)
      let frames = packets.count * framesPerPacket - delay - rest
      let table =
        number(packets.count, 8) + number(frames, 8) + number(delay, 4) + number(rest, 4)
        + packets.flatMap { [UInt8($0.count >> 7 | 0x80), UInt8($0.count & 0x7F)] }
      return Array("caff".utf8) + [0, 1, 0, 0] + chunk("desc", description)
        + chunk("kuki", (hasVersion ? [0, 0, 0, 0] : []) + cookie) + chunk("pakt", table)
        + chunk("data", [0, 0, 0, 0] + packets.joined(), size: hasSize ? nil : -1)
    }

    private func encoded(_ fixture: AudioFixture, rate: Int = 44100) throws -> [[UInt8]] {
      try fixture.makeNoise(frames: 100_000, rate: rate)
      try fixture.encode("x.aac", "-c:a aac -b:a 128k -f adts")
      return packets(try fixture.bytes("x.aac"))
    }

    @Test(arguments: ["aac ", "aach", "aacp", "aacl", "aace"], [true, false])
    func variantsAreRead(id: String, hasSize: Bool) throws {
      let fixture = try AudioFixture()
      let packets = try encoded(fixture)
      for hasVersion in [false, true] where !hasVersion || id != "aac " {
        try fixture.put(
          "x.caf",
          file(
            packets, id: id, configuration: [0x12, 0x10], framesPerPacket: 1024, rate: 44100,
            delay: 2112, rest: 500, hasSize: hasSize, hasVersion: hasVersion))
        let read = try fixture.read("x.caf", as: Int16.self)
        let whole = Raw.int16(try fixture.decode("x.aac", as: "s16le"))
        #expect(read.source.frameCount == packets.count * 1024 - 2612)
        #expect(read.source.warnings.isEmpty)
        let expected = whole.dropFirst(2 * 2112).dropLast(2 * 500)
        #expect((zip(read.samples, expected).map { abs(Int($0) - Int($1)) }.max() ?? 9) <= 1)
      }
    }

    /// The rate of the core is half that of the audio; packets have 2,048 frames.
    @Test func highEfficiencyHasTheRateAndLengthOfItsOutput() throws {
      let fixture = try AudioFixture()
      let packets = try encoded(fixture, rate: 22050)
      // Object type 5, core 22,050 Hz, stereo, extension 44,100 Hz, object type 2.
      try fixture.put(
        "x.caf",
        file(
          packets, id: "aach", configuration: [0x2B, 0x92, 0x08, 0x00], framesPerPacket: 2048,
          rate: 44100, delay: 4224, rest: 1000))
      let read = try fixture.read("x.caf", as: Int16.self)
      #expect(read.source.spec.sampleRate == 44100)
      #expect(read.source.frameCount == packets.count * 2048 - 5224)
    }

    @Test func missingPacketsAreNamed() throws {
      let fixture = try AudioFixture()
      let packets = try encoded(fixture)
      for hasSize in [true, false] {
        let bytes = file(
          packets, id: "aach", configuration: [0x12, 0x10], framesPerPacket: 1024, rate: 44100,
          delay: 2112, rest: 500, hasSize: hasSize)
        let rest = packets.suffix(20).reduce(0) { $0 + $1.count }
        for cut in [rest, rest + 7] {
          try fixture.put("x.caf", bytes.dropLast(cut))
          #expect(fixture.refusal("x.caf")?.errorClass == "truncated", "\(hasSize) \(cut)")
          #expect(try fixture.read("x.caf", salvaging: true).source.frameCount > 40_000)
        }
      }
    }
  }
#endif

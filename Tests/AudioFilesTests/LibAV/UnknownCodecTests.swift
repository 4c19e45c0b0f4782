#if FFmpeg
  import AudioFiles
  import AudioModel
  import TestSupport
  import Testing

  @testable import AudioIO

  /// Codecs that nothing here decodes, by their names; and containers whose ends look like damage.
  @Suite("Uncommon codecs through FFmpeg's libraries")
  struct UnknownCodecTests {
    /// Replaces the first occurrence of a text.
    private static func replace(_ bytes: [UInt8], _ old: String, _ new: String) throws -> [UInt8] {
      let place = try #require(bytes.firstRange(of: old.utf8))
      return bytes[..<place.lowerBound] + Array(new.utf8) + bytes[place.upperBound...]
    }

    @Test(arguments: [
      ("ac-4", "AC-4"), ("mha1", "MPEG-H 3D Audio"), ("mhm1", "MPEG-H 3D Audio"),
      ("dtsx", "DTS:X"), ("abcd", "`abcd`"),
    ])
    func inMP4(type: String, name: String) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 20_000)
      try fixture.encode("x.mp4", "-c:a aac")
      let typed = try Self.replace(try fixture.bytes("x.mp4"), "mp4a", type)
      try fixture.put("y.mp4", try Self.replace(typed, "esds", "free"))
      let error = try #require(fixture.refusal("y.mp4"))
      #expect(error.errorClass == "unsupported")
      #expect(error.cause.contains(name))
      #expect(error.remedy != nil)
    }

    @Test(arguments: [("A_AC4\0", "AC-4"), ("A_ABCD", "`A_ABCD`")])
    func inMatroska(id: String, name: String) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 20_000)
      try fixture.encode("x.mka", "-c:a flac")
      try fixture.put("y.mka", try Self.replace(try fixture.bytes("x.mka"), "A_FLAC", id))
      #expect(try #require(fixture.refusal("y.mka")).cause.contains(name))
    }

    /// FFmpeg decodes Sonic only where one asks for experiments.
    @Test(arguments: ["x.nut", "x.mka", "x.avi"], ["sonic", "sonicls"])
    func experimental(name: String, codec: String) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 20_000)
      try fixture.encode(name, "-strict -2 -c:a \(codec)")
      let error = try #require(fixture.refusal(name))
      #expect(error.errorClass == "unsupported")
      #expect(error.cause.contains("Sonic"))
    }

    /// Formats whose first bytes are a name.
    @Test(arguments: [("ADIF", "ADIF"), ("OFR ", "OptimFROG"), ("LA04", "La"), ("MThd", "MIDI")])
    func byFirstBytes(start: String, name: String) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 20_000)
      try fixture.put("x", Array(start.utf8) + (try fixture.bytes("x.wav")).dropFirst(64))
      let error = try #require(fixture.refusal("x"))
      #expect(error.errorClass == "unsupported")
      #expect(error.cause.contains(name))
      #expect(error.remedy != nil)
    }

    /// Formats of Dolby and DTS that are decoded, in the containers of films.
    @Test(arguments: [
      ("x.mp4", "-c:a truehd -strict -2"), ("x.mkv", "-c:a truehd -strict -2"),
      ("x.mkv", "-c:a mlp -strict -2"), ("x.ts", "-c:a truehd -strict -2 -f mpegts"),
      ("x.mp4", "-c:a dca -strict -2"), ("x.mov", "-c:a eac3"), ("x.ts", "-c:a libopus -f mpegts"),
    ])
    func decoded(name: String, options: String) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 48_000, rate: 48000)
      try fixture.encode(name, options)
      let source = try fixture.read(name).source
      #expect(abs(source.frameCount - 48_000) < 4000)
    }

    /// The demuxer of RoQ reports a failure at every end.
    @Test func roqIsReadToItsEnd() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 22_050, channels: 1, rate: 22050)
      try fixture.encode("x.roq", "-r 30 -c:a roq_dpcm")
      let read = try fixture.read("x.roq", as: Int16.self)
      #expect(read.samples == Raw.int16(try fixture.decode("x.roq", as: "s16le")))
    }

    /// libavformat decodes all links with the decoder of the first.
    @Test func chainedSpeexIsJoined() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 48_000, channels: 1, rate: 16000)
      try fixture.encode("a.spx", "-c:a libspeex")
      try fixture.encode("n.spx", "-c:a libspeex -ar 8000")
      let link = try fixture.read("a.spx", as: Int16.self)
      let bytes = try fixture.bytes("a.spx")
      try fixture.put("chain.spx", bytes + bytes)
      let chain = try fixture.read("chain.spx", as: Int16.self)
      #expect(chain.samples == link.samples + link.samples)
      #expect(chain.source.warnings.map(\.text).contains { $0.contains("2 chained streams") })
      try fixture.put("mixed.spx", bytes + (try fixture.bytes("n.spx")))
      #expect(try #require(fixture.refusal("mixed.spx")).cause.contains("sample rate changes"))
    }

    /// A frame of ADTS that its header shows to be cut.
    @Test func cutADTSFrameIsNamed() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 60_000)
      try fixture.encode("x.aac", "-c:a aac")
      let bytes = try fixture.bytes("x.aac")
      let starts = ADTSFrames.starts(in: bytes)
      let middle = starts.count / 2
      try fixture.put("bad", bytes[..<(starts[middle] + 100)] + bytes[starts[middle + 1]...])
      let error = try #require(fixture.refusal("bad"))
      #expect(error.cause.contains("byte \(starts[middle]) is cut off"))
    }
  }
#endif

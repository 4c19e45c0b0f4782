#if FFmpeg
  import AudioFiles
  import AudioModel
  import TestSupport
  import Testing

  @testable import AudioIO

  /// Streams that no header gives a length, cut where a unit of their container ends.
  @Suite("Streams cut between packs or packets")
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

    /// A frame of audio is split over packs, so that a cut leaves a part of one.
    @Test(arguments: [
      ("-c:a mp2 -f vob", nil), ("-c:a mp2 -f mpeg", nil), ("-c:a mp2 -f dvd", "mpeg2video"),
      ("-c:a ac3 -f vob", nil), ("-c:a libmp3lame -f vob", nil),
      ("-c:a dca -strict -2 -f vob", nil),
    ])
    func programStream(options: String, video: String?) throws {
      let fixture = try Self.make("x.mpg", options, video: video)
      let whole = try fixture.read("x.mpg").source
      #expect(whole.warnings.isEmpty)
      let bytes = try fixture.bytes("x.mpg")
      let packs = Self.packs(bytes)
      for part in [0.45, 0.6, 0.61, 0.85] {
        let end = packs[Int(Double(packs.count) * part)]
        try fixture.put("cut", bytes.prefix(end))
        let found = try #require(fixture.refusal("cut"), "\(options) \(part)")
        #expect(found.errorClass == "truncated")
        let salvaged = try fixture.read("cut", salvaging: true).source
        #expect(salvaged.frameCount < whole.frameCount)
        #expect(salvaged.warnings.contains { $0.contains("salvaged") })
        // With the end code, the muxer ended the stream within a frame, and nothing is missing.
        try fixture.put("ended", bytes.prefix(end) + [0, 0, 1, 0xB9])
        #expect(try fixture.read("ended").source.frameCount == salvaged.frameCount)
      }
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
        #expect(read.source.warnings.contains { $0.contains("starts in the middle of a frame") })
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

    /// E-AC-3 and TrueHD of HD DVD, and MLP, in packs written here: ffmpeg has no muxer for them.
    @Test(arguments: [("eac3", UInt8(0xC0), 4), ("truehd", 0xB0, 5), ("mlp", 0xA1, 10)])
    func otherSubstreams(codec: String, substream: UInt8, head: Int) throws {
      let fixture = try Self.make(
        "x.\(codec == "truehd" ? "thd" : codec)", "-strict -2 -c:a \(codec)")
      let audio = try fixture.bytes("x.\(codec == "truehd" ? "thd" : codec)")
      func stream(_ audio: ArraySlice<UInt8>, end: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        for start in stride(from: audio.startIndex, to: audio.endIndex, by: 2000) {
          let part = audio[start..<min(start + 2000, audio.endIndex)]
          let size = 3 + head + part.count
          bytes += [0, 0, 1, 0xBA, 0x44, 0, 4, 0, 4, 1, 0, 0x9D, 0x83, 0xF8]
          bytes += [0, 0, 1, 0xBD, UInt8(size >> 8), UInt8(size & 0xFF), 0x81, 0, 0]
          bytes += [substream, 1, 0, 1] + [UInt8](repeating: 0, count: head - 4) + part
        }
        return bytes + (end ? [0, 0, 1, 0xB9] : [])
      }
      try fixture.put("whole", stream(audio[...], end: true))
      #expect(try fixture.read("whole").source.warnings.isEmpty)
      let cut = audio[..<(audio.count * 3 / 5 + 77)]
      try fixture.put("ended", stream(cut, end: true))
      let ended = try fixture.read("ended").source
      #expect(abs(ended.frameCount * 5 - 4 * 48000 * 3) < 5 * 48000)
      try fixture.put("cut", stream(cut, end: false))
      #expect(fixture.refusal("cut")?.errorClass == "truncated")
    }

    /// Samples of PCM are whole at the end of every pack: only that the last one is full shows that more may follow.
    @Test func fullLastPackIsReported() throws {
      let fixture = try Self.make("x.mpg", "-c:a pcm_dvd -f vob")
      #expect(try fixture.read("x.mpg").source.warnings.isEmpty)
      let bytes = try fixture.bytes("x.mpg")
      let packs = Self.packs(bytes)
      try fixture.put("cut", bytes.prefix(packs[packs.count / 2]))
      let source = try fixture.read("cut").source
      #expect(source.warnings.contains { $0.contains("its last pack is full") })
      // With the end code, nothing is missing.
      try fixture.put("ended", bytes.prefix(packs[packs.count / 2]) + [0, 0, 1, 0xB9])
      #expect(try fixture.read("ended").source.warnings.isEmpty)
    }

    /// Packets of audio have sizes, and discs store whole units of 32 packets.
    @Test(arguments: [
      ("-c:a ac3", 192, nil), ("-c:a mp2", 192, nil), ("-c:a aac", 192, nil),
      ("-c:a pcm_bluray", 192, nil), ("-c:a ac3", 192, "mpeg2video"), ("-c:a mp2", 188, nil),
      ("-c:a aac", 188, nil),
    ])
    func transportStream(options: String, size: Int, video: String?) throws {
      let mode = size == 192 ? " -mpegts_m2ts_mode 1" : ""
      let fixture = try Self.make("x.ts", options + " -f mpegts" + mode, video: video)
      let whole = try fixture.read("x.ts").source
      #expect(whole.warnings.isEmpty)
      let bytes = try fixture.bytes("x.ts")
      var silent = 0
      for part in stride(from: 0.45, to: 0.85, by: 0.04) {
        let count = Int(Double(bytes.count / size) * part)
        // Where a packet of audio ends, nothing shows in 188 bytes that others followed.
        try fixture.put("cut", bytes.prefix((count % 32 == 0 ? count + 1 : count) * size))
        guard let found = fixture.refusal("cut") else {
          silent += 1
          continue
        }
        #expect(found.errorClass == "truncated", "\(part)")
      }
      #expect(silent <= (size == 192 ? 0 : 3), "\(options)")
    }

    /// A packet of video has no size; all but one in 184 are padded in their last 188 bytes.
    @Test func unpaddedLastVideoPacketIsReported() throws {
      let fixture = try Self.make("x.ts", "-c:a ac3 -f mpegts", video: "mpeg2video")
      let bytes = try fixture.bytes("x.ts")
      var warned = 0
      var refused = 0
      for count in bytes.count / 188 / 2..<bytes.count / 188 / 2 + 24 {
        try fixture.put("cut", bytes.prefix(count * 188))
        do {
          let source = try fixture.read("cut").source
          warned += source.warnings.contains { $0.contains("ends within a packet") } ? 1 : 0
        } catch {
          refused += 1
        }
      }
      #expect(warned + refused > 12)
      #expect(warned > 0)
    }

    /// Times show that packets are missing in the middle.
    @Test func missingTransportPacketsAreAnError() throws {
      let fixture = try Self.make("x.ts", "-c:a ac3 -f mpegts", video: "mpeg2video")
      let bytes = try fixture.bytes("x.ts")
      let count = bytes.count / 188
      try fixture.put(
        "gap", bytes.prefix(count / 2 * 188) + bytes.dropFirst((count / 2 + count / 5) * 188))
      let found = try #require(fixture.refusal("gap"))
      #expect(["truncated", "malformed"].contains(found.errorClass))
      let salvaged = try fixture.read("gap", salvaging: true).source
      #expect(salvaged.warnings.contains { $0.contains("frames of silence") })
      #expect(abs(salvaged.frameCount - (try fixture.read("x.ts").source.frameCount)) < 4800)
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

  /// Packets of ASF whose places and times its header states.
  @Suite("Damaged packets of Windows Media")
  struct DamagedASFTests {
    @Test(arguments: [
      (400, 0, UInt8(0x55)), (400, 0, 0), (6000, 6000, 0xA7), (6000, 6000, 0), (6000, 6000, 0xFF),
    ])
    func insertedOrReplaced(count: Int, replaced: Int, byte: UInt8) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 200_000)
      try fixture.encode("x.wma", "-c:a wmav2 -b:a 128k")
      let whole = try fixture.read("x.wma").source
      #expect(whole.warnings.isEmpty)
      let bytes = try fixture.bytes("x.wma")
      let middle = bytes.count / 2
      try fixture.put(
        "bad",
        bytes[..<middle] + [UInt8](repeating: byte, count: count) + bytes[(middle + replaced)...])
      let error = #expect(throws: AudioFileError.self) { try fixture.read("bad") }
      #expect(error?.errorClass == "malformed")
      let salvaged = try fixture.read("bad", salvaging: true).source
      #expect(salvaged.warnings.contains { $0.contains("salvaged") })
      // Silence takes the place of what is missing.
      #expect(abs(salvaged.frameCount - whole.frameCount) < 4 * 2048)
    }
  }
#endif

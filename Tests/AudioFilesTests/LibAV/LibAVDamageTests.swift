#if FFmpeg
  @testable import AudioIO
  import AudioFiles
  import AudioModel
  import Foundation
  import TestSupport
  import Testing

  /// Cut, flipped and hostile files: a named error or the whole audio, never less in silence.
  @Suite("Damaged files through FFmpeg's libraries")
  struct LibAVDamageTests {
    /// Containers that declare their length.
    static let closed = [
      ("x.m4a", "-c:a aac"), ("front.m4a", "-c:a aac -movflags +faststart"),
      ("alac.m4a", "-c:a alac -movflags +faststart"), ("x.mov", "-c:a pcm_s16le"),
      ("x.3gp", "-c:a aac -movflags +faststart"), ("x.mka", "-c:a flac"),
      ("opus.mka", "-c:a libopus"),
      ("x.wv", "-c:a wavpack"), ("x.tta", "-c:a tta"), ("x.wma", "-c:a wmav2"),
      ("x.avi", "-c:a libmp3lame"), ("x.wav", "-c:a ac3"),
    ]
    /// Containers that may end after any packet.
    static let open = [
      ("x.aac", "-c:a aac"), ("x.ac3", "-c:a ac3"), ("x.flv", "-c:a aac"), ("x.ts", "-c:a aac"),
      ("x.mpg", "-c:a mp2"), ("x.spx", "-ar 16000 -ac 1 -c:a libspeex"), ("x.nut", "-c:a flac"),
      ("frag.mp4", "-c:a aac -movflags dash+delay_moov+frag_keyframe -frag_duration 100000"),
    ]

    private func make(_ fixture: AudioFixture, _ name: String, _ options: String) throws -> [UInt8]
    {
      try fixture.makeNoise(frames: 12_000)
      try fixture.encode("made-\(name)", options)
      return try fixture.bytes("made-\(name)")
    }

    /// Tags and a stray byte after the last frame of AAC, and tags between frames, are not damage.
    @Test(arguments: [
      ("stray", 1), ("ID3v1", 0), ("ID3v1 ID3v2", 0), ("ID3v2 zeros", 0), ("ID3v1 stray", 1),
      ("APE ID3v1", 0), ("ID3v2 frames", 0), ("ID3v1 frames", 0), ("half", nil),
    ])
    func tailsOfADTSAreNotDamage(tail: String, warnings: Int?) throws {
      let fixture = try AudioFixture()
      let bytes = try make(fixture, "x.aac", "-c:a aac")
      let frames = try fixture.read("made-x.aac").samples.count
      func text(_ text: String, _ bytes: [UInt8] = [], zeros: Int) -> [UInt8] {
        Array(text.utf8) + bytes + [UInt8](repeating: 0, count: zeros)
      }
      let parts: [Substring: [UInt8]] = [
        "stray": [0x0A], "ID3v1": text("TAGtitle", zeros: 120), "frames": bytes,
        "ID3v2": text("ID3", [4, 0, 0, 0, 0, 0, 20], zeros: 20), "zeros": text("", zeros: 99),
        "APE": text("APETAGEX", [0xD0, 7, 0, 0, 32], zeros: 19), "half": Array(bytes.prefix(40)),
      ]
      let names = tail.split(separator: " ")
      try fixture.put("x.aac", bytes + (try names.flatMap { try #require(parts[$0]) }))
      guard let warnings else {
        #expect(throws: AudioFileError.self) { try fixture.read("x.aac") }
        return
      }
      let read = try fixture.read("x.aac")
      #expect(read.samples.count == frames * (names.contains("frames") ? 2 : 1))
      #expect(read.source.warnings.count == warnings, "\(read.source.warnings)")
    }

    private static let allowed: Set = [
      "empty", "notAudio", "truncated", "malformed", "limitExceeded", "unsupported",
    ]

    private func cuts(_ count: Int) -> [Int] {
      Array(stride(from: 0, to: min(count, 100), by: 23))
        + Array(stride(from: 100, to: count, by: max(1, count / 11))) + [count - 5, count - 1]
    }

    @Test(arguments: closed)
    func noPrefixIsTakenForTheWholeFile(name: String, options: String) throws {
      let fixture = try AudioFixture()
      let bytes = try make(fixture, name, options)
      try fixture.put(name, bytes)
      let whole = try fixture.read(name, as: Int16.self).samples
      for count in cuts(bytes.count) {
        try fixture.put(name, bytes[..<count])
        do {
          #expect(
            try fixture.read(name, as: Int16.self).samples == whole, "\(name) cut at \(count)")
        } catch {
          #expect(Self.allowed.contains(errorName(error)), "\(name) cut at \(count): \(error)")
        }
      }
    }

    @Test(arguments: open)
    func prefixesAreErrorsOrWholePackets(name: String, options: String) throws {
      let fixture = try AudioFixture()
      let bytes = try make(fixture, name, options)
      try fixture.put(name, bytes)
      let whole = try fixture.read(name, as: Int16.self).samples
      for count in cuts(bytes.count) {
        try fixture.put(name, bytes[..<count])
        do {
          let part = try fixture.read(name, as: Int16.self).samples
          #expect(whole.starts(with: part.dropLast(4608)), "\(name) cut at \(count)")
        } catch {
          #expect(Self.allowed.contains(errorName(error)), "\(name) cut at \(count): \(error)")
        }
      }
    }

    @Test(arguments: closed + open)
    func flippedBytesNeverShortenFilesSilently(name: String, options: String) throws {
      let fixture = try AudioFixture()
      let bytes = try make(fixture, name, options)
      let places =
        Array(stride(from: 0, to: min(bytes.count, 700), by: 31))
        + Array(stride(from: 700, to: bytes.count, by: max(1, bytes.count / 11)))
        + Array(stride(from: max(0, bytes.count - 900), to: bytes.count, by: 91))
      for (round, index) in places.enumerated() {
        var damaged = bytes
        damaged[index] ^= round % 2 == 0 ? 0xFF : 0x80
        try fixture.put(name, damaged)
        for salvaging in [false, true] {
          do {
            // The count is checked in there.
            _ = try fixture.read(name, as: Int16.self, salvaging: salvaging)
          } catch {
            #expect(Self.allowed.contains(errorName(error)), "\(name) at \(index): \(error)")
          }
        }
      }
    }

    /// Lossless formats with checksums see any damage to the audio.
    @Test(arguments: [("x.wv", "-c:a wavpack"), ("x.tta", "-c:a tta"), ("x.mka", "-c:a flac")])
    func checksumsAreChecked(name: String, options: String) throws {
      let fixture = try AudioFixture()
      var bytes = try make(fixture, name, options)
      bytes[bytes.count / 2] ^= 0x10
      try fixture.put(name, bytes)
      let error = #expect(throws: AudioFileError.self) { try fixture.read(name, as: Int16.self) }
      #expect(error.map(errorName) == "malformed")
    }

    @Test(arguments: [
      ("front.m4a", "-c:a aac -movflags +faststart"), ("x.mka", "-c:a flac"),
      ("x.wma", "-c:a wmav2"),
      ("x.avi", "-c:a libmp3lame"), ("x.wv", "-c:a wavpack -frame_size 4000"),
      ("x.wav", "-c:a ac3"),
    ])
    func salvagingDecodesWhatRemains(name: String, options: String) throws {
      let fixture = try AudioFixture()
      let bytes = try make(fixture, name, options)
      try fixture.put(name, bytes)
      let whole = try fixture.read(name, as: Int16.self).samples
      try fixture.put(name, bytes[..<(bytes.count * 2 / 3)])
      #expect(throws: AudioFileError.self) { try fixture.read(name, as: Int16.self) }
      let read = try fixture.read(name, as: Int16.self, salvaging: true)
      #expect(read.source.frameCount * 2 < whole.count)
      #expect(read.source.frameCount > 4000)
      #expect(whole.starts(with: read.samples.dropLast(9216)))
      #expect(read.source.warnings.map(\.text).contains { $0.hasPrefix("salvaged ") })
    }

    /// Lost audio in the middle is silent, and what follows stays in its place.
    @Test func silenceKeepsLaterAudioInPlace() throws {
      let fixture = try AudioFixture()
      // Noise substitution draws random numbers, which would go on differently.
      var bytes = try make(fixture, "x.m4a", "-c:a aac -aac_pns 0")
      try fixture.put("x.m4a", bytes)
      let whole = try fixture.read("x.m4a", as: Int16.self).samples
      let packet = try fixture.run(
        "ffprobe", "-v", "error", "-ignore_editlist", "1", "-show_entries", "packet=pos,size",
        "-of",
        "csv=p=0", "x.m4a"
      ).outputText.split(separator: "\n")[6].split(separator: ",").compactMap { Int($0) }
      for index in packet[1]..<packet[1] + packet[0] { bytes[index] = 0xFF }
      try fixture.put("x.m4a", bytes)
      #expect(throws: AudioFileError.self) { try fixture.read("x.m4a", as: Int16.self) }
      let read = try fixture.read("x.m4a", as: Int16.self, salvaging: true)
      #expect(read.source.frameCount == 12_000)
      #expect(read.source.warnings.map(\.text).contains { $0.contains("1,024 frames of silence") })
      // The packet and the next, which overlaps with it, are other than they were.
      let differing = zip(read.samples, whole).enumerated().filter { $0.element.0 != $0.element.1 }
      let lost = 4 * 1024 * 2...8 * 1024 * 2
      #expect(differing.allSatisfy { lost.contains($0.offset) })
    }

    // MARK: Hostile files

    @Test func unfinishedRecordingsAreReported() throws {
      let fixture = try AudioFixture()
      let bytes = try make(fixture, "x.m4a", "-c:a aac")
      // Everything up to the index, which a phone writes at the end.
      let index = try #require(Self.find("moov", in: bytes))
      try fixture.put("x.m4a", bytes[..<(index - 4)])
      let error = #expect(throws: AudioFileError.self) { try fixture.read("x.m4a", as: Int16.self) }
      #expect(error?.cause.contains("moov") == true)
    }

    @Test func wrongIndicesAreErrors() throws {
      let fixture = try AudioFixture()
      let bytes = try make(fixture, "x.mov", "-c:a pcm_s16le")
      let description = try #require(Self.find("sowt", in: bytes))
      // The channel count, the bits and the sample rate of the sound sample description.
      for (offset, values) in [(16 + 4, [0xFF, 0xFF]), (24 + 4, [0xFF, 0xFF]), (20, [0, 0])] {
        var lie = bytes
        for (place, value) in values.enumerated() {
          lie[description + offset + place] = UInt8(value)
        }
        try fixture.put("x.mov", lie)
        do {
          _ = try fixture.read("x.mov", as: Int16.self)
        } catch {
          #expect(Self.allowed.contains(errorName(error)))
        }
      }
      let aac = try make(fixture, "x.m4a", "-c:a aac")
      for box in ["stsz", "stts", "stsc", "stco", "elst"] {
        let place = try #require(Self.find(box, in: aac))
        for start in [8, 12, 16] {
          var lie = aac
          lie.replaceSubrange(place + start..<place + start + 4, with: [0x7F, 0xFF, 0xFF, 0xFF])
          try fixture.put("x.m4a", lie)
          do {
            _ = try fixture.read("x.m4a", as: Int16.self)
          } catch {
            #expect(Self.allowed.contains(errorName(error)), "\(box): \(error)")
          }
        }
      }
    }

    @Test func deeplyNestedBoxesAreBounded() throws {
      let fixture = try AudioFixture()
      var file = Array("\0\0\0\u{14}ftypM4A \0\0\0\0M4A ".utf8)
      let depth = 30_000
      for level in 0..<depth {
        let size = (depth - level) * 8
        file += [16, 8, 0].map { UInt8(truncatingIfNeeded: size >> ($0 + 8)) }
        file += [UInt8(truncatingIfNeeded: size)] + Array("moov".utf8)
      }
      try fixture.put("x.m4a", file)
      #expect(throws: AudioFileError.self) { try fixture.read("x.m4a", as: Int16.self) }
    }

    /// A file can never make another one be read.
    @Test func listsOfOtherFilesAreNotAudio() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 1000)
      let lists = [
        "ffconcat version 1.0\nfile x.wav\n",
        "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nx.wav\n#EXT-X-ENDLIST\n",
        "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nm=audio 5004 RTP/AVP 0\n",
        "<?xml version=\"1.0\"?>\n<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\"></MPD>\n",
        "[playlist]\nFile1=x.wav\n", ";FFMETADATA1\ntitle=x\n",
        "1\n00:00:01,000 --> 00:00:02,000\nHello\n",
      ]
      for (index, list) in lists.enumerated() {
        try fixture.put("list\(index)", Array(list.utf8))
        #expect(try fixture.sniff("list\(index)") == nil, "\(list)")
      }
    }

    @Test func changesOfSampleRateAreReported() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 20_000)
      try fixture.encode("one.ac3", "-c:a ac3 -ar 48000")
      try fixture.encode("two.ac3", "-c:a ac3 -ar 44100")
      try fixture.encode("mono.ac3", "-c:a ac3 -ar 48000 -ac 1")
      let one = try fixture.bytes("one.ac3")
      for other in ["two.ac3", "mono.ac3"] {
        try fixture.put("x.ac3", one + (try fixture.bytes(other)))
        let error = #expect(throws: AudioFileError.self) {
          try fixture.read("x.ac3", as: Int16.self)
        }
        #expect(error?.cause.contains("changes") == true)
      }
    }

    private static func find(_ text: String, in bytes: [UInt8]) -> Int? {
      bytes.firstRange(of: text.utf8)?.lowerBound
    }
  }
#endif

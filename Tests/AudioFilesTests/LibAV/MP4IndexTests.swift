#if FFmpeg
  @testable import AudioFiles
  @testable import AudioIO
  import AudioModel
  import Foundation
  import TestSupport
  import Testing

  /// Indices of MP4 and QuickTime files that promise more than their packets hold, or count differently.
  @Suite("Indices of MP4 files against their packets")
  struct MP4IndexTests {
    /// The start of the content of the last box of this type.
    private func place(of type: String, in file: [UInt8]) throws -> Int {
      let pattern = Array(type.utf8)
      return try #require(
        file.indices.dropLast(4).last { file[$0..<$0 + 4].elementsEqual(pattern) }) + 4
    }

    private func put(_ numbers: [Int], at place: Int, in file: inout [UInt8]) {
      let bytes = numbers.flatMap { Wave.le($0, 4).reversed() }
      file.replaceSubrange(place..<place + bytes.count, with: bytes)
    }

    // MARK: Fragments

    /// Some programs write the duration of a fragmented movie in the units of a track; the index of its segments is
    /// right.
    @Test func segmentIndicesOverrideTheMovieDuration() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 88_200, channels: 1, rate: 44100)
      try fixture.run(
        "ffmpeg", "-v", "error", "-i", "x.wav", "-c:a", "aac", "-frag_duration", "400000",
        "-movflags",
        "empty_moov+default_base_moof+global_sidx", "x.mp4")
      let whole = try fixture.read("x.mp4", as: Float.self).samples
      // 88.2 seconds in units of the movie, which are milliseconds.
      var bytes = try fixture.bytes("x.mp4")
      for type in ["moov", "mvex"] {
        let place = try place(of: type, in: bytes) - 8
        let size = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        put([size + 16], at: place, in: &bytes)
      }
      let mehd = [16, 0x6D65_6864, 0, 88_200].flatMap { Wave.le($0, 4).reversed() }
      bytes.insert(contentsOf: mehd, at: try place(of: "mvex", in: bytes))
      try fixture.put("y.mp4", bytes)
      #expect(try fixture.read("y.mp4", as: Float.self).samples == whole)
      // Without the index, nothing contradicts what the movie promises.
      let index = try place(of: "sidx", in: bytes)
      bytes.replaceSubrange(index - 4..<index, with: Array("free".utf8))
      try fixture.put("z.mp4", bytes)
      #expect(throws: AudioFileError.self) { try fixture.read("z.mp4") }
    }

    // MARK: AMR

    /// As phones write it: ten frames of 20 ms in each sample.
    @Test func severalFramesInASampleAreRead() throws {
      let fixture = try AudioFixture()
      try fixture.put("x.amr", AMR.file(Array(repeating: 7, count: 50)))
      try fixture.run("ffmpeg", "-v", "error", "-i", "x.amr", "-c", "copy", "x.3gp")
      let whole = try fixture.read("x.3gp", as: Float.self).samples
      #expect(whole.count == 50 * 160)
      var bytes = try fixture.bytes("x.3gp")
      put([320, 5], at: try place(of: "stsz", in: bytes) + 4, in: &bytes)
      put([1, 5, 1600], at: try place(of: "stts", in: bytes) + 4, in: &bytes)
      put([1, 1, 5], at: try place(of: "stsc", in: bytes) + 4, in: &bytes)
      try fixture.put("y.3gp", bytes)
      #expect(try fixture.read("y.3gp", as: Float.self).samples == whole)
    }

    // MARK: Promises

    /// The durations of the packets, and that of the track, are ten times as long as what decodes.
    @Test(arguments: ["stts", "mdhd"])
    func fewerFramesThanPromisedAreAnError(box: String) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 44_100)
      try fixture.encode("made.m4a", "-c:a aac")
      var bytes = try fixture.bytes("made.m4a")
      let start = try place(of: box, in: bytes)
      if box == "stts" {
        put([1, 45, 10_240], at: start + 4, in: &bytes)
      } else {
        put([44_100 * 10], at: start + 16, in: &bytes)
      }
      try fixture.put("x.m4a", bytes)
      let error = #expect(throws: AudioFileError.self) {
        try fixture.read("x.m4a", as: Int16.self)
      }
      guard case .truncated = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      let salvaged = try fixture.read("x.m4a", as: Int16.self, salvaging: true)
      #expect(abs(salvaged.source.frameCount - 44_100) < 2048)
      #expect(salvaged.source.warnings.map(\.text).contains { $0.contains("salvaged") })
    }

    // MARK: QuickTime's compressed sound

    /// The size of a sample is 1, and samples are counted in frames, although they are compressed.
    @Test(arguments: [1, 2])
    func framesOfCompressedSoundAreCounted(channels: Int) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 64 * 1000, channels: channels)
      try fixture.encode("made.mov", "-c:a adpcm_ima_qt")
      var bytes = try fixture.bytes("made.mov")
      let start = try place(of: "stsd", in: bytes) + 8
      // Version 1: frames in a packet, bytes of a channel's packet, of a packet, of a sample.
      #expect(bytes[start + 17] == 1)
      put([64, 34, 34 * channels, 2], at: start + 36, in: &bytes)
      put([1, 64_000], at: try place(of: "stsz", in: bytes) + 4, in: &bytes)
      put([1, 64_000, 1], at: try place(of: "stts", in: bytes) + 4, in: &bytes)
      put([1, 1, 64_000], at: try place(of: "stsc", in: bytes) + 4, in: &bytes)
      try fixture.put("x.mov", bytes)
      let read = try fixture.read("x.mov", as: Int16.self)
      #expect(read.source.frameCount == 64_000)
      #expect(read.samples == Raw.int16(try fixture.decode("x.mov", as: "s16le")))
    }

    // MARK: Media data

    /// The media data claims more than the file has: an error where packets lie there, otherwise a warning.
    @Test(arguments: [
      ("x.m4a", "-c:a aac -movflags +faststart"), ("x.mov", "-c:a pcm_s16le -movflags +faststart"),
      ("part.mp4", "-c:a aac -movflags frag_keyframe+empty_moov+default_base_moof"),
    ])
    func mediaDataWithTooLargeASizeIsRead(name: String, options: String) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 30_000)
      try fixture.encode("made-\(name)", options)
      var bytes = try fixture.bytes("made-\(name)")
      let samples = try fixture.read("made-\(name)", as: Int16.self).samples
      // The random access box at the end of fragments goes.
      if name == "part.mp4" {
        bytes.removeLast(bytes.count - (try place(of: "mfra", in: bytes)) + 8)
      }
      let start = try place(of: "mdat", in: bytes) - 8
      put([bytes.count - start + 5000], at: start, in: &bytes)
      try fixture.put(name, bytes)
      let read = try fixture.read(name, as: Int16.self)
      #expect(read.samples == samples)
      #expect(
        read.source.warnings.map(\.text).contains {
          $0.contains("5000 bytes of its media data are missing")
        })
      try fixture.put(name, bytes.dropLast(1))
      let error = #expect(throws: AudioFileError.self) { try fixture.read(name, as: Int16.self) }
      guard case .truncated = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    /// The last packet has the duration of a whole one, as some writers have it.
    @Test(arguments: ["alac", "flac"])
    func theLastPacketMayBeShorterThanItsDuration(codec: String) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 30_000)
      try fixture.encode("made.mp4", "-c:a \(codec) -strict -2")
      var bytes = try fixture.bytes("made.mp4")
      let start = try place(of: "stts", in: bytes)
      // Two runs: whole packets, and the last.
      #expect(bytes[start + 7] == 2)
      bytes.replaceSubrange(start + 20..<start + 24, with: bytes[start + 12..<start + 16])
      try fixture.put("x.mp4", bytes)
      let read = try fixture.read("x.mp4", as: Int16.self)
      #expect(read.samples == Signal.noise(frames: 30_000, channels: 2))
    }

    // MARK: HE-AAC

    /// Libraries before version 7.1 do not decode it; the error names it.
    @Test func xHEAACIsNamed() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 30_000, rate: 44100)
      try fixture.encode("made.m4a", "-c:a aac")
      var bytes = try fixture.bytes("made.m4a")
      let place = try #require(
        bytes.indices.dropLast(5).first {
          bytes[$0 + 2..<$0 + 5].elementsEqual([0x56, 0xE5, 0])
        })
      // Object type 42 (31, then 10 in 6 bits), sample rate index 4, configuration 2.
      bytes.replaceSubrange(
        place..<place + 5, with: [0b11111_001, 0b010_0100_0, 0b010_00000, 0, 0])
      try fixture.put("x.m4a", bytes)
      #expect {
        try fixture.read("x.m4a", as: Int16.self)
      } throws: {
        "\($0)".contains("its audio is xHE-AAC")
      }
    }

    /// HE-AAC has its own name, because it needs fewer bits than the AAC-LC that is written.
    @Test func heAACIsNamed() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 30_000, rate: 22050)
      try fixture.encode("made.m4a", "-c:a aac")
      var bytes = try fixture.bytes("made.m4a")
      // The configuration's extension declares no band replication at 44,100 Hz; now it does.
      let place = try #require(
        bytes.indices.dropLast(3).first { bytes[$0..<$0 + 3].elementsEqual([0x56, 0xE5, 0]) })
      bytes[place + 2] = 0xA0
      try fixture.put("x.m4a", bytes)
      let plain = try fixture.read("made.m4a", as: Int16.self).source
      #expect(plain.codec == "AAC (Advanced Audio Coding)")
      let source = try fixture.read("x.m4a", as: Int16.self).source
      #expect(source.codec == "HE-AAC (Advanced Audio Coding)")
      #expect(source.spec.sampleRate == 44100)
      for (name, profile) in [("made.m4a", "LC"), ("x.m4a", "HE")] {
        let input = try InputFile(path: fixture.path(name))
        let reader = try AudioFile.reader(for: input, salvaging: false)
        #expect(reader.source.storage.profile == profile)
      }
    }
  }
#endif

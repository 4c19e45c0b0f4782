#if FFmpeg
  @testable import AudioIO
  import AudioFiles
  import AudioModel
  import Foundation
  import TestSupport
  import Testing
  @testable import AudioContainers

  /// Lengths to the frame, where containers declare them.
  @Suite("Exact lengths through FFmpeg's libraries")
  struct LibAVLengthTests {
    /// The samples of the source's length that ffmpeg decodes, delay and padding left out.
    private func decoded(
      _ fixture: AudioFixture, _ name: String, skipping delay: Int, frames: Int, channels: Int = 2
    ) throws -> [Float] {
      let all = Raw.float(try fixture.decode(name, as: "f32le", ["-ignore_editlist", "1"]))
      return Array(all.dropFirst(delay * channels).prefix(frames * channels))
    }

    static let mp4: [(name: String, options: String)] = [
      ("plain.m4a", ""), ("book.m4b", "-f ipod"), ("x.mp4", ""), ("x.mov", ""), ("x.3gp", ""),
      ("thousandths.m4a", "-movie_timescale 1000"), ("six.mov", "-movie_timescale 600"),
      ("front.m4a", "-movflags +faststart"),
      ("moof.m4a", "-movflags frag_keyframe+delay_moov -frag_duration 200000"),
      ("dash.mp4", "-movflags dash+delay_moov+frag_keyframe -frag_duration 200000"),
    ]

    /// Lengths that leave every kind of rest in the last packet and in a millisecond: all of them in a
    /// plain and in a fragmented file, one in each other kind.
    static let lengths = [44_100, 44_143, 45_055]
    static let filesAndLengths = mp4.enumerated().flatMap { index, file in
      let all = ["plain.m4a", "moof.m4a"].contains(file.name)
      return (all ? lengths : [lengths[index % 3]]).map { (file, $0) }
    }

    @Test(arguments: filesAndLengths)
    func encoderDelayAndPaddingOfAACAreTrimmed(
      file: (name: String, options: String), frames: Int
    ) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: frames)
      try fixture.encode(file.name, "-c:a aac \(file.options)")
      let read = try fixture.read(file.name, as: Float.self)
      #expect(read.source.frameCount == frames)
      #expect(read.source.sampleFormat == nil)
      let expected = try decoded(fixture, file.name, skipping: 1024, frames: frames)
      #expect(read.samples == expected)
    }

    @Test func threeSecondsAreThreeSeconds() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 132_300)
      try fixture.encode("x.m4a", "-c:a aac")
      #expect(try fixture.read("x.m4a", as: Int16.self).source.frameCount == 132_300)
    }

    @Test(arguments: [
      ("mp3.mp4", "libmp3lame", 44_100), ("opus.mp4", "libopus", 48_000),
      ("opus.mka", "libopus", 48_000),
      ("opus.webm", "libopus", 48_000), ("x.3gp", "aac", 44_100),
    ])
    func otherCodecsInContainers(name: String, codec: String, rate: Int) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: rate + 77, rate: rate)
      try fixture.encode(name, "-c:a \(codec)")
      #expect(try fixture.read(name, as: Float.self).source.frameCount == rate + 77)
    }

    /// The first packet of Vorbis has a duration and no frames; edit lists count from its start.
    @Test func vorbisInMP4LosesNoFrames() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 44_100)
      try fixture.encode("x.mp4", "-c:a libvorbis")
      let read = try fixture.read("x.mp4", as: Float.self)
      #expect(read.source.frameCount == 44_100)
      let all = Raw.float(try fixture.decode("x.mp4", as: "f32le"))
      #expect(read.samples == Array(all.prefix(2 * 44_100)))
    }

    /// Edit lists play parts of the audio, after a while perhaps; ffmpeg's movies count milliseconds.
    @Test func partsRemovedByEditListsAreLeftOut() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 44_100)
      try fixture.encode("made.m4a", "-c:a alac -movie_timescale 44100")
      let all = Signal.noise(frames: 44_100, channels: 2)
      func samples(_ ranges: Range<Int>...) -> [Int16] {
        ranges.flatMap { all[2 * $0.lowerBound..<2 * $0.upperBound] }
      }
      let file = try fixture.bytes("made.m4a")
      let cases: [(edits: [(Int, Int)], expected: [Int16])] = [
        ([(1000, 100), (2000, 5000)], samples(100..<1100, 5000..<7000)),
        ([(4410, -1), (1000, 0)], samples(0..<1000)), ([(0, 44_000)], samples(44_000..<44_100)),
        ([(1000, 0), (1000, 1000), (100_000, 30_000)], samples(0..<2000, 30_000..<44_100)),
        // Audio that is played twice or backwards is read once, forwards.
        ([(1000, 2000), (1000, 0)], all), ([(100, 90_000)], all), ([], all),
      ]
      for (edits, expected) in cases {
        try fixture.put("x.m4a", try MP4Bytes.replacingEdits(of: file, with: edits))
        #expect(try fixture.read("x.m4a", as: Int16.self).samples == expected, "\(edits)")
      }
    }

    /// iTunes' tag takes precedence over the edit list, which has less.
    @Test func gaplessTagsOfITunesAreUsed() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 40_000)
      try fixture.encode("x.m4a", "-c:a aac")
      // libavformat would apply the tag to what it decodes here.
      let expected = try decoded(fixture, "x.m4a", skipping: 1500, frames: 39_000)
      let script = """
        from mutagen.mp4 import MP4, MP4FreeForm
        file = MP4('x.m4a')
        text = ' 00000000 %08X %08X %016X' % (1500, 41 * 1024 - 1500 - 39000, 39000) + ' 00000000' * 8
        file['----:com.apple.iTunes:iTunSMPB'] = MP4FreeForm(text.encode())
        file.save()
        """
      try fixture.run("python3", "-c", script)
      let read = try fixture.read("x.m4a", as: Float.self)
      #expect(read.source.frameCount == 39_000)
      #expect(read.samples == expected)
    }

    /// Formats without any length: what ffmpeg decodes is what there is.
    @Test(arguments: [
      ("x.aac", "-c:a aac"), ("x.ac3", "-c:a ac3"), ("x.eac3", "-c:a eac3"),
      ("x.wma", "-c:a wmav2"),
      ("v1.wma", "-c:a wmav1"), ("vorbis.mka", "-c:a libvorbis"), ("x.flv", "-c:a aac"),
      ("x.ts", "-c:a aac"), ("mp3.avi", "-c:a libmp3lame"), ("x.mpg", "-c:a mp2"),
      ("x.dts", "-c:a dca -strict -2"), ("x.spx", "-ar 16000 -ac 1 -c:a libspeex"),
      ("ulaw.mov", "-c:a pcm_mulaw"), ("alaw.mov", "-c:a pcm_alaw"),
      ("ima.mov", "-c:a adpcm_ima_qt"),
      ("ac3.wav", "-c:a ac3"), ("g722.wav", "-ar 16000 -ac 1 -c:a g722"),
      ("x.ra", "-ar 8000 -ac 1 -c:a real_144 -f rm"),
    ])
    func lossyFormatsDecodeLikeFFmpeg(name: String, options: String) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 30_000)
      try fixture.encode(name, options)
      let read = try fixture.read(name, as: Float.self)
      let expected = Raw.float(try fixture.decode(name, as: "f32le"))
      #expect(read.samples == expected)
      #expect(read.source.sampleFormat == nil)
      #expect(!read.source.format.isLossless || name.hasSuffix("wav"))
      #expect(read.source.warnings.isEmpty)
    }

    @Test func bitRatesAreReported() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 100_000)
      for name in ["x.m4a", "x.aac", "x.mka"] {
        try fixture.encode(name, "-c:a aac -b:a 128k")
        let rate = try #require(try fixture.read(name, as: Int16.self).source.bitRate)
        #expect(abs(rate - 128_000) < 13_000, "\(name): \(rate)")
      }
    }

    @Test func musepackIsRead() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 50_000)
      try fixture.run("mpcenc", "--silent", "--overwrite", "x.wav", "x.mpc")
      let read = try fixture.read("x.mpc", as: Float.self)
      #expect(read.source.format.id == "mpc")
      #expect(read.samples == Raw.float(try fixture.decode("x.mpc", as: "f32le")))
    }

    // MARK: AMR

    @Test func speechOfPhonesIsRead() throws {
      let fixture = try AudioFixture()
      try fixture.put("x.amr", AMR.file((0..<64).map { $0 % 8 }))
      let narrow = try fixture.read("x.amr", as: Float.self)
      #expect(narrow.source.format.id == "amr")
      #expect(narrow.source.spec == AudioSpec(sampleRate: 8000, layout: .mono))
      #expect(narrow.source.frameCount == 64 * 160)
      #expect(narrow.samples == Raw.float(try fixture.decode("x.amr", as: "f32le")))
      try fixture.put("x.awb", AMR.file((0..<63).map { $0 % 9 }, isWide: true))
      let wide = try fixture.read("x.awb", as: Float.self)
      #expect(wide.source.spec == AudioSpec(sampleRate: 16000, layout: .mono))
      #expect(wide.source.frameCount == 63 * 320)
      try fixture.put("seven.amr", AMR.file(Array(repeating: 7, count: 50)))
      try fixture.run("ffmpeg", "-v", "error", "-i", "seven.amr", "-c", "copy", "x.3gp")
      let phone = try fixture.read("x.3gp", as: Float.self)
      #expect(phone.source.format.id == "3gp")
      #expect(phone.source.frameCount == 50 * 160)
    }

    /// Pauses that the encoder leaves out keep their length.
    @Test func pausesInSpeechKeepTheirLength() throws {
      let fixture = try AudioFixture()
      let types = [15, 7, 7, 8, 15, 15, 8, 7, 7, 15]
      try fixture.put("x.amr", AMR.file(types))
      let read = try fixture.read("x.amr", as: Float.self)
      #expect(read.source.frameCount == types.count * 160)
      #expect(read.source.warnings.count == 1)
      for (index, type) in types.enumerated() {
        let part = read.samples[index * 160..<(index + 1) * 160]
        #expect(part.allSatisfy { $0 == 0 } == (type >= 8), "frame \(index)")
      }
    }

    // MARK: Tags around

    @Test func tagsAfterAnMP4AreIgnored() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 5000)
      try fixture.encode("x.m4a", "-c:a alac")
      let tag = Array("TAG".utf8) + [UInt8](repeating: 0x41, count: 125)
      try fixture.put("x.m4a", try fixture.bytes("x.m4a") + tag)
      let samples = try fixture.read("x.m4a", as: Int16.self).samples
      #expect(samples == Signal.noise(frames: 5000, channels: 2))
    }

    /// A few frames are enough to be known by.
    @Test(arguments: ["x.ac3", "x.eac3", "x.aac"])
    func shortStreamsAreRecognized(name: String) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 3000)
      try fixture.encode(name, [])
      let expected = Raw.float(try fixture.decode(name, as: "f32le"))
      #expect(try fixture.read(name, as: Float.self).samples == expected)
    }

    @Test(arguments: ["x.aac", "x.ac3", "x.eac3", "x.tta", "x.wv"])
    func tagsAfterTheAudioAreNotAudio(name: String) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 20_000)
      try fixture.encode(name, [])
      let plain = try fixture.read(name, as: Float.self).samples
      let bytes = try fixture.bytes(name)
      let id3 = Array("TAG".utf8) + [UInt8](repeating: 0x41, count: 125)
      let item: [UInt8] = [5, 0, 0, 0, 0, 0, 0, 0] + Array("Title\0Hello".utf8)
      func block(_ flags: UInt8) -> [UInt8] {
        Array("APETAGEX".utf8) + Wave.le(2000, 4) + Wave.le(item.count + 32, 4) + Wave.le(1, 4)
          + [0, 0, 0, flags] + [UInt8](repeating: 0, count: 8)
      }
      let ape = block(0xA0) + item + block(0x80)
      for tail in [id3, ape, ape + id3] {
        try fixture.put("tagged", bytes + tail)
        #expect(try fixture.read("tagged", as: Float.self).samples == plain)
      }
      let front: [UInt8] =
        Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 0] + [UInt8](repeating: 0, count: 128)
      if name == "x.aac" || name == "x.tta" {
        try fixture.put("tagged", front + bytes)
        #expect(try fixture.read("tagged", as: Float.self).samples == plain)
      }
    }
  }
#endif

import AudioModel
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import AudioContainers
@testable import AudioFiles
@testable import AudioIO
@testable import VorbisFiles

@Suite("Reading Ogg Vorbis")
struct VorbisReadingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  static func encode(
    _ fixture: Fixture, _ options: [String] = [], in folder: TemporaryFolder, as name: String = "in"
  ) throws -> FilePath {
    let wav = folder.file("\(name).wav")
    let ogg = folder.file("\(name).ogg")
    try fixture.writeWAV(to: wav)
    let tool = try Tool.run(
      "oggenc", ["-Q", "-s", "\(name.utf8.count)"] + options + ["-o", ogg.string, wav.string])
    #expect(tool.status == 0, "\(tool.errorText)")
    return ogg
  }

  /// The samples that `oggdec` decodes, in the order of the stream.
  static func oggdec(_ path: FilePath, in folder: TemporaryFolder) throws -> [Int16] {
    let raw = folder.file("oggdec.raw")
    let tool = try Tool.run(
      "oggdec", ["-Q", "-R", "-b", "16", "-e", "0", "-s", "1", "-o", raw.string, path.string])
    #expect(tool.status == 0, "\(tool.errorText)")
    return Raw.int16(try Files.read(raw))
  }

  @Test(arguments: [1, 2], [1, 2, 63, 1000, 30_011])
  func samplesEqualThoseOfOggdec(channels: Int, frames: Int) throws {
    let path = try Self.encode(Fixture.music(frames: frames, channels: channels), in: folder)
    let decoded = try Decoded(path)
    #expect(decoded.frames == frames)
    #expect(decoded.source.frameCount == frames)
    #expect(difference(decoded.samples, try Self.oggdec(path, in: folder)) == nil)
    #expect(decoded.source.sampleFormat == nil)
    #expect(decoded.source.codec == "Vorbis")
    #expect(decoded.source.warnings.isEmpty)
  }

  @Test func samplesAboveFullScaleAreClampedAndCounted() throws {
    let path = try Self.encode(Fixture.noise(frames: 20_000, channels: 1), ["-q", "0"], in: folder)
    let decoded = try Decoded(path)
    #expect(difference(decoded.samples, try Self.oggdec(path, in: folder)) == nil)
    // ffmpeg decodes to float, which shows how many samples exceeded full scale.
    let tool = try Tool.run(
      "ffmpeg", ["-v", "error", "-i", path.string, "-f", "f32le", "-c:a", "pcm_f32le", "-"])
    let floats = tool.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    // It does not always trim the end.
    #expect(floats.count >= 20_000)
    let beyond = floats.prefix(20_000).count { $0 * 32768 > 32767.5 || $0 * 32768 < -32768.5 }
    #expect(beyond > 100)
    // Two decoders differ in the last bits of a float.
    #expect(abs(decoded.clippedSamples - beyond) <= 2)
  }

  @Test func everyChannelCountHasItsSpeakers() {
    // Vorbis I specification, section 4.3.9, transcribed.
    let names = (1...8).map { count in
      (VorbisLayout.layout(channelCount: count).speakers ?? []).map(\.abbreviation)
        .joined(separator: " ")
    }
    #expect(
      names == [
        "FC", "FL FR", "FL FC FR", "FL FR BL BR", "FL FC FR BL BR", "FL FC FR BL BR LFE",
        "FL FC FR SL SR BC LFE", "FL FC FR SL SR BL BR LFE",
      ])
    #expect(VorbisLayout.layout(channelCount: 9) == .unspecified(9))
  }

  @Test(arguments: ["5.1", "7.1", "quad", "3.0", "5.0", "6.1"])
  func layoutsAgreeWithFFmpeg(layout: String) throws {
    let masks: [String: (UInt32, Int)] = [
      "5.1": (0x3F, 6), "7.1": (0x63F, 8), "quad": (0x33, 4), "3.0": (0x7, 3), "5.0": (0x37, 5),
      "6.1": (0x70F, 7),
    ]
    let (mask, channels) = try #require(masks[layout])
    let speakers = try #require(ChannelLayout(mask: mask, channelCount: channels)?.speakers)
    // Every speaker has its own level of a low tone, which the LFE channel keeps too.
    var fixture = Fixture(channels: channels, mask: mask, samples: [])
    for frame in 0..<44_100 {
      let tone = sin(2 * Double.pi * 50 * Double(frame) / 44_100)
      for speaker in speakers { fixture.samples.append(Int32(tone * Self.level(speaker))) }
    }
    try fixture.writeWAV(to: folder.file("in.wav"))
    let tool = try Tool.run(
      "ffmpeg",
      ["-v", "error", "-i", "in.wav", "-c:a", "libvorbis", "-q:a", "8", "out.ogg"],
      in: folder.path)
    try #require(tool.status == 0, "\(tool.errorText)")
    let decoded = try Decoded(folder.file("out.ogg"))
    let found = try #require(decoded.source.spec.layout.speakers)
    #expect(Set(found) == Set(speakers))
    for (channel, speaker) in found.enumerated() {
      let level = Self.measuredLevel(decoded.samples, channel: channel, of: channels)
      #expect(abs(level / Self.level(speaker) - 1) < 0.22, "\(speaker): \(level)")
    }
  }

  /// The amplitude of a channel's tone, by its power in the middle half.
  static func measuredLevel(_ samples: [Int16], channel: Int, of channels: Int) -> Double {
    let frames = samples.count / channels
    let middle = (frames / 4..<3 * frames / 4).map { Double(samples[$0 * channels + channel]) }
    return (2 * middle.reduce(0) { $0 + $1 * $1 } / Double(middle.count)).squareRoot()
  }

  /// Far enough apart for libvorbis, which plays the LFE channel of 5.1 a fifth too loud.
  static func level(_ speaker: Speaker) -> Double { 400 * pow(1.5, Double(speaker.rawValue)) }

  @Test func commentsAndPicturesAreVerbatim() throws {
    let picture = Metadata.Picture(
      type: 3, mimeType: "image/png", description: "Ünder", width: 1, height: 2, depth: 24,
      colors: 4, data: [1, 2, 3, 0xFF, 0])
    // Laid out by hand: RFC 9639 section 8.8.
    var block: [UInt8] = [0, 0, 0, 3, 0, 0, 0, 9] + Array("image/png".utf8)
    block += [0, 0, 0, 6] + Array("Ünder".utf8)
    block += [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 24, 0, 0, 0, 4, 0, 0, 0, 5, 1, 2, 3, 0xFF, 0]
    let base64 = Data(block).base64EncodedString()
    let path = try Self.encode(
      Fixture.music(frames: 500, channels: 1),
      [
        "-c", "ARTIST=Zoë", "-c", "Artist=日本 🎵", "-c", "metadata_block_picture=\(base64)", "-c",
        "METADATA_BLOCK_PICTURE=\(base64.dropLast(8))", "-c", "METADATA_BLOCK_PICTURE=@@@", "-c",
        "x=a=b", "-c", "COVERART=AAAA",
      ], in: folder)
    let source = try Decoded(path).source
    #expect(source.metadata.pictures == [picture])
    #expect(
      source.metadata.comments.map { "\($0.name)=\($0.value)" } == [
        "ARTIST=Zoë", "Artist=日本 🎵", "METADATA_BLOCK_PICTURE=\(base64.dropLast(8))",
        "METADATA_BLOCK_PICTURE=@@@", "x=a=b", "COVERART=AAAA",
      ])
    #expect(PictureBlock.base64(of: picture) == base64)
    for end in 0..<block.count {
      let cut = Data(block.prefix(end)).base64EncodedString()
      #expect(PictureBlock.picture(base64: cut) == nil, "\(end) bytes")
    }
    var hostile = block
    for index in 4..<8 { hostile[index] = 0xFF }
    #expect(PictureBlock.picture(base64: Data(hostile).base64EncodedString()) == nil)
  }

  @Test func theBitRateIsTheNominalRate() throws {
    let path = try Self.encode(
      Fixture.music(frames: 44_100, channels: 2), ["-b", "96"], in: folder)
    #expect(try Decoded(path).source.bitRate == 96_000)
  }

  @Test func chainedStreamsAreJoined() throws {
    let first = try Self.encode(
      Fixture.music(frames: 20_000, channels: 2), ["-c", "T=1"], in: folder, as: "a")
    let second = try Self.encode(
      Fixture.noise(frames: 9001, channels: 2), ["-c", "T=2"], in: folder, as: "bb")
    let path = folder.file("chained.ogg")
    try Files.write(Files.read(first) + Files.read(second), to: path)
    let decoded = try Decoded(path)
    let parts = try Decoded(first).samples + Decoded(second).samples
    #expect(decoded.source.frameCount == 29_001)
    #expect(difference(decoded.samples, parts) == nil)
    #expect(decoded.source.metadata.comments == [Metadata.Comment(name: "T", value: "1")])
    #expect(
      decoded.source.warnings.map(\.text) == [
        "2 chained streams are joined; the tags are those of the first"
      ])
    // The first stream cut, the second whole.
    let pages = OggBytes.pages(try Files.read(first))
    try Files.write(
      Files.read(first).prefix(try #require(pages.last).offset + 40) + Files.read(second), to: path)
    guard case .truncated = readingError(path) else {
      Issue.record("a cut stream in the middle went unnoticed")
      return
    }
  }

  @Test func chainedStreamsOfOtherKindsAreNamed() throws {
    let first = try Self.encode(Fixture.music(frames: 5000, channels: 2), in: folder, as: "a")
    let mono = try Self.encode(Fixture.music(frames: 5000, channels: 1), in: folder, as: "bb")
    let slow = try Self.encode(
      Fixture.music(frames: 5000, channels: 2, rate: 22_050), in: folder, as: "ccc")
    let path = folder.file("chained.ogg")
    try Files.write(Files.read(first) + Files.read(mono), to: path)
    #expect(
      readingError(path)
        == .unsupported(
          path, reason: "the channel count changes from 2 to 1 in chained stream 2"))
    try Files.write(Files.read(first) + Files.read(slow), to: path)
    #expect(
      readingError(path)
        == .unsupported(
          path, reason: "the sample rate changes from 44100 to 22050 Hz in chained stream 2"))
  }

  @Test func cutPointsAreHonored() throws {
    let path = try Self.encode(Fixture.music(frames: 100_000, channels: 2), in: folder)
    let (head, tail) = (folder.file("head.ogg"), folder.file("tail.ogg"))
    let tool = try Tool.run("vcut", [path.string, head.string, tail.string, "41234"])
    try #require(tool.status == 0, "\(tool.errorText)")
    let whole = try Decoded(path).samples
    let first = try Decoded(head)
    #expect(difference(first.samples, try Self.oggdec(head, in: folder)) == nil)
    #expect(difference(first.samples, whole.prefix(2 * 41_234)) == nil)
    let second = try Decoded(tail)
    #expect(difference(second.samples, try Self.oggdec(tail, in: folder)) == nil)
    #expect(second.frames == 100_000 - 41_234)
  }

  @Test func granulePositionsMayBeginAnywhere() throws {
    let path = try Self.encode(Fixture.music(frames: 50_000, channels: 1), in: folder)
    var bytes = try Files.read(path)
    for page in OggBytes.pages(bytes).dropFirst() {
      let position = page.offset + 6
      let value = bytes[position..<position + 8].reversed().reduce(UInt64(0)) {
        $0 << 8 | UInt64($1)
      }
      if value == 0 || value == .max { continue }
      for index in 0..<8 {
        bytes[position + index] = UInt8(truncatingIfNeeded: (value + 1_000_000) >> (8 * index))
      }
      OggBytes.seal(&bytes, pageAt: page.offset)
    }
    let expected = try Decoded(path).samples
    try Files.write(bytes, to: path)
    let decoded = try Decoded(path)
    #expect(difference(decoded.samples, expected) == nil)
    #expect(difference(decoded.samples, try Self.oggdec(path, in: folder)) == nil)
    let salvaged = try Decoded(path, salvaging: true)
    #expect(difference(salvaged.samples, expected) == nil)
    #expect(salvaged.source.warnings.isEmpty)
  }

  @Test func otherStreamsInTheFileAreHarmless() throws {
    let path = try Self.encode(Fixture.music(frames: 44_100, channels: 2), in: folder)
    let tool = try Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc=d=1:s=64x48", "-i", "in.ogg", "-c:v",
        "libtheora", "-c:a", "copy", "out.ogg",
      ], in: folder.path)
    try #require(tool.status == 0, "\(tool.errorText)")
    let expected = try Decoded(path).samples
    let video = folder.file("out.ogg")
    let input = try InputFile(path: video)
    let row = try #require(AudioFormat.named("ogg"))
    let reader = try VorbisReader(input, format: row, ReadingOptions())
    #expect(reader.source.frameCount == 44_100)
    var samples = [Int16](repeating: 0, count: expected.count)
    var done = 0
    while done < samples.count {
      var buffer = [Int16](repeating: 0, count: 4096)
      var span = buffer.mutableSpan
      let frames = try reader.read(into: &span)
      try #require(frames > 0)
      samples.replaceSubrange(done..<done + frames * 2, with: buffer.prefix(frames * 2))
      done += frames * 2
    }
    #expect(difference(samples, expected) == nil)
  }

  /// As in files of Adobe Audition, whose first pages count from 1.
  @Test func latePositionsHideNoAudio() throws {
    let path = try Self.encode(Fixture.music(frames: 30_011, channels: 2), in: folder)
    let expected = try Self.oggdec(path, in: folder)
    var bytes = try Files.read(path)
    // The first audio page follows those of the three headers.
    let page = try #require(
      OggBytes.pages(bytes).first { bytes[($0.offset + 6)..<($0.offset + 14)].contains { $0 != 0 } }
    )
    try #require(page.offset != OggBytes.pages(bytes).last?.offset)
    bytes[page.offset + 6] += 1
    OggBytes.seal(&bytes, pageAt: page.offset)
    try Files.write(bytes, to: path)
    let decoded = try Decoded(path)
    #expect(decoded.source.frameCount == 30_011)
    #expect(difference(decoded.samples, expected) == nil)
    // For listening, too.
    let reader = try AudioFile.reader(
      for: InputFile(path: path), salvaging: false, estimates: .ofAnyPass)
    #expect(reader.source.frameCount == 30_011)
    var samples = [Int16](repeating: 0, count: 40_000 * 2)
    var span = samples.mutableSpan
    #expect(try reader.read(into: &span) == 30_011)
    #expect(difference(samples.prefix(30_011 * 2), expected) == nil)
  }
}

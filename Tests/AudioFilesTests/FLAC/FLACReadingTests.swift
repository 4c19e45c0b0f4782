import AudioModel
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import AudioIO
@testable import FLACFiles

@Suite("Reading FLAC")
struct FLACReadingTests {
  /// A sample of `bits` bits as 16 bits, worked out in exact arithmetic: nearest, ties to even, clamped.
  static func asInt16(_ value: Int32, bits: Int) -> Int16 {
    if bits <= 16 { return Int16(value << Int32(16 - bits)) }
    let divisor = Int64(1) << Int64(bits - 16)
    var (quotient, rest) = Int64(value).quotientAndRemainder(dividingBy: divisor)
    if rest < 0 {
      quotient -= 1
      rest += divisor
    }
    if rest * 2 > divisor || (rest * 2 == divisor && quotient % 2 != 0) { quotient += 1 }
    return Int16(clamping: quotient)
  }

  static func encode(
    _ fixture: Fixture, _ options: [String], in folder: TemporaryFolder, ogg: Bool = false
  ) throws -> FilePath {
    let wav = folder.file("in.wav")
    let flac = folder.file(ogg ? "in.oga" : "in.flac")
    try fixture.writeWAV(to: wav)
    let tool = try Tool.run(
      "flac", ["-sf"] + (ogg ? ["--ogg"] : []) + options + ["-o", flac.string, wav.string])
    #expect(tool.status == 0, "\(tool.errorText)")
    return flac
  }

  @Test(arguments: [
    (8, 1, ["-b", "1000"]), (16, 1, ["-b", "16", "--lax"]), (16, 2, ["-8"]),
    (16, 3, ["-0"]), (24, 2, ["-b", "4099", "--lax"]), (16, 4, []),
    (16, 5, ["-b", "65535", "--lax"]),
    (24, 6, []), (16, 7, ["-b", "17", "--lax"]), (16, 8, []),
  ])
  func everySampleIsExact(bits: Int, channels: Int, options: [String]) throws {
    let folder = try TemporaryFolder()
    var fixture = Fixture.music(frames: 5003, channels: channels, bits: bits)
    let highest = Int32(1) << Int32(bits - 1)
    fixture.samples.replaceSubrange(
      0..<2 * channels, with: (0..<2 * channels).map { $0 % 2 == 0 ? highest - 1 : -highest })
    if channels > 2 || bits > 16 {
      fixture.mask = FLACLayout.standard(channelCount: channels).mask
    }
    let expected = fixture.samples.map { Self.asInt16($0, bits: bits) }
    for ogg in [false, true] {
      let path = try Self.encode(fixture, options, in: folder, ogg: ogg)
      let decoded = try Decoded(path)
      #expect(difference(decoded.samples, expected) == nil)
      #expect(decoded.source.frameCount == 5003)
      #expect(decoded.source.spec.sampleRate == 44100)
      #expect(decoded.source.spec.layout == FLACLayout.standard(channelCount: channels))
      #expect(decoded.source.sampleFormat?.bitDepth == bits)
      #expect(decoded.source.warnings.map(\.text) == [])
    }
  }

  @Test func thirtyTwoBitsAreRounded() throws {
    let folder = try TemporaryFolder()
    var fixture = Fixture.music(frames: 3000, channels: 2, bits: 32)
    fixture.samples.replaceSubrange(0..<4, with: [.max, .min, 0x0001_8000, 0x0002_8000])
    try Files.write(fixture.raw, to: folder.file("in.raw"))
    // flac 1.4.2 takes 32 bits; ffmpeg 5.1 does not.
    let path = folder.file("in.flac")
    let tool = try Tool.run(
      "flac",
      [
        "-sf", "--force-raw-format", "--endian=little", "--sign=signed", "--channels=2", "--bps=32",
        "--sample-rate=192000", "-o", path.string, folder.file("in.raw").string,
      ])
    try #require(tool.status == 0, "\(tool.errorText)")
    let decoded = try Decoded(path)
    #expect(difference(decoded.samples, fixture.samples.map { Self.asInt16($0, bits: 32) }) == nil)
    #expect(decoded.samples.prefix(4) == [32767, -32768, 2, 2])
    #expect(decoded.source.sampleFormat == .int32)
  }

  @Test func streamsOfOtherProgramsAreExact() throws {
    let folder = try TemporaryFolder()
    var fixture = Fixture.music(frames: 20_011, channels: 6)
    fixture.mask = 0x707
    try fixture.writeWAV(to: folder.file("in.wav"))
    // Into Ogg, ffmpeg 5.1 writes no mask.
    for (name, layout) in [("x.flac", "6.0"), ("x.oga", "5.1")] {
      let tool = try Tool.run(
        "ffmpeg",
        ["-v", "error", "-i", "in.wav", "-c:a", "flac", "-frame_size", "1111", name],
        in: folder.path)
      try #require(tool.status == 0, "\(tool.errorText)")
      let decoded = try Decoded(folder.file(name))
      #expect(difference(decoded.samples, fixture.samples.map { Int16($0) }) == nil)
      #expect(decoded.source.spec.layout.description == layout)
    }
  }

  @Test(arguments: [
    ("0x60f", "5.1(side)", false), ("0x0000060F", "5.1(side)", false), ("0x3F", "5.1", false),
    ("0x0", "6 channels", false), ("0X0000", "6 channels", false), ("0x3", "5.1", true),
    ("63", "5.1", true), ("0xFFFFFFFF", "5.1", true), ("0x8000000000000003F", "5.1", true),
    ("", "5.1", true), ("0x707", "6.0", false), ("0x80000037", "5.1", true),
  ])
  func theMaskCommentGivesTheLayout(value: String, layout: String, isRefused: Bool) throws {
    let folder = try TemporaryFolder()
    var fixture = Fixture.music(frames: 100, channels: 6)
    fixture.mask = 0x3F
    let path = try Self.encode(fixture, [], in: folder)
    let tool = try Tool.run(
      "metaflac",
      [
        "--remove-all-tags", "--set-tag=waveformatextensible_channel_mask=\(value)",
        "--set-tag=TITLE=t", path.string,
      ])
    #expect(tool.status == 0, "\(tool.errorText)")
    let decoded = try Decoded(path)
    #expect(decoded.source.spec.layout.description == layout)
    #expect(decoded.source.metadata.comments.map(\.name) == ["TITLE"])
    #expect(decoded.source.warnings.isEmpty != isRefused)
  }

  @Test func everyChannelCountHasItsSpeakers() {
    // RFC 9639, table 5, transcribed.
    let names = (1...8).map { count in
      (FLACLayout.standard(channelCount: count).speakers ?? []).map(\.abbreviation)
        .joined(separator: " ")
    }
    #expect(
      names == [
        "FC", "FL FR", "FL FR FC", "FL FR BL BR", "FL FR FC BL BR", "FL FR FC LFE BL BR",
        "FL FR FC LFE BC SL SR", "FL FR FC LFE BL BR SL SR",
      ])
  }

  @Test func commentsAndPicturesAreVerbatim() throws {
    let folder = try TemporaryFolder()
    let picture = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    try Files.write(picture, to: folder.file("picture.bin"))
    let cue = "FILE \"in.wav\" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n"
    try Files.write(Array(cue.utf8), to: folder.file("in.cue"))
    let path = try Self.encode(
      Fixture.music(frames: 44100, channels: 1),
      [
        "-T", "Artist=Zoë", "-T", "ARTIST=日本 🎵", "-T", "artist=e\u{301}",
        "-T", "x=a=b=c", "-T", "LINES=one\ntwo",
        "--picture=4|image/x-test|Ünder|640x480x24/7|\(folder.file("picture.bin"))",
        "--picture=3|-->||1x2x3|http://example.org/cover.jpg",
        "--cuesheet=\(folder.file("in.cue"))",
      ], in: folder)
    #expect(try Tool.run("metaflac", ["--set-tag=EMPTY=", path.string]).status == 0)
    let source = try Decoded(path).source
    #expect(
      source.metadata.comments.map { "\($0.name)=\($0.value)" } == [
        "Artist=Zoë", "ARTIST=日本 🎵", "artist=e\u{301}", "x=a=b=c", "LINES=one\ntwo",
        "EMPTY=",
      ])
    #expect(Array(source.metadata.comments[2].value.utf8) == [0x65, 0xCC, 0x81])
    try #require(source.metadata.pictures.count == 2)
    #expect(
      source.metadata.pictures[0]
        == Metadata.Picture(
          type: 4, mimeType: "image/x-test", description: "Ünder", width: 640, height: 480,
          depth: 24, colors: 7, data: picture))
    #expect(source.metadata.pictures[1].mimeType == "-->")
    #expect(source.metadata.pictures[1].data == Array("http://example.org/cover.jpg".utf8))
    #expect(source.metadata.cueSheet?.tracks.isEmpty == false)
    #expect(source.notCarried.isEmpty)
  }

  @Test func malformedCommentsAreDroppedWithAWarning() throws {
    let folder = try TemporaryFolder()
    let path = try Self.encode(
      Fixture.music(frames: 100, channels: 1), ["-T", "A=good", "-T", "B=XXXX", "-T", "CCC=1"],
      in: folder)
    var bytes = try Files.read(path)
    let bad = try #require(find("B=XXXX", in: bytes))
    bytes[bad + 3] = 0xFF
    let nameless = try #require(find("CCC=1", in: bytes))
    bytes[nameless + 3] = 0x43
    try Files.write(bytes, to: path)
    let source = try Decoded(path).source
    // A value that is not in UTF-8 is decoded from Windows-1252.
    #expect(
      source.metadata.comments == [
        Metadata.Comment(name: "A", value: "good"), Metadata.Comment(name: "B", value: "XÿXX"),
      ])
    #expect(
      source.warnings.map(\.text) == ["comments dropped because they are not NAME=value: 1"])
  }

  @Test(arguments: [false, true])
  func aStreamOfUnknownLengthIsCounted(ogg: Bool) throws {
    let folder = try TemporaryFolder()
    let fixture = Fixture.music(frames: 50_000, channels: 2)
    let path = try Self.encode(fixture, ["--no-padding"], in: folder, ogg: ogg)
    var bytes = try Files.read(path)
    try FLACBytes.forgetLengthAndSignature(&bytes, ogg: ogg)
    try Files.write(bytes, to: path)
    let decoded = try Decoded(path)
    #expect(decoded.source.frameCount == 50_000)
    #expect(difference(decoded.samples, fixture.samples.map { Int16($0) }) == nil)
    // Cut within the last frame (in Ogg: within the last page).
    try Files.write(bytes.dropLast(5), to: path)
    guard case .truncated(_, expected: nil, found: let found) = readingError(path) else {
      Issue.record("a cut stream was taken: \(String(describing: readingError(path)))")
      return
    }
    #expect(try #require(found) < 50_000)
    try Files.write(bytes + [UInt8](repeating: 0, count: 900), to: path)
    #expect(readingError(path) != nil || ogg)
  }

  @Test func tagsOfOtherFormatsAroundTheStreamAreHarmless() throws {
    let folder = try TemporaryFolder()
    let fixture = Fixture.music(frames: 9000, channels: 2)
    let path = try Self.encode(fixture, [], in: folder)
    let bytes = try Files.read(path)
    let id3v2 = Array("ID3".utf8) + [4, 0, 0, 0, 0, 2, 0] + [UInt8](repeating: 0, count: 256)
    let id3v1 = Array("TAG".utf8) + [UInt8](repeating: 0x41, count: 125)
    var unknown = bytes
    try FLACBytes.forgetLengthAndSignature(&unknown, ogg: false)
    for file in [
      id3v2 + bytes, bytes + id3v1, id3v2 + bytes + id3v1, id3v2 + unknown + id3v1,
      bytes + [UInt8](repeating: 0xFF, count: 70_000),
    ] {
      try Files.write(file, to: path)
      #expect(try difference(Decoded(path).samples, fixture.samples.map { Int16($0) }) == nil)
    }
  }

  private func find(_ text: String, in bytes: [UInt8]) -> Int? {
    let wanted = Array(text.utf8)
    return bytes.indices.first { bytes[$0...].starts(with: wanted) }
  }
}

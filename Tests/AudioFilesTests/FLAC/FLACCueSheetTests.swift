import AudioModel
import Foundation
import TestSupport
import Testing

@testable import AudioFiles
@testable import AudioIO

@Suite("FLAC cue sheets and chapters")
struct FLACCueSheetTests {
  private let fixture: AudioFixture
  private let samples = Signal.noise(frames: 588 * 300, channels: 2)

  init() throws { fixture = try AudioFixture() }

  private static let cue = """
    CATALOG 1234567890123
    FILE "a.wav" WAVE
      TRACK 01 AUDIO
        ISRC ABCDE1234567
        FLAGS PRE
        INDEX 01 00:00:00
      TRACK 02 AUDIO
        INDEX 00 00:01:00
        INDEX 01 00:02:10

    """

  /// A file that `metaflac` gave a cue sheet.
  private func makeWithMetaflac() throws {
    try fixture.write("a.flac", samples, as: "flac", layout: .stereo, rate: 44100)
    try fixture.put("a.cue", Array(Self.cue.utf8))
    try fixture.run("metaflac", "--import-cuesheet-from=a.cue", "a.flac")
  }

  @Test func readsSheetsMadeByMetaflac() throws {
    try makeWithMetaflac()
    let source = try fixture.read("a.flac").source
    let sheet = try #require(source.metadata.cueSheet)
    #expect(source.warnings.isEmpty)
    #expect(sheet.catalogNumber == "1234567890123")
    #expect(sheet.isCD)
    #expect(sheet.leadIn == 88200)
    #expect(sheet.tracks.map(\.number) == [1, 2, 170])
    #expect(sheet.tracks[0].isrc == "ABCDE1234567")
    #expect(sheet.tracks[0].hasPreEmphasis)
    #expect(sheet.tracks[2].offset == 588 * 300)
    let moments = sheet.tracks[1].indices.map { sheet.tracks[1].offset + $0.offset }
    #expect(moments == [44100, 588 * 160])
  }

  /// The source's sheet at a factor, as metaflac exports and lists it.
  private func written(factor: Double, _ format: String = "flac") throws -> (
    cue: String, list: String
  ) {
    try makeWithMetaflac()
    let frames = samples.count / 2
    let length = Int(Double(frames) * factor)
    let metadata = try fixture.read("a.flac").source.metadata.scaled(
      by: factor, from: frames, to: length, sampleRate: 44100)
    try fixture.write(
      "b.\(format)", Signal.noise(frames: length, channels: 2), as: format, layout: .stereo,
      rate: 44100, metadata: metadata)
    guard format == "flac" else { return ("", "") }
    try fixture.run("flac", "-t", "-s", "b.flac")
    return (
      try fixture.run("metaflac", "--export-cuesheet-to=-", "b.flac").outputText,
      try fixture.run("metaflac", "--list", "--block-type=CUESHEET", "b.flac").outputText
    )
  }

  @Test func staysADiscWhenAllPointsAreOnCDFrames() throws {
    let (cue, list) = try written(factor: 2)
    #expect(cue.contains("CATALOG 1234567890123"))
    #expect(cue.contains("INDEX 00 00:02:00"))
    #expect(cue.contains("INDEX 01 00:04:20"))
    #expect(cue.contains("ISRC ABCDE1234567"))
    #expect(list.contains("is CD: true"))
    #expect(list.contains("number: 170"))
    #expect(list.contains("offset: \(588 * 600)"))
  }

  @Test func isNoLongerADiscOtherwise() throws {
    let (_, list) = try written(factor: 0.77)
    #expect(list.contains("is CD: false"))
    #expect(list.contains("number: 255"))
    #expect(list.contains("offset: \(Int(588 * 300 * 0.77))"))
    // Track 2 begins at 44,100 * 0.77 = 33,957; its index 1 at 94,080 * 0.77 = 72,441.6.
    #expect(list.contains("offset: 33957"))
    #expect(list.contains("offset: \(72442 - 33957)"))
  }

  /// A disc has 44,100 Hz, even if every position is a multiple of its frames.
  @Test func isNotADiscAtAnotherRate() throws {
    try makeWithMetaflac()
    let metadata = try fixture.read("a.flac").source.metadata
    try fixture.write(
      "b.flac", samples, as: "flac", layout: .stereo, rate: 48000, metadata: metadata)
    let list = try fixture.run("metaflac", "--list", "--block-type=CUESHEET", "b.flac").outputText
    #expect(list.contains("is CD: false"))
    #expect(list.contains("lead-in: 0"))
    #expect(list.contains("number: 255"))
    #expect(list.contains("offset: \(588 * 300)"))
  }

  @Test func oggFLACHoldsCueSheets() throws {
    _ = try written(factor: 2, "oga")
    let source = try fixture.read("b.oga").source
    #expect(source.metadata.cueSheet?.tracks.map(\.offset) == [0, 88200, 588 * 600])
  }

  @Test func sheetsRefusedByLibFLACAreLeftOut() throws {
    var metadata = Metadata()
    metadata.cueSheet = .init(isCD: false, tracks: [])
    let output = try OutputFile(path: fixture.path("c.flac"))
    let writer = try AudioFile.writer(
      to: output,
      as: OutputDescription(
        spec: AudioSpec(sampleRate: 44100, layout: .stereo), frameCount: 100,
        format: try #require(.named("flac")), options: EncodingOptions(), metadata: metadata,
        sourceBitRate: nil))
    #expect(writer.notCarried.contains { $0.text.contains("the cue sheet") })
  }

  /// Chapters as another program writes them: read, and read by ffprobe when written.
  @Test(arguments: ["flac", "ogg"])
  func chapterComments(format: String) throws {
    try fixture.write("a.\(format)", samples, as: format, layout: .stereo, rate: 44100)
    let tags = "CHAPTER001=00:00:01.500\nCHAPTER001NAME=One é\nCHAPTER002=00:00:03.000\nTITLE=x\n"
    try fixture.put("tags.txt", Array(tags.utf8))
    if format == "flac" {
      try fixture.run("metaflac", "--import-tags-from=tags.txt", "a.flac")
    } else {
      try fixture.run("vorbiscomment", "-w", "-R", "-c", "tags.txt", "a.ogg")
    }
    let metadata = try fixture.read("a.\(format)").source.metadata
    #expect(metadata.chapters.map(\.start) == [66150, 132_300])
    #expect(metadata.chapters.map(\.title) == ["One é", ""])
    #expect(metadata.values("TITLE") == ["x"])
    #expect(metadata.values("CHAPTER001").isEmpty)
  }
}

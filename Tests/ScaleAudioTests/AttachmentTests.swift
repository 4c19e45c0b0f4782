import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Attachments of a file, by settings.
@Suite("Attachments of conversions")
struct AttachmentTests {
  private let bench: Workbench

  /// A FLAC file with a title, ReplayGain, an old encoder and a picture.
  init() throws {
    bench = try Workbench(["in.wav": Sound.wav])
    try bench.shell("ffmpeg -v error -f lavfi -i color=s=8x8:d=1 -frames:v 1 c.png")
    try bench.run(
      "flac", "-s", "--tag=TITLE=song", "--tag=REPLAYGAIN_TRACK_GAIN=-3 dB", "--tag=ENCODER=old",
      "--picture=c.png", "in.wav")
  }

  private func pictureCount(_ name: String) throws -> Int {
    try bench.run("metaflac", "--list", "--block-type=PICTURE", name).outputText
      .split(separator: "\n").count { $0.hasPrefix("METADATA block") }
  }

  private static let provenance = "ENCODER=scaleaudio 0.1.0 factor=1.5 method=smoothstep\n"

  @Test func onlyTheEncoderTagRecordsTheConversion() throws {
    let report = try bench.convert("in.flac", to: "out.flac", .by(1.5))
    #expect(try bench.flacTags("out.flac") == "TITLE=song\n" + Self.provenance)
    #expect(try pictureCount("out.flac") == 1)
    // It is reported to programs, without a warning.
    #expect(report.staleTags == ["REPLAYGAIN_TRACK_GAIN"])
    #expect(report.notCarried == [] && report.warnings == [])
    for (kind, tag) in [("mp3", "encoder"), ("wav", "encoder"), ("aiff", "encoder")] {
      try bench.convert("in.flac", to: "out.\(kind)", .by(1.5), .linear)
      let probe = try bench.shell(
        "ffprobe -v error -show_entries format_tags -of default=nw=1 out.\(kind)"
      ).outputText
      let lines = probe.split(separator: "\n").filter { $0.contains("scaleaudio") }
      #expect(lines == ["TAG:\(tag)=scaleaudio 0.1.0 factor=1.5 method=linear"], "\(probe)")
    }
  }

  @Test func metadataIsSelected() throws {
    try bench.convert("in.flac", to: "text.flac", .by(1.5)) { $0.metadata = .text }
    #expect(try bench.flacTags("text.flac") == "TITLE=song\n" + Self.provenance)
    #expect(try pictureCount("text.flac") == 0)
    try bench.convert("in.flac", to: "none.flac", .by(1.5)) { $0.metadata = .none }
    #expect(try bench.flacTags("none.flac") == "")
    #expect(try pictureCount("none.flac") == 0)
    // Metadata that is not requested is not reported as lost.
    let report = try bench.convert("in.flac", to: "none.au", .by(1.5)) { $0.metadata = .none }
    #expect(report.notCarried == [] && report.warnings == [])
  }

  @Test func fileTimesAreKept() throws {
    for existing in [ExistingOutput.refuse, .replace] {
      try bench.run("touch", "-d", "2001-02-03T04:05:06.789Z", "in.flac")
      try bench.convert(
        "in.flac", to: "out.flac", .by(1.5),
        files: FilePolicy(existing: existing, keepsFileTimes: true))
      #expect(try bench.run("stat", "-c", "%.3Y", "out.flac").outputText == "981173106.789\n")
      // Finding out that a file is audio reads it, which may count as access.
      let access = try bench.run("stat", "-c", "%X", "out.flac", "in.flac").outputText
      let seconds = access.split(separator: "\n").compactMap { Int($0) }
      #expect(seconds.count == 2 && seconds[0] <= seconds[1])
    }
    try bench.convert("in.flac", to: "new.flac", .by(1.5))
    #expect(try bench.run("stat", "-c", "%Y", "new.flac").outputText != "981173106\n")
  }

  @Test func missingTagsAreListed() throws {
    let report = try bench.convert("in.flac", to: "out.au", .by(1.5))
    #expect(report.notCarried.map(\.text) == ["pictures", "tag TITLE"])
    #expect(report.warningText == "not carried to the output: pictures, tag TITLE")
  }

  /// A change of pitch makes a key untrue.
  @Test func keysAreDroppedWhenThePitchMoves() throws {
    try bench.run("metaflac", "--set-tag=INITIALKEY=Am", "--set-tag=BPM=120", "in.flac")
    func tags(
      _ time: TimeRequest, _ method: ScalingMethod, keepsStaleTags: Bool = false
    ) throws -> String {
      let report = try bench.convert("in.flac", to: "out.flac", time, method) {
        $0.keepsStaleTags = keepsStaleTags
      }
      let tags = try bench.flacTags("out.flac")
      #expect(report.staleTags.contains("INITIALKEY") != tags.contains("INITIALKEY=Am\n"))
      return tags
    }
    func moved(_ semitones: Double) -> ScalingMethod {
      .stretch(StretchSettings(semitones: semitones))
    }
    let stretched = try tags(.by(2), .stretch())
    #expect(stretched.contains("INITIALKEY=Am\n") && stretched.contains("BPM=60\n"))
    let shifted = try tags(.unchanged, moved(-2.5))
    #expect(!shifted.contains("INITIALKEY") && shifted.contains("BPM=120\n"))
    #expect(shifted.contains("ENCODER=scaleaudio 0.1.0 factor=1 method=stretch pitch=-2.5\n"))
    #expect(try !tags(.by(2), .linear).contains("INITIALKEY"))
    #expect(try tags(.by(1), .linear).contains("INITIALKEY=Am\n"))
    #expect(try tags(.unchanged, moved(1), keepsStaleTags: true).contains("INITIALKEY=Am\n"))
  }
}

import ArgumentParser
import ScaleAudio

/// What `info` reports, and how.
struct InspectionOptions: ParsableArguments {
  @Flag(
    help: "Decode each file and count its frames, and its packets if it has no index.")
  var exact = false

  @Flag(
    help:
      "Decode each file and measure peaks, power, loudness, DC offset, clipping, silence and MD5.")
  var levels = false

  @Flag(help: "Print a JSON object per file, one per line.")
  var json = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Audio track, for files with several. Default: 1.",
      valueName: "n"))
  var track: Int?

  func validate() throws {
    guard let track, track < 1 else { return }
    throw ValidationError("--track \(track) is out of range; tracks count from 1.")
  }

  var request: InspectionReport.Request {
    InspectionReport.Request(countsFrames: exact, measuresLevels: levels, track: track)
  }
}

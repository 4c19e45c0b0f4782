import ArgumentParser
import ScaleAudio

/// What is found out of each file, and how it is told.
struct FactsOptions: ParsableArguments {
  @Flag(
    help: "Decode everything and count the frames; count the packets too where there is no index.")
  var exact = false

  @Flag(
    help:
      "Decode everything and measure it: peaks, power, loudness, offsets, clipping, silence, MD5.")
  var levels = false

  @Flag(help: "Write a JSON object for each file, on a line of its own.")
  var json = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Of files with several audio tracks, tell of this one. Default: 1, the first.",
      valueName: "n"))
  var track: Int?

  func validate() throws {
    guard let track, track < 1 else { return }
    throw ValidationError("--track \(track) is no track; the first is 1.")
  }

  var request: AudioFacts.Request {
    AudioFacts.Request(countsFrames: exact, measuresLevels: levels, track: track)
  }
}

import ArgumentParser

/// The audio track of a file.
struct TrackOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Audio track, for files with several. Default: 1.", valueName: "n"))
  var track: Int?

  func validate() throws {
    guard let track, track < 1 else { return }
    throw ValidationError("--track \(track) is out of range; tracks count from 1.")
  }
}

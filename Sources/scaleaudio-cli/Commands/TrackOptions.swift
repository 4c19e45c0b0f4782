import ArgumentParser

/// Which of a file's audio tracks is converted.
struct TrackOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Of files with several audio tracks, take this one. Default: 1, the first.", valueName: "n"))
  var track: Int?

  func validate() throws {
    guard let track, track < 1 else { return }
    throw ValidationError("--track \(track) is no track; the first is 1.")
  }
}

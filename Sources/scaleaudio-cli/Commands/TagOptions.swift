public import ArgumentParser
public import ScaleAudio

/// What is carried of that which is attached to the audio.
struct TagOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What is carried: keep everything, text without pictures, or none.",
      discussion: "With none, not even the encoder tag says what made the file.",
      valueName: "what"))
  var metadata: MetadataSelection = .keep

  @Flag(
    help: ArgumentHelp(
      "Keep tags measured on the source, such as ReplayGain and AcoustID.",
      discussion: "They are not true of the output, and are left out by default."))
  var keepStaleTags = false

  @Flag(help: "Give outputs their sources' times of last change and last access.")
  var keepMtime = false

  /// Puts what was asked for into settings.
  func apply(to settings: inout ConversionSettings) {
    settings.metadata = metadata
    settings.keepsStaleTags = keepStaleTags
    settings.keepsFileTimes = keepMtime
  }
}

extension MetadataSelection: ExpressibleByArgument {}

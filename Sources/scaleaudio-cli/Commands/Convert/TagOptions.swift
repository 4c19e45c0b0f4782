public import ArgumentParser
public import ScaleAudio

/// The metadata written to the output.
struct TagOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Metadata in the output: keep all, text without pictures, or none.",
      discussion: "With none, there is no encoder tag either.",
      valueName: "what"))
  var metadata: MetadataSelection = .keep

  @Flag(
    help: ArgumentHelp(
      "Keep tags measured on the source, such as ReplayGain and AcoustID.",
      discussion: "They do not apply to the output and are dropped by default."))
  var keepStaleTags = false

  @Flag(help: "Keep the modification and access times of the source.")
  var keepMtime = false

  /// Adds these options to settings.
  func apply(to settings: inout ConversionSettings) {
    settings.metadata = metadata
    settings.keepsStaleTags = keepStaleTags
  }
}

extension MetadataSelection: ExpressibleByArgument {}

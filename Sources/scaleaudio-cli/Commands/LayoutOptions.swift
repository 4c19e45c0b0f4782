public import ArgumentParser
public import ScaleAudio

/// What becomes of the channels' positions.
struct LayoutOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Weights of --single-channel: mean, or itu for those of ITU-R BS.775. Default: mean.",
      valueName: "weights"))
  var downmix: Downmix?

  @Flag(
    help: "Write a channel layout that the format cannot say as the nearest one, with a warning.")
  var allowLayoutLoss = false

  /// Puts what was asked into `settings`.
  func apply(to settings: inout ConversionSettings) {
    settings.downmix = downmix ?? .mean
    settings.allowsLayoutLoss = allowLayoutLoss
  }
}

extension Downmix: ExpressibleByArgument {}

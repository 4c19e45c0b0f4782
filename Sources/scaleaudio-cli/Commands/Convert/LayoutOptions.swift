public import ArgumentParser
public import ScaleAudio

/// Channel positions and weights.
struct LayoutOptions: ParsableArguments {
  @OptionGroup var weights: DownmixOptions

  @Flag(
    help:
      "Write a channel layout that the format cannot express as the nearest one, with a warning.")
  var allowLayoutLoss = false

  var downmix: Downmix? { weights.downmix }

  /// The channels of the output; `areMerged` is whether they are mixed to one.
  func channels(areMerged: Bool) -> ChannelMix { weights.channels(areMerged: areMerged) }
}

/// The weights of channels that are merged.
struct DownmixOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Channel weights for --single-channel: mean, or itu (ITU-R BS.775). Default: mean.",
      valueName: "weights"))
  var downmix: Downmix?

  /// The channels of the output; `areMerged` is whether they are mixed to one.
  func channels(areMerged: Bool) -> ChannelMix {
    areMerged ? .mono(downmix ?? .mean) : .unchanged
  }
}

extension Downmix: ExpressibleByArgument {}

import ArgumentParser
import ScaleAudio

/// The option that selects a group of options.
struct PresetOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Options for a purpose: podcast, draft, practice, tape or dataset. See scaleaudio presets.",
      discussion:
        "Options you type override the preset; --no-NAME switches one off, such as --no-guard.",
      valueName: "name"),
    completion: .list(Preset.builtIn.map(\.name)))
  var preset: [String] = []

  /// The quality that the built-in presets choose; `nil` for none.
  var quality: ScalingQuality? {
    let options = preset.compactMap { name in Preset.builtIn.first { $0.name == name }?.options }
    return options.lazy.compactMap { options in
      options.firstIndex(of: "--quality").flatMap { ScalingQuality(rawValue: options[$0 + 1]) }
    }.first
  }
}

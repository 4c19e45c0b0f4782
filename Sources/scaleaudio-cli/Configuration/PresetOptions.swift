import ArgumentParser

/// The option that selects a group of options.
struct PresetOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Options for a purpose: podcast, draft, practice, tape or dataset. See scaleaudio presets.",
      discussion: "Options you type override the preset.",
      valueName: "name"),
    completion: .list(Preset.builtIn.map(\.name)))
  var preset: [String] = []
}

import ArgumentParser

/// The option that selects a group of options.
struct PresetOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Options for a purpose: podcast, draft, practice, tape or dataset. See scaleaudio presets.",
      discussion: "Options you type override the preset.",
      valueName: "name"),
    completion: .list(Preset.builtIn.map(\.name)), transform: Self.checked)
  var preset: [String] = []

  private static func checked(_ name: String) throws -> String {
    guard Preset.named(name) == nil else { return name }
    let names = Preset.all.map(\.name).joined(separator: ", ")
    throw ValidationError("unknown preset; choose one of \(names)")
  }
}

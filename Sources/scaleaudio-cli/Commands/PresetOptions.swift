import ArgumentParser

/// The group of options that others are put on top of.
struct PresetOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Options for a purpose: podcast, practice, tape or dataset; see scaleaudio presets.",
      discussion: "They count as given before all others, of which the last wins.",
      valueName: "name"),
    completion: .list(Preset.all.map(\.name)), transform: Self.checked)
  var preset: [String] = []

  private static func checked(_ name: String) throws -> String {
    guard Preset.named(name) == nil else { return name }
    let names = Preset.all.map(\.name).joined(separator: ", ")
    throw ValidationError("there is no such preset; those there are: \(names)")
  }
}

import ArgumentParser

/// Prints the presets.
struct PresetsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presets",
    abstract: "List the presets: the purpose and the options of each.",
    discussion: """
      --preset NAME adds these options; options you type override them. With --json, an array with an \
      object per preset: name, purpose, options.
      """)

  @Flag(help: "Print JSON instead of a table.")
  var json = false

  func run() throws {
    let text = json ? PresetListing.json(Preset.all) : PresetListing.table(Preset.all)
    var output = StandardOutput()
    output.write(Array(text.utf8))
    if output.failure != nil { throw ExitCode(ExitStatus.someFailed) }
  }
}

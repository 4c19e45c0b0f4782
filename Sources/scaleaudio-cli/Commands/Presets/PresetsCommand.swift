import ArgumentParser

/// Prints the presets.
struct PresetsCommand: ContextualCommand {
  static let configuration = CommandConfiguration(
    commandName: "presets",
    abstract: "List the presets: the purpose and the options of each.",
    discussion: """
      --preset NAME adds these options; options you type override them. With --json, an array with an \
      object per preset: name, purpose, options, and the file of one of your own.

      A table [preset.NAME] in ~/.config/scaleaudio/config.toml makes a preset of your own, with long \
      names of options as keys: method = "stretch".
      """)

  @Flag(help: "Print JSON instead of a table.")
  var json = false

  @OptionGroup var configuration: ConfigurationOptions

  func run(in context: CommandContext) throws {
    let presets = Preset.all(with: context.configuration)
    let text = json ? PresetListing.json(presets) : PresetListing.table(presets)
    var output = StandardOutput()
    output.write(Array(text.utf8))
    if output.failure != nil { throw ExitCode(ExitStatus.someFailed) }
  }
}

import ArgumentParser
import SystemPackage

/// Prints the presets.
struct PresetsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presets",
    abstract: "List the presets: what each is for, and the options that it stands for.",
    discussion: """
      --preset NAME puts those options in front of the others given, which win where both say the same. \
      With --json, one array with an object for each preset: name, purpose, options.
      """)

  @Flag(help: "Print JSON rather than a table.")
  var json = false

  func run() throws {
    let text = json ? PresetListing.json(Preset.all) : PresetListing.table(Preset.all)
    do {
      try FileDescriptor.standardOutput.writeAll(text.utf8)
    } catch {
      throw ExitCode(ExitStatus.someFailed)
    }
  }
}

import ArgumentParser
internal import FoundationEssentials

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
    if output.hasFailed { throw ExitCode(ExitStatus.failedOutput(output.failure)) }
  }
}

/// The presets as text.
enum PresetListing {
  /// A table of name, purpose and options, one preset per line.
  static func table(_ presets: [Preset]) -> String {
    let rows =
      [["NAME", "FOR", "OPTIONS"]]
      + presets.map {
        [$0.name, $0.purpose, $0.options.joined(separator: " ")].map(escapedForTerminal)
      }
    let widths = (0..<2).map { column in rows.map { DisplayWidth.columns($0[column]) }.max() ?? 0 }
    return rows.map { row in
      let padded = zip(row, widths).map { text, width in
        text + String(repeating: " ", count: width - DisplayWidth.columns(text))
      }
      return (padded + [row[2]]).joined(separator: "  ") + "\n"
    }.joined()
  }

  /// One array with an object for each preset.
  static func json(_ presets: [Preset]) -> String {
    struct Record: Encodable { let name, purpose: String, options: [String], file: String? }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let records = presets.map {
      Record(
        name: $0.name, purpose: $0.purpose, options: $0.options, file: $0.file?.string)
    }
    // Encoding these values cannot fail.
    return ((try? encoder.encode(records)).map { String(decoding: $0, as: UTF8.self) } ?? "[]")
      + "\n"
  }
}

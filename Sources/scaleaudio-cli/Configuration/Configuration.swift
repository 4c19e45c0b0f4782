import SystemPackage

/// The defaults and presets of a user, from a file.
///
/// Tables named like commands hold defaults, keyed by the long names of options; `[preset.NAME]` holds a preset of
/// `convert`.
struct Configuration {
  let path: FilePath
  /// The defaults of each command.
  private(set) var defaults: [String: [ConfiguredOption]] = [:]
  private(set) var presets: [Preset] = []

  /// The commands that have defaults.
  static let commands = ["convert", "plot", "info"]

  /// The configuration in the bytes of a file; throws for unknown keys, and for values of the wrong type.
  init(path: FilePath, _ bytes: [UInt8], _ tree: CommandTree) throws(ConfigurationError) {
    self.path = path
    let entries: [TOMLEntry]
    do throws(TOMLFailure) {
      entries = try TOMLEntry.parsed(bytes)
    } catch {
      throw ConfigurationError(path: path, line: error.line, reason: error.reason)
    }
    for entry in entries {
      if entry.key == "preset" {
        try addPresets(entry, tree)
      } else if Self.commands.contains(entry.key), let command = tree.command(entry.key) {
        let table = try table(entry)
        defaults[entry.key] = try options(table, of: command, tree, inPreset: false)
      } else {
        throw unknownTable(entry, tree)
      }
    }
  }

  private mutating func addPresets(
    _ entry: TOMLEntry, _ tree: CommandTree
  ) throws(ConfigurationError) {
    for preset in try table(entry) {
      guard case .table(var entries) = preset.value else {
        throw refusal(preset, "a preset must be a table: [preset.\(preset.key)]")
      }
      if Preset.builtIn.contains(where: { $0.name == preset.key }) {
        throw refusal(preset, "'\(preset.key)' is a built-in preset; choose another name")
      }
      var purpose = ""
      if let index = entries.firstIndex(where: { $0.key == Preset.purposeKey }) {
        let entry = entries.remove(at: index)
        guard case .string(let text) = entry.value else {
          throw refusal(entry, "'\(entry.key)' must be text")
        }
        purpose = text
      }
      let options = try options(entries, of: tree.defaultCommand, tree, inPreset: true)
      presets.append(
        Preset(
          name: preset.key, purpose: purpose, options: options.flatMap(\.arguments), file: path,
          configured: options))
    }
  }

  private func table(_ entry: TOMLEntry) throws(ConfigurationError) -> [TOMLEntry] {
    if case .table(let entries) = entry.value { return entries }
    throw refusal(entry, "'\(entry.key)' is a table: [\(entry.key)]")
  }

  private func unknownTable(_ entry: TOMLEntry, _ tree: CommandTree) -> ConfigurationError {
    if case .table = entry.value {
      let tables = Self.commands + ["preset"]
      let near = CommandTree.nearest(entry.key, among: tables).map { "; did you mean [\($0)]?" }
      return refusal(
        entry,
        "unknown table [\(entry.key)]\(near ?? "; tables are [convert], [plot], [info] and [preset.NAME]")"
      )
    }
    let owner = Self.commands.first { tree.command($0)?.option("--" + entry.key) != nil }
    return refusal(
      entry, "'\(entry.key)' is outside any table; put it in one, such as [\(owner ?? "convert")]")
  }

  // MARK: - Options

  private func options(
    _ entries: [TOMLEntry], of command: CommandTree.Command, _ tree: CommandTree, inPreset: Bool
  ) throws(ConfigurationError) -> [ConfiguredOption] {
    var options: [ConfiguredOption] = []
    for entry in entries {
      guard let option = command.option("--" + entry.key) else {
        throw unknownOption(entry, of: command, tree)
      }
      if ConfiguredOption.neverConfigured.contains(entry.key) {
        throw refusal(entry, "'\(entry.key)' is only given on the command line")
      }
      if !inPreset, ConfiguredOption.requests.contains(entry.key) {
        let place = command.name == tree.defaultCommand.name ? ", or in a preset" : ""
        throw refusal(
          entry, "'\(entry.key)' cannot be a default: give it on the command line\(place)")
      }
      options.append(
        ConfiguredOption(
          key: entry.key, names: option.names, line: entry.line,
          arguments: try arguments(entry, option)))
    }
    return options
  }

  private func unknownOption(
    _ entry: TOMLEntry, of command: CommandTree.Command, _ tree: CommandTree
  ) -> ConfigurationError {
    let start = "unknown option '\(entry.key)' of \(command.name)"
    let name = "--" + entry.key
    if let near = CommandTree.nearest(name, among: command.longNames) {
      return refusal(entry, "\(start); did you mean '\(near.dropFirst(2))'?")
    }
    let owner = Self.commands.first { tree.command($0)?.option(name) != nil }
    return refusal(entry, owner.map { "\(start); it is one of [\($0)]" } ?? start)
  }

  private func arguments(
    _ entry: TOMLEntry, _ option: CommandTree.Option
  ) throws(ConfigurationError) -> [String] {
    let name = "--" + entry.key
    if option.value == nil {
      guard case .boolean(let isOn) = entry.value else {
        throw refusal(entry, "'\(entry.key)' must be true or false")
      }
      return isOn ? [name] : []
    }
    guard case .array(let values) = entry.value else {
      return ["\(name)=\(try text(entry.value, of: entry))"]
    }
    if values.isEmpty { throw refusal(entry, "'\(entry.key)' has no values") }
    var texts: [String] = []
    for value in values { texts.append(try text(value, of: entry)) }
    return option.isRepeating
      ? texts.map { "\(name)=\($0)" } : ["\(name)=\(texts.joined(separator: ","))"]
  }

  private func text(_ value: TOMLValue, of entry: TOMLEntry) throws(ConfigurationError) -> String {
    switch value {
    case .string(let text):
      if text.utf8.contains(0) { throw refusal(entry, "'\(entry.key)' contains a NUL") }
      return RawArgument.text(of: Array(text.utf8))
    case .integer(let number): return String(number)
    case .float(let number): return String(number)
    case .time: throw refusal(entry, "'\(entry.key)' must be text; write it in quotes")
    case .boolean, .array, .table: throw refusal(entry, "'\(entry.key)' must be text or a number")
    }
  }

  private func refusal(_ entry: TOMLEntry, _ reason: String) -> ConfigurationError {
    ConfigurationError(path: path, line: entry.line, reason: reason)
  }
}

/// An option in a configuration file.
struct ConfiguredOption: Hashable {
  let key: String
  /// With their hyphens.
  let names: [String]
  let line: Int
  /// As they would be typed; none for a flag that is off.
  let arguments: [String]

  /// Options about the files of one run, which configuration files cannot set.
  static let neverConfigured: Set = [
    "output", "files-from", "null", "overwrite", "dry-run", "preset", "no-config", "help",
    "version", "run", "shard", "shard-offset",
  ]
  /// Options that request an output: allowed in presets, but not in defaults.
  static let requests: Set = [
    "factor", "tempo", "speed", "duration", "map", "pitch", "range", "track",
  ]
  /// Options that set the length of the output.
  static let lengths: Set = ["factor", "tempo", "speed", "duration", "bpm", "map"]

  /// True if the option is among typed arguments.
  func isTyped(in arguments: ArraySlice<String>) -> Bool {
    names.contains { name in
      arguments.contains {
        $0 == name || $0.hasPrefix(name + "=") || !name.hasPrefix("--") && $0.hasPrefix(name)
      }
    }
  }
}

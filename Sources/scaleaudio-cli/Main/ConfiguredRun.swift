import ArgumentParser

/// The part of a user's configuration in the run of a command line.
enum ConfiguredRun {
  /// Commands that read no configuration.
  private static let others: Set = ["formats", "help"]

  /// The configuration for a command line; `nil` if there is none, or it is ignored.
  static func configuration(
    for arguments: [String], _ place: ConfigurationPlace? = .ofProcess
  ) throws(ConfigurationError) -> Configuration? {
    guard let first = arguments.first, !others.contains(first), !isOfPlannedRun(arguments),
      !arguments.prefix(while: { $0 != "--" }).contains(ConfigurationOptions.name),
      let place, let bytes = try place.bytes(), let tree = ScaleAudioCommand.tree
    else { return nil }
    return try Configuration(path: place.path, bytes, tree)
  }

  /// Whether a command takes everything from a plan, which nobody's defaults change.
  private static func isOfPlannedRun(_ arguments: [String]) -> Bool {
    switch arguments.first {
    case MergeCommand.configuration.commandName: true
    case PlanCommand.configuration.commandName: false
    default: ShardOptions.isGiven(in: arguments)
    }
  }

  /// Parses what was typed with presets and defaults; omits defaults that do not go with the rest.
  static func parsed(
    _ expansion: inout PresetExpansion, _ configuration: Configuration?, command: String
  ) throws -> any ParsableCommand {
    guard let configuration else { return try ScaleAudioCommand.parseAsRoot(expansion.all) }
    do {
      try checkAsksForSomething(expansion.required)
      return try ScaleAudioCommand.parseAsRoot(expansion.all)
    } catch {
      let options = expansion.ownPresets.flatMap(\.options) + expansion.defaults
      for option in options {
        if let reason = fault(of: option, command) {
          throw ConfigurationError(path: configuration.path, line: option.line, reason: reason)
        }
      }
      _ = try ScaleAudioCommand.parseAsRoot(expansion.required)
      expansion.omitDefaults { (try? ScaleAudioCommand.parseAsRoot($0)) != nil }
      return try ScaleAudioCommand.parseAsRoot(expansion.all)
    }
  }

  /// Throws if there is nothing to do without the defaults, which ask for nothing.
  private static func checkAsksForSomething(_ arguments: [String]) throws {
    do {
      _ = try ScaleAudioCommand.parseAsRoot(arguments)
    } catch {
      // Another refusal may be one that a default removes.
      if ScaleAudioCommand.message(for: error) == ConvertCommand.nothingAsked { throw error }
    }
  }

  /// Why an option is refused whatever else is given; `nil` if it is not.
  private static func fault(of option: ConfiguredOption, _ command: String) -> String? {
    var arguments = [command] + option.arguments + ["x"]
    let isConvert = command == ConvertCommand.configuration.commandName
    if isConvert, !ConfiguredOption.requests.contains(option.key) { arguments += ["-f", "1"] }
    do {
      _ = try ScaleAudioCommand.parseAsRoot(arguments)
      return nil
    } catch {
      let message = ScaleAudioCommand.message(for: error)
      let line = String(message.prefix { $0 != "\n" })
      // A refusal that names another option is about both of them.
      let names = Set(line.matches(of: /--[a-z][a-z-]*/).map { String($0.output) })
      let isAlone = line.hasPrefix("The value '") || names == ["--" + option.key]
      return isAlone ? line : nil
    }
  }

  /// The lines of `--verbose` about what a file sets, with a line feed each.
  static func lines(
    _ expansion: PresetExpansion, _ configuration: Configuration, command: String
  ) -> String {
    var parts: [String] = []
    func add(_ name: String, _ options: [ConfiguredOption]) {
      let texts = options.flatMap(\.arguments)
      if !texts.isEmpty { parts.append("\(name): \(texts.joined(separator: " "))") }
    }
    add(command, expansion.defaults)
    for (preset, options) in expansion.ownPresets { add("preset \(preset.name)", options) }
    add("not with these options", expansion.omitted)
    let path = escapedForTerminal(configuration.path)
    if parts.isEmpty { parts = ["sets nothing here"] }
    return parts.map { "config: \(path): \(escapedForTerminal($0))\n" }.joined()
  }
}

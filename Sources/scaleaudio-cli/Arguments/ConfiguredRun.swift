import ArgumentParser

/// Applies a user's configuration to the run of a command line.
enum ConfiguredRun {
  /// Commands that read no configuration.
  static let others: Set = ["formats", "help"]

  /// The configuration for a command line; `nil` if there is none, or it is ignored.
  static func configuration(
    for arguments: [String], _ tree: @autoclosure () -> CommandTree?
  ) throws(ConfigurationError) -> Configuration? {
    guard let first = arguments.first, !others.contains(first), !isOfPlannedRun(arguments),
      !arguments.prefix(while: { $0 != "--" }).contains(ConfigurationOptions.name),
      let place = ConfigurationPlace.ofProcess, let bytes = try place.bytes(), let tree = tree()
    else { return nil }
    return try Configuration(path: place.path, bytes, tree)
  }

  /// Returns true if a command takes all settings from a plan, so the user's defaults do not apply.
  private static func isOfPlannedRun(_ arguments: [String]) -> Bool {
    switch arguments.first {
    case MergeCommand.configuration.commandName: true
    case PlanCommand.configuration.commandName: false
    default: ShardOptions.isGiven(in: arguments)
    }
  }

  /// Parses typed arguments with presets and defaults; omits defaults that conflict with the other arguments.
  ///
  /// `root` is the command that the first argument belongs to: the program, or `convert` alone.
  static func parsed(
    _ expansion: inout PresetExpansion, _ configuration: Configuration?,
    _ root: any ParsableCommand.Type
  ) throws -> any ParsableCommand {
    if let problem = expansion.problem { throw ValidationError(problem) }
    func isAccepted(_ arguments: [String]) -> Bool { (try? root.parseAsRoot(arguments)) != nil }
    guard let configuration else {
      do {
        return try root.parseAsRoot(expansion.all)
      } catch {
        expansion.omitPresetOptions(unless: isAccepted)
        if expansion.conflicts.isEmpty { throw error }
        return try root.parseAsRoot(expansion.all)
      }
    }
    do {
      try checkAsksForSomething(expansion.required, root)
      return try root.parseAsRoot(expansion.all)
    } catch {
      let options = expansion.ownPresets.flatMap(\.options) + expansion.defaults
      for option in options {
        if let reason = fault(of: option, expansion, root) {
          throw ConfigurationError(path: configuration.path, line: option.line, reason: reason)
        }
      }
      if !isAccepted(expansion.required) { expansion.omitPresetOptions(unless: isAccepted) }
      _ = try root.parseAsRoot(expansion.required)
      expansion.omitDefaults(unless: isAccepted)
      return try root.parseAsRoot(expansion.all)
    }
  }

  /// Throws if there is nothing to do without the defaults, because defaults request nothing.
  private static func checkAsksForSomething(
    _ arguments: [String], _ root: any ParsableCommand.Type
  ) throws {
    do {
      _ = try root.parseAsRoot(arguments)
    } catch {
      // Another error may disappear when a default is removed.
      if root.message(for: error) == ConvertCommand.nothingAsked { throw error }
    }
  }

  /// Why an option is refused regardless of the others; `nil` if it is not.
  private static func fault(
    of option: ConfiguredOption, _ expansion: PresetExpansion, _ root: any ParsableCommand.Type
  ) -> String? {
    var arguments = expansion.command + option.arguments + ["x"]
    let isConvert = expansion.name == ConvertCommand.configuration.commandName
    if isConvert, !ConfiguredOption.requests.contains(option.key) { arguments += ["-f", "1"] }
    do {
      _ = try root.parseAsRoot(arguments)
      return nil
    } catch {
      let message = root.message(for: error)
      let line = String(message.prefix { $0 != "\n" })
      // A refusal that names another option concerns both.
      let names = Set(line.matches(of: /--[a-z][a-z-]*/).map { String($0.output) })
      let isAlone = line.hasPrefix("The value '") || names == ["--" + option.key]
      return isAlone ? line : nil
    }
  }

  /// The lines of `--verbose` about the options that a file sets, each ending with a line feed.
  static func lines(
    _ expansion: PresetExpansion, _ configuration: Configuration
  ) -> String {
    var parts: [String] = []
    func add(_ name: String, _ options: [ConfiguredOption]) {
      let texts = options.flatMap(\.arguments)
      if !texts.isEmpty { parts.append("\(name): \(texts.joined(separator: " "))") }
    }
    add(expansion.name, expansion.defaults)
    for (preset, options) in expansion.ownPresets { add("preset \(preset.name)", options) }
    add("not with these options", expansion.omitted)
    let path = escapedForTerminal(configuration.path)
    if parts.isEmpty { parts = ["sets nothing here"] }
    return parts.map { "config: \(path): \(escapedForTerminal($0))\n" }.joined()
  }
}

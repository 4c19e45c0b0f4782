import ArgumentParser

/// Typed arguments preceded by the options of presets and of a configuration, which they override.
struct PresetExpansion {
  /// The command, typed or the default one.
  let name: String
  /// The command if it is typed.
  let command: [String]
  private let given: ArraySlice<String>
  /// The options of the presets.
  private let presets: [String]
  /// The presets from a configuration, with their active options.
  let ownPresets: [(preset: Preset, options: [ConfiguredOption])]
  /// The error for a preset that does not exist; `nil` if all do.
  let problem: String?
  /// The options of presets that the command does not have.
  private(set) var leftOut: [(preset: String, options: [String])] = []
  /// The active defaults; later ones override earlier ones.
  private(set) var defaults: [ConfiguredOption] = []
  /// The defaults that conflict with the other options.
  private(set) var omitted: [ConfiguredOption] = []

  /// The arguments of a process, without its name.
  ///
  /// The `--preset` options stay.
  init(_ arguments: [String], commands: [String], configuration: Configuration? = nil) {
    let named = arguments.first.flatMap { commands.contains($0) ? $0 : nil }
    command = named.map { [$0] } ?? []
    given = named == nil ? arguments[...] : arguments.dropFirst()
    let name = named ?? Self.defaultCommand
    self.name = name
    let all = Preset.all(with: configuration)
    let asked =
      Self.commandsWithPresets.contains(where: { $0.configuration.commandName == name })
      ? Self.names(in: given) : []
    var chosen = asked.compactMap { name in all.first { $0.name == name } }
    problem = asked.first { name in !all.contains { $0.name == name } }.map { name in
      "Unknown preset '\(name)'; choose one of \(all.map(\.name).joined(separator: ", "))."
    }
    if name != Self.defaultCommand, !chosen.isEmpty,
      let type = Self.commandsWithPresets.first(where: { $0.configuration.commandName == name }),
      let command = CommandTree.Command(of: type)
    {
      for index in chosen.indices {
        let names = chosen[index].limit(to: command)
        if !names.isEmpty { leftOut.append((chosen[index].name, names)) }
      }
    }
    let typed = given.prefix { $0 != "--" }
    let hasLength = ArgumentProblem.asksForLength(typed)
    ownPresets = chosen.filter { $0.file != nil }.map { preset in
      (
        preset,
        preset.configured.filter { hasLength ? !ConfiguredOption.lengths.contains($0.key) : true }
          .filter { !$0.isTyped(in: typed) }
      )
    }
    let own = Dictionary(
      ownPresets.map { ($0.preset.name, $0.options.flatMap(\.arguments)) }, uniquingKeysWith: { $1 }
    )
    presets = chosen.flatMap { own[$0.name] ?? $0.options }
    let set = Set(ownPresets.flatMap { $0.options.map(\.key) })
    let fixed = chosen.filter { $0.file == nil }.flatMap(\.options)
    defaults = (configuration.map { Self.defaults(of: name, $0) } ?? []).filter { option in
      !set.contains(option.key) && !option.isTyped(in: typed) && !option.isTyped(in: fixed[...])
    }
  }

  private static let commandsWithPresets: [any ParsableCommand.Type] = [
    ConvertCommand.self, PlanCommand.self, PlayCommand.self,
  ]

  /// The defaults of a command; for a plan, those of the planned command.
  private static func defaults(
    of command: String, _ configuration: Configuration
  ) -> [ConfiguredOption] {
    guard command == PlanCommand.configuration.commandName,
      let plan = CommandTree.Command(of: PlanCommand.self)
    else {
      return configuration.defaults[command] ?? []
    }
    return (configuration.defaults[defaultCommand] ?? []).filter {
      plan.option("--" + $0.key) != nil
    }
  }

  private static let defaultCommand = ConvertCommand.configuration.commandName ?? ""

  /// All options, and the typed arguments.
  var all: [String] { all(with: defaults) }
  /// The same without defaults.
  var required: [String] { all(with: []) }

  private func all(with defaults: [ConfiguredOption]) -> [String] {
    command + defaults.flatMap(\.arguments) + presets + given
  }

  /// Omits the defaults that conflict with the other options, if those do not conflict with each other.
  mutating func omitDefaults(unless isAccepted: ([String]) -> Bool) {
    var (kept, open) = ([ConfiguredOption](), defaults)
    // A default may require a later one.
    var isChanged = true
    while isChanged {
      isChanged = false
      for option in open where isAccepted(all(with: kept + [option])) {
        kept.append(option)
        open.removeAll { $0 == option }
        isChanged = true
      }
    }
    (defaults, omitted) = (kept, open)
  }

  /// The values of `--preset`, up to a `--`.
  private static func names(in arguments: ArraySlice<String>) -> [String] {
    var names: [String] = []
    var isValue = false
    for argument in arguments {
      if isValue {
        names.append(argument)
        isValue = false
      } else if argument == "--" {
        break
      } else if argument == "--preset" {
        isValue = true
      } else if argument.hasPrefix("--preset=") {
        names.append(String(argument.dropFirst("--preset=".count)))
      }
    }
    return names
  }
}

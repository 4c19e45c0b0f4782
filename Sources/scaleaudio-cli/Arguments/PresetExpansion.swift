import ArgumentParser
import ScaleAudio

/// Typed arguments preceded by the options of presets and of a configuration, which they override.
struct PresetExpansion {
  /// The command, typed or the default one.
  let name: String
  /// The command if it is typed.
  let command: [String]
  private let given: [String]
  /// The options of the presets.
  private var presets: [PresetOption] = []
  /// The options of presets that conflict with the other options.
  private(set) var conflicts: [PresetOption] = []
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
  /// The `--preset` options stay. `described` returns the options of a command without presets.
  init(
    _ arguments: [String], commands: [String], configuration: Configuration? = nil,
    described: (String) -> CommandTree.Command? = { _ in nil }
  ) {
    let named = arguments.first.flatMap { commands.contains($0) ? $0 : nil }
    command = named.map { [$0] } ?? []
    let name = named ?? Self.defaultCommand
    self.name = name
    var given = named == nil ? arguments[...] : arguments.dropFirst()
    let off = SwitchedOff(in: &given) {
      let type = Self.commandsWithPresets.first { $0.configuration.commandName == name }
      return type.map { CommandTree.Command(of: $0) } ?? described(name)
    }
    self.given = Array(given)
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
          .filter { !$0.isTyped(in: typed) && !off.names.contains("--" + $0.key) }
      )
    }
    let own = Dictionary(ownPresets.map { ($0.preset.name, $0.options) }, uniquingKeysWith: { $1 })
    presets = chosen.flatMap { preset in
      own[preset.name].map { $0.map { PresetOption(preset: preset.name, $0.arguments) } }
        ?? PresetOption.all(of: preset)
    }.filter { !off.names.contains($0.name) }
    let set = Set(ownPresets.flatMap { $0.options.map(\.key) })
    let fixed = chosen.filter { $0.file == nil }.flatMap(\.options)
    defaults = (configuration.map { Self.defaults(of: name, $0) } ?? []).filter { option in
      !set.contains(option.key) && !option.isTyped(in: typed) && !option.isTyped(in: fixed[...])
        && !off.names.contains("--" + option.key)
    }
  }

  fileprivate static let commandsWithPresets: [any ParsableCommand.Type] = [
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

  /// The typed options without presets and defaults.
  var typed: [String] { command + given }

  private func all(with defaults: [ConfiguredOption]) -> [String] {
    command + defaults.flatMap(\.arguments) + presets.flatMap(\.arguments) + given
  }

  /// Leaves out the options of presets that conflict with the typed ones, if that is accepted. The method of a preset
  /// stays, unless a typed option needs another: it is what the preset is for.
  mutating func omitPresetOptions(unless isAccepted: ([String]) -> Bool) {
    let needsStretch = ArgumentProblem.needsStretch(given.prefix { $0 != "--" })
    let all = presets
    func isEssential(_ option: PresetOption) -> Bool {
      option.name == "--method"
        && !(needsStretch && option.arguments.last != ScalingMethod.Kind.stretch.rawValue)
    }
    presets = all.filter(isEssential)
    var open = all.filter { !isEssential($0) }
    guard isAccepted(required) else {
      presets = all
      return
    }
    // An option may require a later one.
    var isChanged = true
    while isChanged {
      isChanged = false
      for option in open {
        let before = presets
        presets = all.filter { before.contains($0) || $0 == option }
        if isAccepted(required) {
          open.removeAll { $0 == option }
          isChanged = true
        } else {
          presets = before
        }
      }
    }
    conflicts = open
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

/// An option of a preset, as it would be typed.
struct PresetOption: Hashable {
  let preset: String
  /// The option, and its value if it has one.
  let arguments: [String]

  init(preset: String, _ arguments: [String]) {
    (self.preset, self.arguments) = (preset, arguments)
  }

  /// Its name, with hyphens.
  var name: String { arguments.first.map { String($0.prefix { $0 != "=" }) } ?? "" }

  /// The options of a preset.
  static func all(of preset: Preset) -> [PresetOption] {
    var found: [[String]] = []
    for text in preset.options {
      if text.hasPrefix("--") { found.append([text]) } else { found[found.count - 1].append(text) }
    }
    return found.map { PresetOption(preset: preset.name, $0) }
  }
}

/// The options that `--no-NAME` switches off: those of presets, of a configuration, and switches typed before.
struct SwitchedOff {
  /// With their hyphens.
  private(set) var names: Set<String> = []

  /// Takes these options out of the arguments of a command, which is described on demand.
  init(in arguments: inout ArraySlice<String>, of command: () -> CommandTree.Command?) {
    let typed = arguments.prefix { $0 != "--" }
    guard typed.contains(where: { $0.hasPrefix("--no-") }), let command = command() else { return }
    var kept: [String] = []
    var isValue = false
    for argument in typed {
      if !isValue, let option = command.option(switchedOffBy: argument) {
        names.formUnion(option.names)
        kept.removeAll { option.value == nil && option.names.contains($0) }
      } else {
        isValue =
          !isValue && argument.hasPrefix("-") && command.parsedOption(argument)?.value != nil
        kept.append(argument)
      }
    }
    arguments = kept + arguments.dropFirst(typed.count)
  }
}

extension CommandTree.Command {
  /// The option that `--no-NAME` switches off; `nil` if it is an option itself, or there is none of that name.
  func option(switchedOffBy text: String) -> CommandTree.Option? {
    guard text.hasPrefix("--no-"), parsedOption(text) == nil else { return nil }
    let name = "--" + text.dropFirst("--no-".count)
    return ["--help", "--version"].contains(name) ? nil : option(name)
  }
}

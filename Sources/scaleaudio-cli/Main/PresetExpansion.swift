/// Puts the options of presets in front of the typed options, which override them.
enum PresetExpansion {
  /// The arguments of a process, without its name, with the options of each `--preset` in front.
  ///
  /// The `--preset` options stay, including unknown presets: parsing reports those.
  static func expanded(_ arguments: [String], commands: [String]) -> [String] {
    let command = arguments.first.flatMap { commands.contains($0) ? $0 : nil }
    if let command, command != ConvertCommand.configuration.commandName { return arguments }
    let given = command == nil ? arguments[...] : arguments.dropFirst()
    let options = names(in: given).compactMap(Preset.named).flatMap(\.options)
    return (command.map { [$0] } ?? []) + options + given
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

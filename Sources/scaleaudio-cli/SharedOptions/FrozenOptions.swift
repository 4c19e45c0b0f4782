/// The options of `convert` as a plan keeps them: long names with their values, presets and defaults resolved.
struct FrozenOptions {
  /// `--factor=1.5`, `--mono`
  let arguments: [String]

  /// Options that a plan stores elsewhere, or that each task sets itself.
  private static let others: Set = [
    "--shards", "--run", "--files-from", "--null", "--include", "--exclude", "--no-recursive",
    "--follow-symlinks", "--output", "--base", "--overwrite", "--preset", "--no-config", "--quiet",
  ]

  /// The options of a plan.
  init(_ arguments: [String]) { self.arguments = arguments }

  /// The options that a plan keeps of the arguments of a command, without the command.
  init(freezing arguments: some Sequence<String>, of command: CommandTree.Command) {
    self.init(
      Self.options(arguments, of: command).compactMap { (option, value) in
        guard let name = option.names.last(where: { $0.hasPrefix("--") }),
          !Self.others.contains(name)
        else { return nil }
        return value.map { "\(name)=\($0)" } ?? name
      })
  }

  /// The options among arguments that the parser has accepted, with their values.
  static func options(
    _ arguments: some Sequence<String>, of command: CommandTree.Command
  ) -> [(option: CommandTree.Option, value: String?)] {
    var found: [(CommandTree.Option, String?)] = []
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst(), argument != "--" {
      if argument.hasPrefix("--") {
        let name = String(argument.prefix { $0 != "=" })
        guard let option = command.option(name) else { continue }
        let given = name == argument ? nil : String(argument.dropFirst(name.count + 1))
        found.append((option, option.value == nil ? nil : given ?? rest.popFirst()))
      } else if argument.hasPrefix("-"), argument != "-" {
        var letters = argument.dropFirst()
        while let letter = letters.popFirst(), let option = command.option("-\(letter)") {
          guard option.value != nil else {
            found.append((option, nil))
            continue
          }
          if letters.first == "=" { letters.removeFirst() }
          found.append((option, letters.isEmpty ? rest.popFirst() : String(letters)))
          break
        }
      }
    }
    return found
  }
}

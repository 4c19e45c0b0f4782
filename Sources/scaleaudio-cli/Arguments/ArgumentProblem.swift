import AudioModel
import Glibc

/// Problems with the options of a command line, before their values are checked.
struct ArgumentProblem {
  /// One sentence or two, escaped.
  let message: String

  /// Options that may be given only once: a second length does not correct the first.
  private static let single = ["--factor", "--speed", "--duration"]
  /// Options whose values may begin with a hyphen, so that they could take the next option as their value.
  private static let greedy = [
    "-o", "--output", "--base", "--suffix", "--include", "--exclude", "--map", "--files-from",
    "--range",
  ]
  /// The options of this program for those of other programs.
  private static let synonyms = [
    "--tempo": "--speed", "--playback-speed": "--speed", "--atempo": "--speed",
    "--ratio": "--factor", "--stretch": "--factor", "--scale": "--factor",
    "--length": "--duration", "--time": "--duration", "--seconds": "--duration",
    "--semitones": "--pitch", "--transpose": "--pitch", "--cents": "--pitch",
    "--force": "--overwrite", "--yes": "--overwrite", "--replace": "--overwrite",
    "--out": "--output", "--out-dir": "--output", "--outdir": "--output", "--outfile": "--output",
    "--codec": "--format", "--type": "--format", "--depth": "--bits", "--bit-depth": "--bits",
    "--algorithm": "--method",
    "--silent": "--quiet", "--level": "--normalize", "--gain": "--normalize",
    "--keep-pitch": "--method stretch", "--preserve-pitch": "--method stretch",
    "--samplerate": "--rate", "--sample-rate": "--rate",
    "--input": "--files-from", "--skip": "--skip-existing", "--continue": "--resume",
  ]

  /// A misspelled command; otherwise the first unknown option; otherwise an option that took another as its value, or a length given twice. `nil` if
  /// there is none of these.
  init?(_ arguments: [String], _ tree: CommandTree) {
    var walk = Walk(tree: tree, arguments: arguments[...])
    walk.run()
    let command = arguments.first.flatMap { Self.unknownCommand($0, tree) }
    guard let message = command ?? walk.unknown ?? walk.swallowed ?? walk.repeated else {
      return nil
    }
    self.message = escapedForTerminal(message)
  }

  /// Whether accepted arguments need a check, which takes longer than accepting them.
  static func isPossible(in arguments: [String]) -> Bool {
    let swallows = zip(arguments, arguments.dropFirst()).contains {
      greedy.contains($0) && $1.hasPrefix("-") && $1 != "-"
    }
    let lengths = arguments.count { argument in
      argument.hasPrefix("-f") || single.contains { argument == $0 || argument.hasPrefix($0 + "=") }
    }
    return swallows || lengths > 1
  }

  /// Why the first argument is no command, if it resembles one and there is no such file.
  private static func unknownCommand(_ name: String, _ tree: CommandTree) -> String? {
    let names = tree.commands.map(\.name)
    guard name.count > 2, !name.hasPrefix("-"), !names.contains(name), access(name, F_OK) != 0
    else { return nil }
    let near = names.map { ($0, NearName.distance($0, name)) }.min { $0.1 < $1.1 }
    guard let near, near.1 <= max(1, name.count / 4) else { return nil }
    return "Unknown command '\(name)'. Did you mean '\(near.0)'?"
  }

  /// Whether options give a length.
  static func asksForLength(_ options: ArraySlice<String>) -> Bool {
    options.contains { option in
      option.hasPrefix("-f")
        || (single + ["--map"]).contains { option == $0 || option.hasPrefix($0 + "=") }
    }
  }

  /// The arguments, read as options and values.
  private struct Walk {
    let tree: CommandTree
    var arguments: ArraySlice<String>
    var command: CommandTree.Command
    var unknown: String?
    var swallowed: String?
    var repeated: String?
    var seen: Set<String> = []

    init(tree: CommandTree, arguments: ArraySlice<String>) {
      self.tree = tree
      let named = tree.commands.first { $0.name == arguments.first }
      command = named ?? tree.defaultCommand
      self.arguments = named == nil ? arguments : arguments.dropFirst()
    }

    mutating func run() {
      while let argument = arguments.popFirst(), argument != "--" {
        if argument.hasPrefix("--") {
          long(argument)
        } else if argument.hasPrefix("-"), argument != "-" {
          short(argument)
        }
      }
    }

    private func option(_ name: String) -> CommandTree.Option? { command.parsedOption(name) }

    private mutating func long(_ argument: String) {
      let name = String(argument.prefix { $0 != "=" })
      guard let option = option(name) else { return refuse(name) }
      take(option, name, valueFollows: name == argument)
    }

    /// A group of flags, the last of which may take a value.
    private mutating func short(_ argument: String) {
      if self.option("-" + argument.prefix { $0 != "=" }) != nil { return refuse(argument) }
      for (place, letter) in argument.dropFirst().enumerated() {
        guard let option = option("-\(letter)") else { return refuse(argument) }
        let isLast = place == argument.count - 2
        take(option, "-\(letter)", valueFollows: isLast)
        if option.value != nil { return }
      }
    }

    private mutating func take(_ option: CommandTree.Option, _ name: String, valueFollows: Bool) {
      if let single = ArgumentProblem.single.first(where: option.names.contains),
        !seen.insert(single).inserted
      {
        let remedy =
          single == "--duration" ? "give it once" : "for both, write \(single) 0.9,1.1"
        repeated = repeated ?? "\(single) is given twice; \(remedy)."
      }
      guard option.value != nil, valueFollows, let value = arguments.popFirst() else { return }
      if ArgumentProblem.greedy.contains(name), self.option(value) != nil {
        swallowed =
          swallowed
          ?? "Missing value for '\(name)': \(value) is an option. "
          + "For a value of this name, write \(option.names.last ?? name)=\(value)."
      }
    }

    private mutating func refuse(_ name: String) {
      if unknown != nil { return }
      let start = "Unknown option '\(name)'"
      if let other = tree.commands.first(where: { command in
        command.options.contains { $0.names.contains(name) }
      }) {
        unknown = "\(start) of \(command.name); it is one of '\(tree.program) \(other.name)'."
      } else if access(name, F_OK) == 0 {
        unknown = "\(start). For the file of this name, write ./\(name)."
      } else if ["--recursive", "-r", "-R"].contains(name),
        command.longNames.contains("--no-recursive")
      {
        unknown = "\(start). Folders are walked recursively without it."
      } else {
        unknown = start + (near(name).map { ". Did you mean '\($0)'?" } ?? ".")
      }
    }

    /// The option that was probably meant.
    private func near(_ name: String) -> String? {
      let names = command.longNames
      if let synonym = ArgumentProblem.synonyms[name],
        names.contains(String(synonym.prefix { $0 != " " }))
      {
        return synonym
      }
      // A full name after a single hyphen.
      let long = "-" + name.prefix { $0 != "=" }
      if !name.hasPrefix("--"), names.contains(long) { return long }
      return CommandTree.nearest(name, among: names)
    }
  }
}

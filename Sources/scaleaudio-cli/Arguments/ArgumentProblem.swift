import AudioModel
import Glibc
import ScaleAudio

/// Explains arguments that the parser refuses, or that it accepts with a meaning that nobody intends.
enum ArgumentProblem {
  /// Options that may be given only once: a second length does not correct the first.
  private static let single = ["--factor", "--tempo", "--speed", "--duration", "--bpm"]
  /// Options whose values may begin with a hyphen, so that they could take the next option as their value.
  private static let greedy = [
    "-o", "--output", "--base", "--suffix", "--include", "--exclude", "--map", "--files-from",
    "--range",
  ]
  /// The options of this program for those of other programs.
  private static let synonyms = [
    "--playback-speed": "--tempo", "--atempo": "--tempo", "--time-stretch": "--tempo",
    "--ratio": "--factor", "--stretch": "--factor", "--scale": "--factor",
    "--length": "--duration", "--time": "--duration", "--seconds": "--duration",
    "--slow": "--tempo", "--slower": "--tempo", "--fast": "--tempo", "--faster": "--tempo",
    "--semitones": "--pitch", "--transpose": "--pitch", "--cents": "--pitch", "--key": "--pitch",
    "--start": "--from", "--begin": "--from", "--end": "--to", "--stop": "--to", "--until": "--to",
    "--force": "--overwrite", "--yes": "--overwrite", "--replace": "--overwrite",
    "--out": "--output", "--out-dir": "--output", "--outdir": "--output", "--outfile": "--output",
    "--output-dir": "--output", "--output-folder": "--output", "--output-file": "--output",
    "--codec": "--format", "--type": "--format", "--depth": "--bits", "--bit-depth": "--bits",
    "--algorithm": "--method",
    "--silent": "--quiet", "--level": "--normalize", "--gain": "--normalize",
    "--keep-pitch": "--tempo", "--preserve-pitch": "--tempo",
    "--samplerate": "--rate", "--sample-rate": "--rate",
    "--parallel": "--jobs", "--workers": "--jobs", "--processes": "--jobs",
    "--input": "--files-from", "--skip": "--skip-existing", "--continue": "--resume",
  ]

  // MARK: Refused arguments

  /// The cause in other words than the parser's `message`; `nil` if those are best.
  static func explanation(
    of message: String, _ arguments: [String], _ tree: CommandTree
  ) -> String? {
    if message.contains(ConvertCommand.nothingAsked), let text = loneNumber(arguments) {
      return text
    }
    if let name = arguments.first, let text = unknownCommand(name, message, tree) { return text }
    // The parser checks values first, so that it may miss a length in place of the option that is wrong.
    let command = command(of: arguments, tree)
    let named = message.firstMatch(of: /Unknown option '(-[^']*)'/).map { String($0.1) }
    if command.name == MergeCommand.configuration.commandName,
      message.lowercased().contains("unexpected argument")
    {
      return "It takes one folder. \(MergeCommand.scope)"
    }
    guard let name = unknownOption(arguments, command) ?? named else {
      return misunderstanding(arguments, tree)
    }
    return "Unknown option '\(name)'" + remedy(forUnknown: name, arguments, command, tree)
  }

  /// The error for a number among files, which other programs take as a speed; `nil` if there is none.
  private static func loneNumber(_ arguments: [String]) -> String? {
    let places = arguments.indices.filter { $0 == 0 || !arguments[$0 - 1].hasPrefix("-") }
    for text in places.map({ arguments[$0] }) where access(text, F_OK) != 0 {
      guard let speed = [text, text + "%"].first(where: { (try? SpeedValue($0)) != nil }) else {
        continue
      }
      return "\(text) is no file; write --tempo \(speed) for the same pitch, or --speed \(speed)."
    }
    return nil
  }

  /// The error for a first argument that resembles a command, or that stands where one would, if there is no such file.
  private static func unknownCommand(
    _ name: String, _ message: String, _ tree: CommandTree
  ) -> String? {
    let names = tree.commands.map(\.name)
    guard name.count > 2, !name.hasPrefix("-"), !names.contains(name), access(name, F_OK) != 0
    else { return nil }
    let near = names.map { ($0, NearName.distance($0, name)) }.min { $0.1 < $1.1 }
    if let near, near.1 <= max(1, name.count / 4) {
      return "Unknown command '\(name)'. Did you mean '\(near.0)'?"
    }
    // With a length, it is an input, whose failure names it.
    guard message.contains(ConvertCommand.nothingAsked), !name.contains("/") else { return nil }
    if name == "version" {
      return "No command or file named 'version'. For the version, write \(tree.program) --version."
    }
    if let answer = OtherPrograms.answer(to: name) {
      return "No command or file named '\(name)'" + answer.text
    }
    return "No command or file named '\(name)'. The commands are "
      + tree.names.dropLast().joined(separator: ", ") + " and \(tree.names.last ?? "")."
  }

  /// The first option that a command does not have; `nil` if it has all. A short one counts by its first letter.
  private static func unknownOption(
    _ arguments: [String], _ command: CommandTree.Command
  ) -> String? {
    var isValue = false
    for argument in arguments.prefix(while: { $0 != "--" }) {
      if isValue {
        isValue = false
      } else if argument.hasPrefix("-") {
        let name = String(argument.prefix { $0 != "=" })
        let option = command.parsedOption(name)
        // -filter:a, which the parser takes for -f with a value.
        let isOther = name.count > 2 && OtherPrograms.answer(to: name) != nil
        let isKnown =
          !isOther && name.hasPrefix("--")
          ? command.option(switchedOffBy: name) != nil
          : !isOther
            && (name.count < 2 || Double(name) != nil
              || command.parsedOption(String(name.prefix(2))) != nil)
        if option == nil, !isKnown { return name }
        isValue = option?.value != nil && name == argument
      }
    }
    return nil
  }

  /// Suggests a replacement for an option.
  private static func remedy(
    forUnknown name: String, _ arguments: [String], _ command: CommandTree.Command,
    _ tree: CommandTree
  ) -> String {
    if command.name == tree.defaultCommand.name, let answer = OtherPrograms.answer(to: name) {
      return answer.text
    }
    if let other = tree.commands.first(where: { $0.option(name) != nil }),
      other.name != command.name
    {
      if command.name == MergeCommand.configuration.commandName { return ". \(MergeCommand.scope)" }
      return " of \(command.name); it is one of '\(tree.program) \(other.name)'."
    }
    if let file = arguments.first(where: { $0.hasPrefix(name) && access($0, F_OK) == 0 }) {
      return ". For the file \(file), write ./\(file)."
    }
    if ["--recursive", "-r", "-R"].contains(name), command.option("--no-recursive") != nil {
      return ". Folders are walked recursively without it."
    }
    if let synonym = synonyms[name], command.option(String(synonym.prefix { $0 != " " })) != nil {
      return ". Did you mean '\(synonym)'?"
    }
    let near = CommandTree.nearest(name, among: command.longNames)
    return near.map { ". Did you mean '\($0)'?" } ?? "."
  }

  private static func command(of arguments: [String], _ tree: CommandTree) -> CommandTree.Command {
    arguments.first.flatMap(tree.command) ?? tree.defaultCommand
  }

  // MARK: Accepted arguments

  /// An option that took another one as its value, or a length given twice; `nil` if there is none.
  static func misunderstanding(_ arguments: [String], _ tree: @autoclosure () -> CommandTree?)
    -> String?
  {
    let typed = arguments.prefix { $0 != "--" }
    let pairs = zip(typed, typed.dropFirst()).filter {
      greedy.contains($0) && $1.hasPrefix("-") && $1 != "-"
    }
    if !pairs.isEmpty, let tree = tree() {
      let command = command(of: arguments, tree)
      for (name, value) in pairs where command.parsedOption(value) != nil {
        let long = command.option(name)?.names.last ?? name
        return "Missing value for '\(name)': \(value) is an option. "
          + "For a value of this name, write \(long)=\(value)."
      }
    }
    let repeated = single.first { name in
      typed.count { isLength($0, name) } > 1
    }
    return repeated.map { name in
      let remedy = name == "--duration" ? "give it once" : "for both, write \(name) 0.9,1.1"
      return "\(name) is given twice; \(remedy)."
    }
  }

  /// The error for a group of letters that the parser takes for a request for help, because an h is among them;
  /// `nil` if there is none.
  static func helpByChance(_ arguments: [String]) -> String? {
    arguments.prefix { $0 != "--" }
      .first { !$0.hasPrefix("--") && $0.hasPrefix("-") && $0.count > 2 && $0.contains("h") }
      .map { "Unknown option '\($0)'." }
  }

  private static func isLength(_ argument: String, _ name: String) -> Bool {
    argument == name || argument.hasPrefix(name + "=")
      || name == "--factor" && argument.hasPrefix("-f")
  }

  /// True when options select the method stretch.
  static func needsStretch(_ options: ArraySlice<String>) -> Bool {
    options.contains { option in
      ["--tempo", "--pitch", "--map", "--formants", "--engine"].contains { isLength(option, $0) }
    }
  }

  /// True when options give a length.
  static func asksForLength(_ options: ArraySlice<String>) -> Bool {
    options.contains { option in (single + ["--map"]).contains { isLength(option, $0) } }
  }
}

import ArgumentParser
import Glibc

/// Parses the arguments of a process and runs the command that they name.
enum CommandLineRun {
  /// Runs the command; `typed` are the arguments without the name of the program.
  static func run(_ typed: [String]) async {
    let arguments = commandFirst(typed)
    do {
      var (command, context) = try parsed(arguments)
      if isHelp(command) { showHelp(arguments) }
      do {
        if let command = command as? any ContextualCommand {
          try command.run(in: context)
        } else if var command = command as? any AsyncParsableCommand {
          try await command.run()
        } else {
          try command.run()
        }
      } catch {
        ScaleAudioCommand.exit(withError: error)
      }
    } catch let error as ConfigurationError {
      Terminal.standardError.write("Error: \(error.message)\n")
      exit(ExitStatus.configuration)
    } catch {
      refuse(error, arguments)
    }
  }

  /// The arguments with the command before `--no-config`, which reads as an option of the program.
  private static func commandFirst(_ arguments: [String]) -> [String] {
    let flags = arguments.prefix { $0 == ConfigurationOptions.name }
    let rest = arguments.dropFirst(flags.count)
    guard let command = rest.first, ScaleAudioCommand.commandNames.contains(command) else {
      return arguments
    }
    let read = ConfiguredRun.others.contains(command) ? [] : flags
    return [command] + read + rest.dropFirst()
  }

  private static func parsed(
    _ arguments: [String]
  ) throws -> (any ParsableCommand, CommandContext) {
    let names = ScaleAudioCommand.commandNames
    if arguments.first == "help", let topic = arguments.dropFirst().first, !topic.hasPrefix("-"),
      !names.contains(topic)
    {
      throw ValidationError(
        "There is no help on '\(topic)'; the commands are \(names.dropLast().joined(separator: ", "))."
      )
    }
    let configuration =
      asksForHelp(arguments)
      ? nil
      : try ConfiguredRun.configuration(
        for: arguments, ScaleAudioCommand.tree)
    var expansion = PresetExpansion(arguments, commands: names, configuration: configuration) {
      ScaleAudioCommand.tree?.command($0)
    }
    let command = try ConfiguredRun.parsed(&expansion, configuration, ScaleAudioCommand.self)
    if let configuration, isVerbose(command) {
      Terminal.standardError.write(ConfiguredRun.lines(expansion, configuration))
    }
    if let convert = command as? ConvertCommand, convert.shard.run != nil {
      try ShardOptions.check(arguments)
    }
    if isForPeople(command) {
      var leftOut = command is PlayCommand ? expansion.leftOut : []
      for option in expansion.conflicts { leftOut.append((option.preset, [option.name])) }
      for (preset, options) in leftOut {
        let names = options.joined(separator: ", ")
        Terminal.notice("preset \(preset): \(expansion.name) leaves out \(names)")
      }
    }
    let problem =
      isHelp(command)
      ? asksForHelp(arguments) ? nil : ArgumentProblem.helpByChance(arguments)
      : ArgumentProblem.misunderstanding(arguments, ScaleAudioCommand.tree)
    if let problem { throw ValidationError(escapedForTerminal(problem)) }
    return (command, CommandContext(arguments: expansion.all, configuration: configuration))
  }

  /// True unless a command reports errors only, or writes JSON.
  private static func isForPeople(_ command: any ParsableCommand) -> Bool {
    switch command {
    case let convert as ConvertCommand: !convert.work.quiet && !convert.work.json
    case let play as PlayCommand: !play.quiet && !play.json
    case let plan as PlanCommand: !plan.quiet
    default: false
    }
  }

  private static func isVerbose(_ command: any ParsableCommand) -> Bool {
    (command as? ConvertCommand)?.work.verbose ?? (command as? PlotCommand)?.work.verbose
      ?? (command as? PlayCommand)?.verbose ?? false
  }

  /// True for the parser's own command, which prints help.
  private static func isHelp(_ command: any ParsableCommand) -> Bool {
    !ScaleAudioCommand.configuration.subcommands.contains { $0 == type(of: command) }
  }

  /// Prints the short help, or that of the program, and exits, if one of them is requested.
  private static func showHelp(_ arguments: [String]) {
    let name = ConvertCommand.configuration.commandName ?? ""
    let isShort = ShortHelp.isAsked(arguments, ScaleAudioCommand.commandNames, default: name)
    guard isShort || ["--help", "help"].contains(where: { arguments == [$0] }) else { return }
    var output = StandardOutput()
    output.write(Array((isShort ? ShortHelp.text : ProgramHelp.text).utf8))
    exit(output.status)
  }

  /// True if help or the version is requested; a group of letters that contains an h does not count.
  private static func asksForHelp(_ arguments: [String]) -> Bool {
    arguments.first == "help"
      || arguments.prefix { $0 != "--" }.contains {
        ["-h", "--help", "--version"].contains($0) || $0.hasPrefix("--experimental")
          || $0.hasPrefix("--generate") || $0.hasPrefix("---")
      }
  }

  /// Prints why the arguments are refused, or the requested help or version, and exits.
  private static func refuse(_ error: any Error, _ arguments: [String]) -> Never {
    guard ScaleAudioCommand.exitCode(for: error).rawValue == ExitStatus.usage
    else { ScaleAudioCommand.exit(withError: error) }
    var message = ScaleAudioCommand.fullMessage(for: error)
    if let tree = ScaleAudioCommand.tree,
      let text = ArgumentProblem.explanation(of: message, arguments, tree)
    {
      let usage = message.firstRange(of: "\nUsage:").map { message[$0.lowerBound...] } ?? ""
      message = "Error: \(escapedForTerminal(text))" + usage
    }
    // The usage is shown if nothing was typed; an error names its cause and where to read more.
    if !arguments.isEmpty, let usage = message.firstRange(of: "\nUsage:"),
      let help = message[usage.upperBound...].firstRange(of: "\n  See ")
    {
      message.replaceSubrange(usage.lowerBound..<help.upperBound, with: "\nSee ")
    }
    // A message may contain an unprintable argument as it was typed.
    for argument in arguments {
      for text in [argument, String(argument.drop { $0 != "=" }.dropFirst())] {
        if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { continue }
        let shown = escapedForTerminal(RawArgument.path(of: text))
        if !text.isEmpty, shown != text { message = message.replacing(text, with: shown) }
      }
    }
    Terminal.standardError.write(message + "\n")
    exit(ExitStatus.usage)
  }
}

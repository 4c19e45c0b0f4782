import ArgumentParser
import AudioModel
internal import FoundationEssentials

/// The commands of the program with their options, as shells and messages need them.
struct CommandTree {
  struct Command {
    let name: String
    /// Its purpose, on one line.
    let purpose: String
    let options: [Option]
    /// Options that help and completions leave out: they are parsed to say why they do not apply.
    let hidden: [Option]
    /// What may follow the options.
    let operands: Value?

    /// The option of a name with its hyphens.
    func option(_ name: String) -> Option? { options.first { $0.names.contains(name) } }
    /// The same, also if it is hidden.
    func parsedOption(_ name: String) -> Option? {
      option(name) ?? hidden.first { $0.names.contains(name) }
    }
    var longNames: [String] { options.flatMap(\.names).filter { $0.hasPrefix("--") } }
  }

  struct Option {
    /// With their hyphens: `-f`, `--factor`.
    let names: [String]
    let purpose: String
    let isRepeating: Bool
    /// `nil` for a flag.
    let value: Value?
  }

  /// What a value can be.
  enum Value: Equatable {
    case words([String])
    case file
    /// Words that this command of a shell prints, one per line.
    case printed(by: String)
    /// Anything else, under this name.
    case text(String)
  }

  let program: String
  let commands: [Command]
  /// The command that may be left out.
  let defaultCommand: Command

  var names: [String] { commands.map(\.name) }

  func command(_ name: String) -> Command? { commands.first { $0.name == name } }
}

extension CommandTree {
  /// The name that was probably meant by another.
  static func nearest(_ name: String, among names: [String]) -> String? {
    guard name.count > 4 else { return nil }
    let close = names.map { ($0, NearName.distance($0, name)) }.min { $0.1 < $1.1 }
    if let close, close.1 <= max(1, name.count / 4) { return close.0 }
    return names.first { $0.hasPrefix(name) || $0.hasSuffix(name.dropFirst(2)) }
  }
}

extension CommandTree {
  /// The tree from the description that the argument parser makes of a program; `nil` if it has another
  /// form.
  init?(description: String) {
    guard
      let root = Description(description)?.command, let found = root.subcommands
    else { return nil }
    let names = found.map(\.commandName)
    let commands = found.map { $0.command(names: names) }
    guard let defaultCommand = commands.first(where: { $0.name == root.defaultSubcommand }) else {
      return nil
    }
    self.init(program: root.commandName, commands: commands, defaultCommand: defaultCommand)
  }

  fileprivate struct Description: Decodable {
    /// The description that the argument parser makes of a program; `nil` if it has another form.
    init?(_ text: String) {
      guard let found = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else {
        return nil
      }
      self = found
    }

    let command: CommandDescription
  }

  fileprivate struct CommandDescription: Decodable {
    let commandName: String
    let abstract: String?
    let defaultSubcommand: String?
    let subcommands: [CommandDescription]?
    let arguments: [ArgumentDescription]?

    /// The command; `names` are those of all commands.
    func command(names: [String]) -> Command {
      let all = arguments ?? []
      let shown = all.filter { $0.shouldDisplay ?? true }
      let hidden = all.filter { !($0.shouldDisplay ?? true) && $0.kind != "positional" }
      // The program describes no arguments of the command that prints help.
      let isHelp = commandName == "help"
      return Command(
        name: commandName, purpose: abstract ?? "",
        options: shown.filter { $0.kind != "positional" }.map(\.option),
        hidden: hidden.map(\.option),
        operands: isHelp
          ? .words(names.filter { $0 != "help" }) : shown.first { $0.kind == "positional" }?.value)
    }
  }

  fileprivate struct ArgumentDescription: Decodable {
    let kind: String
    let shouldDisplay: Bool?
    let isRepeating: Bool
    let names: [Name]?
    let valueName: String?
    let abstract: String?
    let completionKind: Completion?

    struct Name: Decodable { let kind, name: String }
    struct Completion: Decodable {
      struct List: Decodable { let values: [String] }
      struct Files: Decodable {}
      struct Command: Decodable { let command: String }
      let list: List?
      let file: Files?
      let shellCommand: Command?
    }

    var option: Option {
      Option(
        names: (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name },
        purpose: abstract ?? "", isRepeating: isRepeating, value: kind == "flag" ? nil : value)
    }

    var value: Value {
      if let list = completionKind?.list { return .words(list.values) }
      if let command = completionKind?.shellCommand { return .printed(by: command.command) }
      return completionKind?.file != nil ? .file : .text(valueName ?? "value")
    }
  }
}

extension CommandTree.Command {
  /// One command by itself, without the others of its program; `nil` if its description has an unknown form.
  init?(of command: any ParsableCommand.Type) {
    guard let found = CommandTree.Description(command._dumpHelp())?.command else { return nil }
    self = found.command(names: [])
  }
}

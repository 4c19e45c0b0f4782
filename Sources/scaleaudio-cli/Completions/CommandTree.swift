import ArgumentParser
import AudioModel
internal import FoundationEssentials

/// The commands of the program with their options, for completions, the man page and messages.
struct CommandTree {
  struct Command {
    let name: String
    /// Its purpose, on one line.
    let purpose: String
    /// Its help without the options.
    let discussion: String
    /// The entries of its help, in order: options, and operands, which have no names.
    let entries: [Option]
    /// Options that help and completions omit: they are parsed only to explain why they do not apply.
    let hidden: [Option]
    /// The kind of the operands after the options.
    let operands: Value?

    var options: [Option] { entries.filter { !$0.names.isEmpty } }
    /// The option with a name, including its hyphens.
    func option(_ name: String) -> Option? { options.first { $0.names.contains(name) } }
    /// The same, including hidden options.
    func parsedOption(_ name: String) -> Option? {
      option(name) ?? hidden.first { $0.names.contains(name) }
    }
    var longNames: [String] { options.flatMap(\.names).filter { $0.hasPrefix("--") } }
  }

  struct Option: Equatable {
    /// With their hyphens: `-f`, `--factor`.
    var names: [String]
    let purpose: String
    /// The rest of its help.
    let discussion: String
    /// The title of its group; `nil` for none.
    let group: String?
    let isRepeating: Bool
    /// `nil` for a flag.
    let value: Value?
    /// The name of the value in its help, as in `--rate <hz>`.
    let valueName: String
    /// All values, if they are few words; otherwise empty.
    let choices: [String]
    /// The value without the option; `nil` if there is none.
    let initial: String?
  }

  /// The kind of a value.
  enum Value: Equatable {
    case words([String])
    case file
    /// Words that this shell command prints, one per line.
    case printed(by: String)
    /// Any other value, with this name.
    case text(String)
  }

  let program: String
  let commands: [Command]
  /// The command that may be omitted.
  let defaultCommand: Command

  var names: [String] { commands.map(\.name) }

  func command(_ name: String) -> Command? { commands.first { $0.name == name } }
}

extension CommandTree {
  /// The most similar of `names`, which was probably meant.
  static func nearest(_ name: String, among names: [String]) -> String? {
    guard name.count > 4 else { return nil }
    let close = names.map { ($0, NearName.distance($0, name)) }.min { $0.1 < $1.1 }
    if let close, close.1 <= max(1, name.count / 4) { return close.0 }
    return names.first { $0.hasPrefix(name) || $0.hasSuffix(name.dropFirst(2)) }
  }
}

extension CommandTree {
  /// Parses the description that the argument parser generates for a program; `nil` if its form is unknown.
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
    /// Parses the description that the argument parser generates for a program; `nil` if its form is unknown.
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
    let abstract, discussion: String?
    let defaultSubcommand: String?
    let subcommands: [CommandDescription]?
    let arguments: [ArgumentDescription]?

    /// The command; `names` are the names of all commands.
    func command(names: [String]) -> Command {
      let all = arguments ?? []
      let shown = all.filter { $0.shouldDisplay ?? true }
      let hidden = all.filter { !($0.shouldDisplay ?? true) && $0.kind != "positional" }
      // The description omits the arguments of the command that prints help.
      let isHelp = commandName == "help"
      return Command(
        name: commandName, purpose: abstract ?? "", discussion: discussion ?? "",
        entries: shown.map(\.option),
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
    let valueName, sectionTitle: String?
    let abstract, discussion, defaultValue: String?
    let allValues: [String]?
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
      // An option that may stand without a value, for which nothing is offered, is completed as a flag.
      let isFlag = kind == "flag" || completionKind?.list?.values.isEmpty == true
      return Option(
        names: (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name },
        purpose: abstract ?? "", discussion: discussion ?? "", group: sectionTitle,
        isRepeating: isRepeating, value: isFlag ? nil : value, valueName: valueName ?? "value",
        choices: allValues ?? [], initial: kind == "option" ? defaultValue : nil)
    }

    var value: Value {
      if let list = completionKind?.list { return .words(list.values) }
      if let command = completionKind?.shellCommand { return .printed(by: command.command) }
      return completionKind?.file != nil ? .file : .text(valueName ?? "value")
    }
  }
}

extension CommandTree.Command {
  /// A single command, without the others of its program; `nil` if its description has an unknown form.
  init?(of command: any ParsableCommand.Type) {
    guard let found = CommandTree.Description(command._dumpHelp())?.command else { return nil }
    self = found.command(names: [])
  }
}

/// Completions for fish: a line for each option of each command.
struct FishCompletion {
  let tree: CommandTree

  var text: String {
    """
    # Completions of \(tree.program) for fish.

    # Whether the command line is for one of these commands; \(tree.defaultCommand.name) is the default.
    function \(uses)
        set -l words (commandline -opc)
        if contains -- "$words[2]" \(tree.names.joined(separator: " "))
            contains -- $words[2] $argv
        else
            contains -- \(tree.defaultCommand.name) $argv
        end
    end

    # The first word is a command or a file.
    \(tree.commands.map(commandLine).joined(separator: "\n"))

    \(tree.commands.map(optionLines).joined(separator: "\n"))

    """
  }

  private var uses: String { "__\(tree.program)_uses" }

  private func commandLine(_ command: CommandTree.Command) -> String {
    "complete -c \(tree.program) -n 'test (count (commandline -opc)) -eq 1'"
      + " -a \(command.name) -d \(quoted(command.purpose))"
  }

  private func optionLines(_ command: CommandTree.Command) -> String {
    let start = "complete -c \(tree.program) -n '\(uses) \(command.name)'"
    var lines = command.options.map { option in
      let names = option.names.map { name in
        name.hasPrefix("--") ? "-l \(name.dropFirst(2))" : "-s \(name.dropFirst())"
      }
      return ([start] + names + [value(option), "-d \(quoted(option.purpose))"])
        .filter { !$0.isEmpty }.joined(separator: " ")
    }
    switch command.operands {
    case .file: break
    case .words(let words): lines.append("\(start) -f -a \(quoted(words.joined(separator: " ")))")
    case .text, .printed, nil: lines.append("\(start) -f")
    }
    return lines.joined(separator: "\n")
  }

  private func value(_ option: CommandTree.Option) -> String {
    switch option.value {
    case nil: ""
    case .words(let words): "-x -a \(quoted(words.joined(separator: " ")))"
    case .printed(let command): "-x -a \(quoted("(\(command))"))"
    case .file: "-r -F"
    case .text: "-x"
    }
  }

  private func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}

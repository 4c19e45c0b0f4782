/// Completions for zsh: a function for each command, which describes its arguments to `_arguments`.
struct ZshCompletion {
  let tree: CommandTree

  var text: String {
    """
    #compdef \(tree.program)
    # Completions of \(tree.program) for zsh.

    \(function)() {
      local curcontext="$curcontext" command=\(tree.defaultCommand.name)
      local -a commands=(
    \(tree.commands.map { "    " + CompletionScript.quoted("\($0.name):\($0.purpose)") }.joined(separator: "\n"))
      )
      if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
        # The first word is a command or a file.
        _alternative 'files:file:_files' \\
          "commands:command:{_describe -t commands command commands}"
        return
      fi
      if (( CURRENT > 2 )) && [[ $words[2] == (\(tree.names.joined(separator: "|"))) ]]; then
        command=$words[2]
        shift words
        (( CURRENT-- ))
      fi
      \(function)_$command
    }

    \(tree.commands.map(definition).joined(separator: "\n\n"))

    if [[ $funcstack[1] == \(function) ]]; then
      \(function) "$@"
    else
      compdef \(function) \(tree.program)
    fi

    """
  }

  private var function: String { "_" + tree.program }

  private func definition(of command: CommandTree.Command) -> String {
    var lines = command.options.flatMap(specifications)
    if let operands = command.operands {
      lines.append(CompletionScript.quoted("*:\(name(operands)):" + action(operands)))
    }
    return "\(function)_\(command.name)() {\n  _arguments -s -S : \\\n"
      + lines.map { "    " + $0 }.joined(separator: " \\\n") + "\n}"
  }

  /// `'(-f --factor)-f+[Output length]:factor: '`, one for each name.
  private func specifications(of option: CommandTree.Option) -> [String] {
    let others = option.isRepeating ? "*" : "(\(option.names.joined(separator: " ")))"
    return option.names.map { name in
      let ending = option.value == nil ? "" : name.hasPrefix("--") ? "=" : "+"
      let value = option.value.map { ":\(self.name($0)):\(action($0))" } ?? ""
      return CompletionScript.quoted(
        "\(others)\(name)\(ending)[\(escaped(option.purpose, "[]"))]\(value)")
    }
  }

  private func name(_ value: CommandTree.Value) -> String {
    switch value {
    case .words, .printed: "value"
    case .file: "file"
    case .text(let name): escaped(name, ":")
    }
  }

  private func action(_ value: CommandTree.Value) -> String {
    switch value {
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .file: "_files"
    case .printed(let command): "{compadd -- ${(f)\"$(\(command))\"}}"
    case .text: " "
    }
  }

  /// The text with backslashes before these characters, and before backslashes.
  private func escaped(_ text: String, _ special: String) -> String {
    text.reduce(into: "") { shown, character in
      if special.contains(character) || character == "\\" { shown.append("\\") }
      shown.append(character)
    }
  }
}

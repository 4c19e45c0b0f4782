/// Completions for bash: a function, and `complete`, which completes files where the function has no words.
struct BashCompletion {
  let tree: CommandTree

  var text: String {
    """
    # Completions of \(tree.program) for bash.

    \(function)() {
      local command=\(tree.defaultCommand.name) cur=$2 option=${COMP_WORDS[COMP_CWORD - 1]} words= only= index
      COMPREPLY=()

      # Bash takes --name=value as three words.
      if [[ $cur == = ]]; then
        cur=
      elif [[ $option == = ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
      fi

      if ((COMP_CWORD > 1)); then
        case ${COMP_WORDS[1]} in
          \(tree.names.joined(separator: "|"))) command=${COMP_WORDS[1]} ;;
        esac
      elif [[ $cur != -* ]]; then
        # The first word is a command or a file.
        COMPREPLY=($(compgen -W \(CompletionScript.quoted(tree.names.joined(separator: " "))) -- "$cur"))
        if ((${#COMPREPLY[@]})); then
          compopt -o filenames
          while IFS= read -r index; do COMPREPLY+=("$index"); done < <(compgen -f -- "$cur")
        fi
        return
      fi

      # Only operands follow --.
      for ((index = 1; index < COMP_CWORD; index++)); do
        [[ ${COMP_WORDS[index]} == -- ]] && only=operands option=
      done

      case $command:$option in
    \(tree.commands.map(values).joined(separator: "\n"))
      esac

      case $command in
    \(tree.commands.map(words).joined(separator: "\n"))
      esac
      if [[ $cur == -* && ! $only ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$cur"))
      fi
    }

    complete -o bashdefault -o default -F \(function) \(tree.program)

    """
  }

  private var function: String { "_" + tree.program }

  /// Cases that complete the value of an option, and return.
  private func values(of command: CommandTree.Command) -> String {
    command.options.compactMap { option in
      guard let value = option.value else { return nil }
      let patterns = option.names.map { "\(command.name):\($0)" }.joined(separator: "|")
      return "    \(patterns)) \(action(value)); return ;;"
    }.joined(separator: "\n")
  }

  private func action(_ value: CommandTree.Value) -> String {
    switch value {
    case .file: ":"
    case .text: "compopt +o bashdefault +o default"
    case .words(let words):
      "COMPREPLY=($(compgen -W \(CompletionScript.quoted(words.joined(separator: " "))) -- \"$cur\")); "
        + "compopt +o bashdefault +o default"
    case .printed(let command):
      "COMPREPLY=($(compgen -W \"$(\(command))\" -- \"$cur\")); compopt +o bashdefault +o default"
    }
  }

  /// A case with the options of a command, and with the operands that are not files.
  private func words(of command: CommandTree.Command) -> String {
    let names = command.options.flatMap(\.names).joined(separator: " ")
    let start = "    \(command.name)) words=\(CompletionScript.quoted(names))"
    switch command.operands {
    case .file: return start + " ;;"
    case let operands:
      var words: [String] = []
      if case .words(let some) = operands { words = some }
      return start + "\n      compopt +o bashdefault +o default\n"
        + "      COMPREPLY=($(compgen -W \(CompletionScript.quoted(words.joined(separator: " "))) -- \"$cur\")) ;;"
    }
  }
}

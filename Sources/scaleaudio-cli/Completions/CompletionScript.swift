/// A script with which a shell completes the program's options, their values and files.
enum CompletionScript: String, CaseIterable {
  case bash, zsh, fish

  /// The script for a program.
  func text(for tree: CommandTree) -> String {
    switch self {
    case .bash: BashCompletion(tree: tree).text
    case .zsh: ZshCompletion(tree: tree).text
    case .fish: FishCompletion(tree: tree).text
    }
  }

  /// The text as one shell word, in single quotes.
  static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }
}

/// The characters that a terminal can show, according to its environment variables.
enum TerminalGlyphs {
  /// Only those of ASCII.
  case ascii
  /// Those of code page 437, which the console of Linux has.
  case console
  /// All of Unicode.
  case unicode

  /// The characters of the locale; without one, those of most terminals.
  init(_ variable: (String) -> String?) {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty }
    let name = locale?.lowercased() ?? "utf-8"
    if !name.contains("utf-8") && !name.contains("utf8") {
      self = .ascii
    } else {
      self = variable("TERM") == "linux" ? .console : .unicode
    }
  }

  /// The text with a question mark for each character that cannot be shown.
  func shown(_ text: String) -> String {
    guard self == .ascii else { return text }
    return String(
      text.flatMap { character -> [Character] in
        character.isASCII
          ? [character] : Array(repeating: "?", count: DisplayWidth.columns(String(character)))
      })
  }
}

import ScaleAudio
import Waveforms

/// The abilities of a terminal according to its environment variables. The terminal is not queried, because waiting
/// for a terminal that does not answer would take time.
struct TerminalAbilities: Equatable {
  /// The colors of text.
  var colors: TextColors
  /// The protocol for pictures; `nil` if it is not known to support any.
  var graphics: TerminalGraphics?
  /// True if its background is light; `nil` if unknown.
  var isLight: Bool?

  /// The abilities according to environment variables; `isTerminal` is whether the output is a terminal at all.
  init(isTerminal: Bool, _ variable: (String) -> String?) {
    let kind = variable("TERM") ?? ""
    let program = variable("TERM_PROGRAM") ?? ""
    colors = Self.colors(isTerminal: isTerminal, kind: kind, variable)
    graphics = Self.graphics(kind: kind, program: program, variable)
    isLight = Self.isLight(variable("COLORFGBG"))
  }

  /// https://no-color.org, https://bixense.com/clicolors, https://github.com/termstandard/colors
  private static func colors(
    isTerminal: Bool, kind: String, _ variable: (String) -> String?
  ) -> TextColors {
    if let refusal = variable("NO_COLOR"), !refusal.isEmpty { return .none }
    let isForced = variable("CLICOLOR_FORCE").map { !$0.isEmpty && $0 != "0" } ?? false
    guard isTerminal || isForced else { return .none }
    if kind.isEmpty || kind == "dumb" { return isForced ? .basic : .none }
    if ["truecolor", "24bit"].contains(variable("COLORTERM") ?? "") { return .full }
    if kind.hasSuffix("-direct") || kind.hasPrefix("xterm-kitty") || kind.hasPrefix("xterm-ghostty")
    {
      return .full
    }
    return kind.contains("256color") || kind.hasPrefix("foot") ? .palette : .basic
  }

  private static func graphics(
    kind: String, program: String, _ variable: (String) -> String?
  ) -> TerminalGraphics? {
    // Multiplexers inherit the variables of the surrounding terminal, but drop its pictures.
    if variable("TMUX") != nil || variable("STY") != nil { return nil }
    if kind.hasPrefix("tmux") || kind.hasPrefix("screen") || kind == "dumb" { return nil }
    if variable("KITTY_WINDOW_ID") != nil || kind.hasPrefix("xterm-kitty") { return .kitty }
    if program == "ghostty" || kind.hasPrefix("xterm-ghostty") { return .kitty }
    let programs = ["WezTerm", "iTerm.app", "mintty", "contour"]
    let kinds = ["foot", "mlterm", "contour", "yaft"]
    if programs.contains(program) || kinds.contains(where: kind.hasPrefix) { return .sixel }
    return kind.contains("sixel") ? .sixel : nil
  }

  /// True if the background is light according to `COLORFGBG`: the numbers of two of sixteen colors,
  /// sometimes with a word between them.
  private static func isLight(_ colors: String?) -> Bool? {
    guard let last = colors?.split(separator: ";").last, let index = Int(last) else { return nil }
    return index == 7 || index > 8
  }
}

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

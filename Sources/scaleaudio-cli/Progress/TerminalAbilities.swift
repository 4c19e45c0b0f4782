import ScaleAudio
import Waveforms

/// What the terminal can show, as far as its environment tells: it is not asked, because a terminal that does
/// not answer would have to be waited for.
struct TerminalAbilities: Equatable {
  /// The colors of text.
  var colors: TextColors
  /// How it takes pictures; `nil` where it is not known to.
  var graphics: TerminalGraphics?
  /// Whether its ground is light; `nil` where that is not known.
  var isLight: Bool?

  /// The abilities that environment variables tell; `isTerminal` says whether the output is one at all.
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
    // Multiplexers inherit the variables of the terminal around them and swallow its pictures.
    if variable("TMUX") != nil || variable("STY") != nil { return nil }
    if kind.hasPrefix("tmux") || kind.hasPrefix("screen") || kind == "dumb" { return nil }
    if variable("KITTY_WINDOW_ID") != nil || kind.hasPrefix("xterm-kitty") { return .kitty }
    if program == "ghostty" || kind.hasPrefix("xterm-ghostty") { return .kitty }
    let programs = ["WezTerm", "iTerm.app", "mintty", "contour"]
    let kinds = ["foot", "mlterm", "contour", "yaft"]
    if programs.contains(program) || kinds.contains(where: kind.hasPrefix) { return .sixel }
    return kind.contains("sixel") ? .sixel : nil
  }

  /// Whether the ground is light, by what rxvt and others say of it: the numbers of two of sixteen colors, and
  /// something between them at times.
  private static func isLight(_ colors: String?) -> Bool? {
    guard let last = colors?.split(separator: ";").last, let index = Int(last) else { return nil }
    return index == 7 || index > 8
  }
}

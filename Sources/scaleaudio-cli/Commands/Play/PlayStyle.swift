import Waveforms

/// The characters and colors of the screen of `play`.
struct PlayStyle {
  let glyphs: TerminalGlyphs
  let usesColor: Bool

  init(glyphs: TerminalGlyphs, colors: TextColors) {
    self.glyphs = glyphs
    usesColor = colors != .none
  }

  func bold(_ text: String) -> String { styled("1", text) }
  func faint(_ text: String) -> String { styled("2", text) }
  /// Styles the part that was played.
  func played(_ text: String) -> String { styled("36", text) }

  private func styled(_ code: String, _ text: String) -> String {
    usesColor && !text.isEmpty ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }

  // MARK: - The waveform

  /// Parts of a character's height, from nothing to all of it.
  var heights: [Character] {
    switch glyphs {
    case .ascii: Array(" .:|")
    case .console: Array(" ▄█")
    case .unicode: Array(" ▁▂▃▄▅▆▇█")
    }
  }

  // MARK: - The line of positions

  /// A piece of the line, and one with the start of a chapter.
  func line(isPlayed: Bool) -> (plain: Character, chapter: Character) {
    switch (glyphs, isPlayed) {
    case (.ascii, true): ("=", "'")
    case (.ascii, false): ("-", "'")
    case (.console, true): ("═", "╧")
    case (.console, false): ("─", "┴")
    case (.unicode, true): ("━", "┻")
    case (.unicode, false): ("─", "┴")
    }
  }

  /// The character at the current position.
  var head: Character { glyphs == .ascii ? "O" : glyphs == .console ? "█" : "●" }

  // MARK: - Meters

  var bar: Character { glyphs == .ascii ? "=" : glyphs == .console ? "▄" : "▆" }
  var peak: Character { glyphs == .ascii ? "|" : "│" }

  /// A bar whose characters are colored by their level: up to -18 dB, up to -6, and above.
  func bar(_ text: [Character], level: (Int) -> Double) -> String {
    guard usesColor else { return String(text) }
    var (shown, last) = ("", "")
    for (column, character) in text.enumerated() {
      let level = level(column)
      let code = level < -18 ? "32" : level < -6 ? "33" : "31"
      if code != last, character != " " {
        shown += "\u{1b}[\(code)m"
        last = code
      }
      shown.append(character)
    }
    return shown + (last.isEmpty ? "" : "\u{1b}[0m")
  }
}

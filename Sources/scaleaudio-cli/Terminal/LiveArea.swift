/// The redrawn lines at the end of a terminal.
///
/// The cursor is at their start. Text that a person types there, such as `^C`, is overwritten. If the window has
/// become narrower, the lines drawn last are still below the cursor, however they wrapped.
struct LiveArea {
  /// True while lines are drawn.
  private(set) var isDrawn = false

  /// The text that prints permanent lines and draws `lines` below them, replacing the lines drawn last.
  mutating func redraw(_ lines: [String], below permanent: [String], columns: Int) -> String {
    let text =
      printed(permanent, columns: columns) + lines.joined(separator: Escape.eraseRight + "\n")
      + Escape.eraseBelow
    let back = "\r" + (lines.count > 1 ? Escape.up(lines.count - 1) : "")
    isDrawn = true
    return Escape.hideCursor + text + back + Escape.showCursor
  }

  /// The text that redraws those of the lines drawn last, `before`, that differ from the same number of new lines.
  func update(_ lines: [String], from before: [String]) -> String {
    var text = ""
    var row = 0
    for (index, (line, old)) in zip(lines, before).enumerated() where line != old {
      text += (index > row ? Escape.down(index - row) : "") + "\r" + line + Escape.eraseRight
      row = index
    }
    if text.isEmpty { return "" }
    return Escape.hideCursor + text + "\r" + (row > 0 ? Escape.up(row) : "") + Escape.showCursor
  }

  /// The text that replaces the lines drawn last by permanent `lines`.
  mutating func replace(with lines: [String], columns: Int) -> String {
    let text = printed(lines, columns: columns) + (isDrawn ? Escape.eraseBelow : "")
    isDrawn = false
    return text
  }

  /// Permanent lines that replace the first lines drawn.
  ///
  /// Nothing is erased first: overwriting does not flicker, and some terminals save a screen in their history
  /// when it is erased from its first row.
  private func printed(_ lines: [String], columns: Int) -> String {
    let start = isDrawn ? "\r" : ""
    return start
      + lines.map { line in
        // After the last column, the terminal would erase that column.
        let fillsItsRow = DisplayWidth.columns(line) % max(1, columns) == 0 && !line.isEmpty
        return line + (isDrawn && !fillsItsRow ? Escape.eraseRight : "") + "\n"
      }.joined()
  }
}

/// Control sequences of ECMA-48, and DEC's for the cursor.
enum Escape {
  static let eraseRight = "\u{1b}[K"
  static let eraseBelow = "\u{1b}[J"
  // The cursor is hidden only while a frame is drawn, so that it is visible however the program ends.
  static let hideCursor = "\u{1b}[?25l"
  static let showCursor = "\u{1b}[?25h"

  static func up(_ rows: Int) -> String { "\u{1b}[\(rows)A" }
  static func down(_ rows: Int) -> String { "\u{1b}[\(rows)B" }
  static func go(row: Int, column: Int) -> String { "\u{1b}[\(row);\(column)H" }

  static let eraseWindow = "\u{1b}[0m\u{1b}[2J"
  /// Takes the other screen of the terminal, hides its cursor, has long lines cut off, and has the terminal report buttons
  /// of the mouse, and movements while one is pressed, in the form of SGR.
  static let takeWindow = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l\u{1b}[?1002h\u{1b}[?1006h"
  /// Undoes ``takeWindow``. The other screen is erased first: tmux may keep lines of it if the size has changed.
  static let leaveWindow =
    "\u{1b}[?1006l\u{1b}[?1002l\u{1b}[?7h\u{1b}[0m\u{1b}[H\u{1b}[2J\u{1b}[?25h\u{1b}[?1049l"
}

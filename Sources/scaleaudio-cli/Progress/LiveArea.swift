/// The lines at the end of a terminal that are drawn again and again.
struct LiveArea {
  /// What was drawn last; the cursor stands after the last of these lines.
  private var drawn: [String] = []

  /// The text that puts `lines` in the place of the lines drawn last.
  ///
  /// `columns` is the width of the window as it is now: when it has become narrower since, the lines
  /// drawn last have been wrapped into more rows.
  mutating func redraw(_ lines: [String], columns: Int) -> String {
    let text = eraser(columns: columns) + lines.joined(separator: "\n")
    drawn = lines
    return Escape.hideCursor + text + Escape.showCursor
  }

  /// The text that puts `lines` for good in the place of the lines drawn last.
  mutating func replace(with lines: [String], columns: Int) -> String {
    let text = eraser(columns: columns) + lines.map { $0 + "\n" }.joined()
    drawn = []
    return text
  }

  /// Moves to the first column of the first row drawn and erases from there.
  private func eraser(columns: Int) -> String {
    if drawn.isEmpty { return "" }
    let rows = drawn.reduce(0) { sum, line in
      sum + max(1, (DisplayWidth.columns(line) + columns - 1) / max(1, columns))
    }
    return "\r" + (rows > 1 ? Escape.up(rows - 1) : "") + Escape.eraseBelow
  }
}

/// Control sequences of ECMA-48, and DEC's for the cursor.
enum Escape {
  static let eraseBelow = "\u{1b}[J"
  // The cursor is hidden only while a frame is drawn, so that however the program ends or is
  // stopped, it never leaves the shell without one.
  static let hideCursor = "\u{1b}[?25l"
  static let showCursor = "\u{1b}[?25h"

  static func up(_ rows: Int) -> String { "\u{1b}[\(rows)A" }
}

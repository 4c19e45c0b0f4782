/// The lines at the end of a terminal that are drawn again and again.
struct LiveArea {
  /// What was drawn last; the cursor stands after the last of these lines.
  private var drawn: [String] = []

  /// The text that puts `lines` in the place of the lines drawn last.
  ///
  /// `columns` is the width of the window as it is now: when it has become narrower since, the lines
  /// drawn last have been wrapped into more rows.
  mutating func redraw(_ lines: [String], columns: Int) -> String {
    let text = backToStart(columns: columns) + lines.joined(separator: Escape.eraseRight + "\n")
    drawn = lines
    return Escape.hideCursor + text + Escape.eraseBelow + Escape.showCursor
  }

  /// The text that puts `lines` for good in the place of the lines drawn last.
  mutating func replace(with lines: [String], columns: Int) -> String {
    let ending = (drawn.isEmpty ? "" : Escape.eraseRight) + "\n"
    let text = backToStart(columns: columns) + lines.map { $0 + ending }.joined()
    defer { drawn = [] }
    return drawn.isEmpty ? text : text + Escape.eraseBelow
  }

  /// Moves to the first column of the first row drawn.
  ///
  /// Nothing is erased there and then: what is overwritten in place does not flicker, and some
  /// terminals keep a copy in their history of a screen that is erased from its first row.
  private func backToStart(columns: Int) -> String {
    if drawn.isEmpty { return "" }
    let rows = drawn.reduce(0) { sum, line in
      sum + max(1, (DisplayWidth.columns(line) + columns - 1) / max(1, columns))
    }
    return "\r" + (rows > 1 ? Escape.up(rows - 1) : "")
  }
}

/// Control sequences of ECMA-48, and DEC's for the cursor.
enum Escape {
  static let eraseRight = "\u{1b}[K"
  static let eraseBelow = "\u{1b}[J"
  // The cursor is hidden only while a frame is drawn, so that however the program ends or is
  // stopped, it never leaves the shell without one.
  static let hideCursor = "\u{1b}[?25l"
  static let showCursor = "\u{1b}[?25h"

  static func up(_ rows: Int) -> String { "\u{1b}[\(rows)A" }
}

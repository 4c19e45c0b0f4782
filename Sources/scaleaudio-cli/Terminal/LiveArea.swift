/// The redrawn lines at the end of a terminal.
struct LiveArea {
  /// The lines drawn last; the cursor is at their end.
  private var drawn: [String] = []

  /// The text that replaces the lines drawn last by `lines`.
  ///
  /// `columns` is the current width of the window: in a window that has become narrower, the lines drawn last
  /// are wrapped into more rows.
  mutating func redraw(_ lines: [String], columns: Int) -> String {
    let text = backToStart(columns: columns) + lines.joined(separator: Escape.eraseRight + "\n")
    drawn = lines
    return Escape.hideCursor + text + Escape.eraseBelow + Escape.showCursor
  }

  /// The text that replaces the lines drawn last by permanent `lines`.
  mutating func replace(with lines: [String], columns: Int) -> String {
    let ending = (drawn.isEmpty ? "" : Escape.eraseRight) + "\n"
    let text = backToStart(columns: columns) + lines.map { $0 + ending }.joined()
    defer { drawn = [] }
    return drawn.isEmpty ? text : text + Escape.eraseBelow
  }

  /// Moves to the first column of the first row drawn.
  ///
  /// Nothing is erased first: overwriting does not flicker, and some terminals save a screen in their history
  /// when it is erased from its first row.
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
  // The cursor is hidden only while a frame is drawn, so that it is visible however the program ends.
  static let hideCursor = "\u{1b}[?25l"
  static let showCursor = "\u{1b}[?25h"

  static func up(_ rows: Int) -> String { "\u{1b}[\(rows)A" }
}

import Waveforms

/// The characters of a window, each with its colors.
struct PlayGrid: Equatable {
  /// A character of one column, or one half of a wide one.
  struct Cell: Equatable {
    /// Its scalar; 0 in the second half of a wide character.
    var scalar: UInt32 = 0x20
    /// A mark that is combined with it; 0 for none.
    var mark: UInt32 = 0
    var ink = PlayColor.text
    var ground = PlayColor.ground
    var isBold = false

    fileprivate func hasLook(of other: Cell?) -> Bool {
      ink == other?.ink && ground == other?.ground && isBold == other?.isBold
    }
  }

  let columns: Int
  let rows: Int
  private(set) var cells: [Cell]

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (max(1, columns), max(1, rows))
    cells = Array(repeating: Cell(), count: self.columns * self.rows)
  }

  /// The cell at a place; places outside of the window are ignored.
  subscript(row: Int, column: Int) -> Cell {
    get {
      contains(row, column) ? cells[row * columns + column] : Cell()
    }
    set {
      if contains(row, column) { cells[row * columns + column] = newValue }
    }
  }

  private func contains(_ row: Int, _ column: Int) -> Bool {
    row >= 0 && row < rows && column >= 0 && column < columns
  }

  /// Puts text at a place, over the ground that is there; returns the column after it.
  ///
  /// Cuts off everything outside of the window. Text with controls must be escaped.
  @discardableResult
  mutating func put(
    _ text: String, _ row: Int, _ column: Int, _ ink: PlayColor = .text, bold: Bool = false,
    on ground: PlayColor? = nil
  ) -> Int {
    var column = column
    for scalar in text.unicodeScalars {
      // Lines and blocks have one column everywhere, and are most of what is drawn.
      let isSimple = scalar.isASCII || (0x2500...0x259F).contains(scalar.value)
      let width = isSimple ? 1 : DisplayWidth.columns(String(scalar))
      // A selector of emoji would change the width in some terminals.
      if scalar.value == 0xFE0F { continue }
      if width == 0 {
        let place =
          contains(row, column - 1) && self[row, column - 1].scalar == 0
          ? column - 2 : column - 1
        self[row, place].mark = scalar.value
        continue
      }
      guard column + width <= columns else { return column }
      self[row, column] = Cell(
        scalar: scalar.value, ink: ink, ground: ground ?? self[row, column].ground, isBold: bold)
      if width == 2 {
        self[row, column + 1] = Cell(
          scalar: 0, ink: ink, ground: ground ?? self[row, column + 1].ground, isBold: bold)
      }
      column += width
    }
    return column
  }

  /// Puts a character of one column at a place.
  mutating func set(
    _ glyph: Character, _ row: Int, _ column: Int, _ ink: PlayColor, bold: Bool = false,
    on ground: PlayColor
  ) {
    self[row, column] = Cell(
      scalar: glyph.unicodeScalars.first?.value ?? 0x20, ink: ink, ground: ground, isBold: bold)
  }

  /// Colors the ground of a part of a row.
  mutating func fill(_ row: Int, _ range: Range<Int>, _ ground: PlayColor) {
    for column in range { self[row, column].ground = ground }
  }

  /// The text of each row, without colors and without blanks at its end.
  var lines: [String] {
    (0..<rows).map { row in
      var line = String.UnicodeScalarView()
      for cell in cells[row * columns..<(row + 1) * columns] { cell.append(to: &line) }
      while line.last == " " { line.removeLast() }
      return String(line)
    }
  }

  // MARK: - Sequences

  /// The text that draws the window, or only what differs from the one drawn before.
  func text(after before: PlayGrid?, _ colors: TextColors) -> String {
    let before = before?.columns == columns && before?.rows == rows ? before : nil
    var text = String.UnicodeScalarView()
    var look: Cell?
    // As many unchanged cells are written again rather than skipped.
    let bridge = 4
    for row in 0..<rows {
      var column = 0
      var cursor = -1
      while column < columns {
        let index = row * columns + column
        if let before, before.cells[index] == cells[index] {
          column += 1
          continue
        }
        var start = column
        // From the first half of a wide character, also of the one that was there.
        if start > 0, cells[index].scalar == 0 || before?.cells[index].scalar == 0 { start -= 1 }
        if cursor >= 0, start > cursor, start - cursor <= bridge { start = cursor }
        if cursor != start {
          text.append(contentsOf: "\u{1b}[\(row + 1);\(start + 1)H".unicodeScalars)
        }
        column = max(column + 1, start + 1)
        cursor = start
        while cursor < column {
          let cell = cells[row * columns + cursor]
          if !cell.hasLook(of: look) {
            text.append(contentsOf: cell.look(colors).unicodeScalars)
            look = cell
          }
          cell.append(to: &text)
          cursor += 1
          // The second half belongs to the first.
          if cursor == column, cursor < columns, cells[row * columns + cursor].scalar == 0 {
            column += 1
          }
          // Terminals may disagree about the width of what is not simple.
          if cell.scalar == 0 || cell.mark != 0, cursor < columns {
            text.append(contentsOf: "\u{1b}[\(row + 1);\(cursor + 1)H".unicodeScalars)
          }
        }
      }
    }
    if text.isEmpty { return "" }
    let end = colors == .none ? "" : "\u{1b}[0m"
    return "\u{1b}[?2026h" + String(text) + end + "\u{1b}[?2026l"
  }
}

extension PlayGrid.Cell {
  fileprivate func append(to text: inout String.UnicodeScalarView) {
    if let scalar = Unicode.Scalar(scalar), self.scalar != 0 { text.append(scalar) }
    if mark != 0, let mark = Unicode.Scalar(mark) { text.append(mark) }
  }

  fileprivate func look(_ colors: TextColors) -> String {
    // Without colors there is no sequence at all.
    if colors == .none { return "" }
    return "\u{1b}[0" + (isBold ? ";1" : "") + ink.parameters(colors, isGround: false)
      + ground.parameters(colors, isGround: true) + "m"
  }
}

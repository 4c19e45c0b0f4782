import Testing

@testable import scaleaudio_cli

@Suite("Redrawn lines")
struct LiveAreaTests {
  private func frame(_ text: String, up rows: Int = 0) -> String {
    "\u{1b}[?25l" + text + "\u{1b}[J\r" + (rows > 0 ? "\u{1b}[\(rows)A" : "") + "\u{1b}[?25h"
  }

  @Test func drawsOverItself() {
    var area = LiveArea()
    #expect(
      area.redraw(["one", "two"], below: [], columns: 80) == frame("one\u{1b}[K\ntwo", up: 1))
    #expect(area.redraw(["three"], below: [], columns: 80) == frame("\rthree"))
    #expect(
      area.redraw(["four"], below: ["stays"], columns: 80) == frame("\rstays\u{1b}[K\nfour"))
    #expect(
      area.replace(with: ["stays", "too"], columns: 80) == "\rstays\u{1b}[K\ntoo\u{1b}[K\n\u{1b}[J")
    #expect(area.replace(with: ["more"], columns: 80) == "more\n")
    #expect(area.replace(with: [], columns: 80) == "")
  }

  /// Any permanent lines stay unchanged, and the last drawing is below them.
  @Test(arguments: [
    ["short"], [String(repeating: "x", count: 20)], [String(repeating: "y", count: 47)],
    [String(repeating: "日", count: 10), "", "z"], (0..<30).map { "line \($0)" },
  ])
  func permanentLinesStay(lines: [String]) {
    let screen = TerminalScreenModel(columns: 20, rows: 8)
    var area = LiveArea()
    screen.show(area.redraw(["[====   ]", "a", "b"], below: [], columns: 20))
    screen.show(area.redraw(["[=====  ]", "c"], below: lines, columns: 20))
    screen.show("^C")
    screen.show(area.redraw(["[======]", "d", "e"], below: ["after"], columns: 20))
    let expected = lines.flatMap { TerminalScreenModel.rows(of: $0, columns: 20) }
    #expect(screen.lines == expected + ["after", "[======]", "d", "e"])
    screen.show(area.replace(with: ["end"], columns: 20))
    #expect(screen.lines == expected + ["after", "end"])
  }
}

/// A terminal that knows the control sequences of the display, with a screen that scrolls.
final class TerminalScreenModel {
  private let columns: Int
  private let rows: Int
  private var grid: [[String]] = [[]]
  private var row = 0
  private var column = 0
  /// The first row in the window.
  private var top = 0

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// All rows, those that have left the window too, without blanks at their ends.
  var lines: [String] {
    var lines = grid.map { row in
      String(row.joined().reversed().drop { $0 == " " }.reversed())
    }
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  /// The rows that a line takes.
  static func rows(of line: String, columns: Int) -> [String] {
    let screen = TerminalScreenModel(columns: columns, rows: 1000)
    screen.show(line)
    return line.isEmpty ? [""] : screen.lines
  }

  func show(_ text: String) {
    var rest = Array(text.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\r": column = 0
      case "\n":
        down()
        column = 0
      case "\u{1b}":
        _ = rest.popFirst()
        let parameter = String(
          String.UnicodeScalarView(rest.prefix { $0 == "?" || ("0"..."9").contains($0) }))
        rest = rest.dropFirst(parameter.unicodeScalars.count)
        control(rest.popFirst() ?? " ", Int(parameter) ?? 1)
      default: put(String(scalar))
      }
    }
  }

  private func control(_ kind: Unicode.Scalar, _ count: Int) {
    // After the last column, erasing begins with that column.
    let from = min(column, columns - 1)
    switch kind {
    case "A": row = max(top, row - count)
    case "K": grid[row] = Array(grid[row].prefix(from))
    case "J":
      grid[row] = Array(grid[row].prefix(from))
      grid.removeSubrange((row + 1)...)
    default: break
    }
  }

  private func put(_ text: String) {
    let width = DisplayWidth.columns(text)
    if column + width > columns {
      down()
      column = 0
    }
    while grid[row].count < column { grid[row].append(" ") }
    let cells = [text] + Array(repeating: "", count: width - 1)
    let end = min(grid[row].count, column + width)
    grid[row].replaceSubrange(column..<end, with: cells)
    column += width
  }

  private func down() {
    row += 1
    if row == grid.count { grid.append([]) }
    top = max(top, row - rows + 1)
  }
}

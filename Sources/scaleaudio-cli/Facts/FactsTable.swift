/// A label in front of each group of rows, all in one column.
struct FactsTable {
  private struct Row {
    let label, text: String
    /// Whether it goes on below where it is too long, rather than being cut.
    let isWrapped: Bool
  }

  private var rows: [Row] = []

  /// Adds a row, or one below the last for an empty label; what is too long is cut.
  mutating func add(_ label: String, _ text: String) {
    rows.append(Row(label: label, text: text, isWrapped: false))
  }

  /// Adds a sentence, which goes on below.
  mutating func add(_ label: String, sentence: String) {
    rows.append(Row(label: label, text: sentence, isWrapped: true))
  }

  /// Adds rows below one label, of many only the first.
  mutating func add(_ label: String, rows texts: [String], most: Int) {
    for (index, text) in texts.prefix(most).enumerated() { add(index == 0 ? label : "", text) }
    if texts.count > most { add("", "… and \(texts.count - most) more, which --json lists") }
  }

  /// The rows as lines of at most so many columns.
  func lines(columns: Int) -> [String] {
    let width = rows.map(\.label.count).max() ?? 0
    let room = max(20, columns - width - 4)
    return rows.flatMap { row in
      let texts =
        row.isWrapped
        ? DisplayWidth.lines(of: row.text, columns: room)
        : [DisplayWidth.cutEnd(of: row.text, to: room, mark: " …")]
      return texts.enumerated().map { index, text in
        let label = index == 0 ? row.label : ""
        return "  " + label + String(repeating: " ", count: width - label.count) + "  " + text
      }
    }
  }
}

/// Numbers as people read them.
enum Numbers {
  /// Digits in groups of three: `12,345`.
  static func grouped(_ number: Int) -> String {
    var text = ""
    for (place, digit) in String(number.magnitude).reversed().enumerated() {
      if place > 0 && place % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return (number < 0 ? "-" : "") + String(text.reversed())
  }

  /// `1 frame`, `12,345 frames`.
  static func count(_ number: Int, _ noun: String) -> String {
    grouped(number) + (number == 1 ? " \(noun)" : " \(noun)s")
  }
}

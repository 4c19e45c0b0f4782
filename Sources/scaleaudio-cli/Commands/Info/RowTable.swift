/// Rows of text with aligned labels.
struct RowTable {
  private struct Row {
    let label, text: String
    /// True if a long text is wrapped; otherwise it is truncated.
    let isWrapped: Bool
  }

  private var rows: [Row] = []

  /// Adds a row; an empty label continues the previous row. A long text is cut.
  mutating func add(_ label: String, _ text: String) {
    rows.append(Row(label: label, text: text, isWrapped: false))
  }

  /// Adds a sentence, which is wrapped.
  mutating func add(_ label: String, sentence: String) {
    rows.append(Row(label: label, text: sentence, isWrapped: true))
  }

  /// Adds at most `most` rows under one label.
  mutating func add(_ label: String, rows texts: [String], most: Int) {
    for (index, text) in texts.prefix(most).enumerated() { add(index == 0 ? label : "", text) }
    if texts.count > most { add("", "… and \(texts.count - most) more, which --json lists") }
  }

  /// The rows as lines of at most `columns` columns.
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

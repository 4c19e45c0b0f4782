/// The rows and columns of the parts of the window of `play`.
///
/// Left out first if rows are short: the margin at the top, blanks, the list, the names of marks, the band of the
/// loop, the height of the waveform, and last the large digits.
struct PlayLayout: Equatable {
  let columns: Int
  let rows: Int
  var margin: Int
  /// The first row of the header, and whether it has three.
  var header = 0
  var isTall = true
  var marks: Int?
  var band: Int?
  var wave = 0..<0
  var ruler: Int?
  var overview: Int?
  var list = 0..<0
  /// The last row: keys, a message, or the loop where there is no band.
  var keys: Int?
  var waveColumns = 0..<1
  /// The first column of the meters.
  var meters: Int?

  /// The rows of the waveform where there is nothing else.
  private static let mostWave = 40
  private static let usualWave = 24

  /// The layout of a window, for as many rows of a list, and as many channels.
  init(columns: Int, rows: Int, listCount: Int, channels: Int) {
    (self.columns, self.rows) = (max(1, columns), max(1, rows))
    margin = columns >= 60 ? 2 : columns >= 20 ? 1 : 0
    let inner = max(1, self.columns - 2 * margin)
    var waveWidth = inner
    if columns >= 60, channels > 0, rows >= 10 {
      let width = channels <= 2 ? channels * 2 - 1 : channels
      meters = self.columns - margin - width
      waveWidth = inner - width - 2
    }
    waveColumns = margin..<margin + max(1, waveWidth)
    switch self.rows {
    case 30...:
      let room = self.rows - 13
      let wanted = min(listCount, 5 + (self.rows - 30) / 3)
      var height = Self.even(room - wanted)
      if wanted < listCount { height = min(height, Self.usualWave) }
      height = min(height, Self.mostWave)
      header = 1
      (marks, band) = (5, 6)
      place(wave: height, from: 7)
      overview = (ruler ?? 0) + 2
      put(list: min(listCount, room - height), after: 1)
    case 20...:
      let wanted = min(listCount, self.rows >= 24 ? 5 + (self.rows - 24) / 3 : 3)
      (marks, band) = (4, 5)
      place(wave: Self.even(self.rows - 11 - wanted), from: 6)
      overview = (ruler ?? 0) + 1
      put(list: min(listCount, self.rows - 11 - wave.count), after: 1)
    case 15...:
      let room = self.rows - 8
      let wanted = room >= 9 ? min(listCount, 3) : 0
      (marks, band) = (3, 4)
      place(wave: Self.even(room - wanted), from: 5)
      overview = (ruler ?? 0) + 1
      // The waveform has an even number of rows; one that is left separates the list from the line above.
      put(list: min(listCount, wanted), after: wanted > 0 ? (room - wanted) % 2 : 0)
    case 10...:
      place(wave: Self.even(self.rows - 6), from: 3)
      overview = (ruler ?? 0) + 1
    case 6...:
      isTall = false
      place(wave: Self.even(self.rows - 4), from: 1)
      overview = (ruler ?? 0) + 1
    default:
      isTall = false
      meters = nil
      if self.rows >= 2 { overview = 1 }
    }
    if self.rows >= 3 { keys = self.rows - 1 }
  }

  private static func even(_ rows: Int) -> Int { max(2, rows / 2 * 2) }

  private mutating func place(wave height: Int, from row: Int) {
    wave = row..<row + height
    ruler = row + height
  }

  private mutating func put(list count: Int, after blanks: Int) {
    let first = (overview ?? 0) + 1 + blanks
    list = first..<first + max(0, min(count, rows - 1 - first))
  }

  /// True if the loop is shown in the last row.
  var hasLoopLine: Bool { band == nil }

  /// The rows below the header, for the help and for a search.
  var below: Range<Int> {
    let first = header + (isTall ? 4 : 1)
    return first..<max(first, rows - 1)
  }

  /// The columns of the two halves of the list.
  var halves: (left: Range<Int>, right: Range<Int>)? {
    guard columns >= 72 else { return nil }
    let gap = columns >= 100 ? 10 : 6
    let width = (columns - 2 * margin - gap) / 2
    return (margin..<margin + width, columns - margin - width..<columns - margin)
  }
}

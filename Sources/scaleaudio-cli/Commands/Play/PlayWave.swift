import AudioPlayer

/// The waveform of a file across a window, with the part that was played, its chapters and a loop.
struct PlayWave {
  let overview: PlayOverview?
  let chapters: [Double]
  let frameCount: Int
  let usesColor: Bool

  /// Eighths of a row.
  private static let blocks: [Character] = Array(" ▁▂▃▄▅▆▇█")
  /// The lowest level that has a height, in dB.
  private static let floor = -54.0

  /// Two rows of the waveform, and one of positions.
  func lines(_ status: PlayerStatus, columns: Int) -> [String] {
    let levels = overview?.levels(columns: columns) ?? []
    let place = column(status.frame, columns)
    var rows = [[Character]](repeating: [], count: 2)
    for column in 0..<columns {
      let level = column < levels.count ? levels[column] : -.infinity
      let height = (level - Self.floor) / -Self.floor
      // At least a thin line, which shows the length.
      let eighths = Int(max(1, min(height, 1) * 16).rounded())
      rows[0].append(Self.blocks[max(0, eighths - 8)])
      rows[1].append(Self.blocks[min(8, eighths)])
    }
    return rows.map { colored($0, upTo: place) } + [positions(status, place, columns)]
  }

  private func column(_ frame: Double, _ columns: Int) -> Int {
    guard frameCount > 0 else { return 0 }
    return min(columns - 1, max(0, Int(frame / Double(frameCount) * Double(columns))))
  }

  /// The played part in cyan, the rest faint.
  private func colored(_ row: [Character], upTo place: Int) -> String {
    let (played, rest) = (String(row[..<place]), String(row[place...]))
    return usesColor ? "\u{1b}[36m\(played)\u{1b}[0m\u{1b}[2m\(rest)\u{1b}[0m" : played + rest
  }

  /// Ticks of chapters, `A` and `B` of a loop, and `^` where the sound is.
  private func positions(_ status: PlayerStatus, _ place: Int, _ columns: Int) -> String {
    var row = [Character](repeating: " ", count: columns)
    for chapter in chapters { row[column(chapter, columns)] = "'" }
    if let start = status.loopStart { row[column(Double(start), columns)] = "A" }
    if let loop = status.loop { row[column(Double(loop.upperBound), columns)] = "B" }
    row[place] = "^"
    while row.last == " " { row.removeLast() }
    return String(row)
  }
}

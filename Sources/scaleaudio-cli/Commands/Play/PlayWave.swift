import AudioPlayer

/// The waveform of a file across a window, with the part that was played, its chapters and a loop.
struct PlayWave {
  let overview: PlayOverview?
  let chapters: [Double]
  let frameCount: Int
  let style: PlayStyle
  /// The number of rows of the waveform.
  let rows: Int

  /// The lowest level that has a height, in dB.
  private static let floor = -54.0

  /// The rows of the waveform, and one of positions.
  func lines(_ status: PlayerStatus, columns: Int) -> [String] {
    let levels = overview?.levels(columns: columns, of: frameCount) ?? []
    let place = column(status.frame, columns)
    let glyphs = style.heights
    let steps = glyphs.count - 1
    var waveform = [[Character]](repeating: [], count: rows)
    for column in 0..<columns {
      let level = column < levels.count ? levels[column] : -.infinity
      let height = max(0, min((level - Self.floor) / -Self.floor, 1))
      var rest = Int((height * Double(rows * steps)).rounded())
      // Something at least, where something was measured.
      if level > -.infinity { rest = max(1, rest) }
      for row in waveform.indices.reversed() {
        waveform[row].append(glyphs[min(rest, steps)])
        rest = max(0, rest - steps)
      }
    }
    return waveform.map { row in
      style.played(String(row[..<place])) + style.faint(String(row[place...]))
    } + [positions(status, place, columns)]
  }

  private func column(_ frame: Double, _ columns: Int) -> Int {
    guard frameCount > 0 else { return 0 }
    return min(columns - 1, max(0, Int(frame / Double(frameCount) * Double(columns))))
  }

  /// A line with ticks of chapters, `A` and `B` of a loop, and where the sound is.
  private func positions(_ status: PlayerStatus, _ place: Int, _ columns: Int) -> String {
    let (played, rest) = (style.line(isPlayed: true), style.line(isPlayed: false))
    var row = (0..<columns).map { $0 < place ? played.plain : rest.plain }
    for chapter in chapters where chapter > 0 {
      let column = column(chapter, columns)
      row[column] = column < place ? played.chapter : rest.chapter
    }
    row[place] = style.head
    if let start = status.loopStart { row[column(Double(start), columns)] = "A" }
    if let loop = status.loop { row[column(Double(loop.upperBound), columns)] = "B" }
    return style.played(String(row[...place])) + style.faint(String(row[(place + 1)...]))
  }
}

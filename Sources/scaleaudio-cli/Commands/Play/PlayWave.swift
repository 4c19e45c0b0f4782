/// The shape of a waveform in a part of a window: mirrored peaks, and the RMS within them, without colors.
struct PlayWave: Equatable {
  /// The level that a point of a cell shows.
  enum Part: UInt8 { case ground, peak, rms }

  /// A character, and what its two colors show.
  struct Cell: Equatable {
    var glyph: Character = " "
    var ink = Part.ground
    var ground = Part.ground
  }

  let columns: Int
  let rows: Int
  private(set) var cells: [Cell] = []
  /// The columns that are not measured.
  private(set) var isUnread: [Bool] = []

  subscript(row: Int, column: Int) -> Cell { cells[row * columns + column] }

  /// A shape of two levels for each column; `scale` is the level at the edge.
  init(_ levels: [PlayLevel?], scale: Float, columns: Int, rows: Int, style: PlayStyle) {
    (self.columns, self.rows) = (columns, rows)
    let steps = rows * 4
    let unit = Float(steps) / max(scale, 1e-4)
    func height(_ value: Float) -> Int { Int(min(Float(steps), max(0, (value * unit).rounded()))) }
    /// Levels above and below the middle.
    let points = (0..<columns * 2).map { index -> (up: Int, down: Int, rms: Int) in
      guard index < levels.count, let level = levels[index] else { return (1, 0, 0) }
      let (up, down) = (height(level.high), height(-level.low))
      return (max(1, up), down, min(height(level.square.squareRoot()), max(up, down)))
    }
    isUnread = (0..<columns).map { column in
      column * 2 >= levels.count || levels[column * 2] == nil
        || column * 2 + 1 < levels.count && levels[column * 2 + 1] == nil
    }
    func part(_ point: (up: Int, down: Int, rms: Int), _ level: Int) -> Part {
      let distance = level < steps ? steps - level : level - steps + 1
      if distance <= point.rms { return .rms }
      return distance <= (level < steps ? point.up : point.down) ? .peak : .ground
    }
    cells.reserveCapacity(columns * rows)
    for row in 0..<rows {
      for column in 0..<columns {
        let (left, right) = (points[column * 2], points[column * 2 + 1])
        if style.isFine {
          var masks: [UInt16] = [0, 0, 0]
          for level in 0..<8 {
            masks[Int(part(left, row * 8 + level).rawValue)] |= 1 << UInt16(level * 2)
            masks[Int(part(right, row * 8 + level).rawValue)] |= 1 << UInt16(level * 2 + 1)
          }
          cells.append(Self.cell(masks))
        } else {
          /// The greater of a half's columns, at its level nearest to the middle.
          func half(_ start: Int) -> Int {
            let level = row * 8 + start
            let nearest = level < steps ? level + 3 : level
            return Int(max(part(left, nearest).rawValue, part(right, nearest).rawValue))
          }
          let (upper, lower) = (half(0), half(4))
          let most = Part(rawValue: UInt8(max(upper, lower))) ?? .ground
          cells.append(
            Cell(glyph: style.half(upper: upper, lower: lower), ink: most, ground: .ground))
        }
      }
    }
  }

  /// The glyphs of a cell, with the points that have their color: quadrants, and heights from below.
  private static let glyphs: [(Character, UInt16)] = {
    let quarters: [UInt16] = [0x0055, 0x00AA, 0x5500, 0xAA00]
    let quadrants: [(Character, [Int])] = [
      ("▘", [0]), ("▝", [1]), ("▖", [2]), ("▗", [3]), ("▀", [0, 1]), ("▌", [0, 2]),
      ("▚", [0, 3]), ("▞", [1, 2]), ("▛", [0, 1, 2]), ("▜", [0, 1, 3]), ("▙", [0, 2, 3]),
      ("▟", [1, 2, 3]), ("█", [0, 1, 2, 3]),
    ]
    let heights: [(Character, UInt16)] = "▁▂▃▄▅▆▇".enumerated().map { index, glyph in
      (glyph, ~UInt16(0) << UInt16((7 - index) * 2))
    }
    return heights
      + quadrants.map { glyph, parts in (glyph, parts.reduce(0) { $0 | quarters[$1] }) }
  }()

  /// The glyph and the two colors with the fewest wrong points.
  private static func cell(_ masks: [UInt16]) -> Cell {
    for (index, mask) in masks.enumerated() where mask == ~0 {
      let part = Part(rawValue: UInt8(index)) ?? .ground
      return part == .ground ? Cell() : Cell(glyph: "█", ink: part, ground: .ground)
    }
    var best = Cell()
    var most = -1
    for (glyph, mask) in glyphs {
      var (ink, ground) = ((count: -1, part: 0), (count: -1, part: 0))
      for part in 0..<3 {
        let inside = (masks[part] & mask).nonzeroBitCount
        let outside = (masks[part] & ~mask).nonzeroBitCount
        if inside > ink.count { ink = (inside, part) }
        if outside > ground.count { ground = (outside, part) }
      }
      if ink.count + ground.count > most, ink.part != ground.part {
        most = ink.count + ground.count
        best = Cell(
          glyph: glyph, ink: Part(rawValue: UInt8(ink.part)) ?? .ground,
          ground: Part(rawValue: UInt8(ground.part)) ?? .ground)
      }
    }
    return best
  }
}

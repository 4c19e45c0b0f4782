/// Draws a lane with characters.
struct TextLanePainter {
  let settings: TextSettings
  let palette: TextPalette
  let place: TextLayout.Lane
  let loudest: Double
  let (track, lane): (Int, Int)

  func draw(_ content: LaneContent, on grid: inout TextGrid) {
    let parts = settings.glyphs.parts
    let shape = TextLane(
      content, parts: place.columns * parts.columns, bar: settings.bar, loudest: loudest)
    var isMirrored = false
    if case .levels = content { isMirrored = true }
    let rows = shape.stretches.map { stretch in
      stretch.map {
        TextLane.rows(of: $0, count: place.lines * parts.rows, isMirrored: isMirrored)
      }
    }
    for line in 0..<place.lines {
      for column in 0..<place.columns {
        let first = line * parts.rows
        let cell: (glyph: Character, isInverse: Bool)?
        switch settings.glyphs {
        case .blocks: cell = block(rows[column], first: first)
        case .braille: cell = braille(rows[2 * column], rows[2 * column + 1], first: first)
        }
        guard let cell else { continue }
        grid.put(
          cell.glyph, place.column + column, place.line + line,
          TextLook(color: color(ofLine: line), isInverse: cell.isInverse))
      }
    }
  }

  /// The color of a line of the lane.
  private func color(ofLine line: Int) -> RGBColor? {
    let half = Double(place.lines) / 2
    return palette.color(
      at: abs(Double(line) + 0.5 - half) / half, track: track, lane: lane, settings.picture)
  }

  private static let lowerBlocks: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// The block that shows which of the eight rows from `first` on are filled.
  private func block(_ rows: Range<Int>?, first: Int) -> (Character, Bool)? {
    guard let rows else { return nil }
    let filled = rows.clamped(to: first..<first + 8)
    if filled.isEmpty { return nil }
    let (above, below) = (filled.lowerBound - first, first + 8 - filled.upperBound)
    // What is free on both sides is a thin line, or nearly fills one side.
    if above > 0, below > 0 {
      if filled.count <= 3, above > 1, below > 1 { return ("━", false) }
      return above >= below ? lower(filled.count) : upper(filled.count)
    }
    return above == 0 ? upper(filled.count) : lower(filled.count)
  }

  private func lower(_ count: Int) -> (Character, Bool) {
    (Self.lowerBlocks[(settings.colors == .none ? Self.coarse(count) : count) - 1], false)
  }

  /// Fonts have few blocks at the top; they are the ground of those at the bottom.
  private func upper(_ count: Int) -> (Character, Bool) {
    if count == 8 { return ("█", false) }
    if settings.colors != .none { return (Self.lowerBlocks[7 - count], true) }
    switch Self.coarse(count) {
    case 1: return ("▔", false)
    case 4: return ("▀", false)
    default: return ("█", false)
    }
  }

  /// The nearest of the heights that there are at the top too.
  private static func coarse(_ count: Int) -> Int { count <= 2 ? 1 : count <= 6 ? 4 : 8 }

  /// The pattern whose two columns of four dots show what is filled (Unicode, Braille Patterns).
  private func braille(_ left: Range<Int>?, _ right: Range<Int>?, first: Int) -> (Character, Bool)?
  {
    var pattern: UInt32 = 0
    for (rows, bits) in [(left, [0, 1, 2, 6]), (right, [3, 4, 5, 7])] {
      guard let rows else { continue }
      for (dot, bit) in bits.enumerated() where rows.contains(first + dot) { pattern |= 1 << bit }
    }
    guard pattern != 0, let scalar = Unicode.Scalar(0x2800 + pattern) else { return nil }
    return (Character(scalar), false)
  }
}

/// How wide bars are, in parts of columns.
struct TextBar: Hashable {
  let width: Int
  /// From the start of one bar to that of the next.
  let pitch: Int

  /// The bars that have room in so many parts.
  func count(in parts: Int) -> Int { max(1, (parts + pitch - width) / pitch) }
}

extension TextSettings {
  /// The bars; a column is five points wide.
  var bar: TextBar {
    let points = 5.0 / Double(glyphs.parts.columns)
    func parts(_ length: Int) -> Int { max(1, Int((Double(length) / points).rounded())) }
    let pitch = parts(picture.barPitch)
    return TextBar(width: min(pitch, parts(picture.barWidth)), pitch: pitch)
  }
}

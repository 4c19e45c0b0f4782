internal import AudioModel

/// Draws a lane with characters.
struct TextLanePainter {
  let settings: TextSettings
  let palette: TextPalette
  let place: TextLayout.Lane
  let top: LaneTop
  let (track, lane): (Int, Int)

  func draw(_ content: LaneContent, on grid: inout TextGrid) {
    let parts = settings.glyphs.parts
    let shape = TextLane(
      content, parts: place.columns * parts.columns, bar: settings.bar, top: top)
    var isMirrored = false
    if case .levels = content { isMirrored = true }
    let rows = shape.ranges.map { range in
      range.map {
        TextLane.rows(of: $0, count: place.lines * parts.rows, isMirrored: isMirrored)
      }
    }
    let color = palette.color(track: track, lane: lane, settings.picture)
    let (above, below) = clipping(content, parts.columns)
    for line in 0..<place.lines {
      for column in 0..<place.columns {
        let first = line * parts.rows
        let cell: (glyph: Character, isInverse: Bool)?
        switch settings.glyphs {
        case .blocks: cell = block(rows[column], first: first)
        case .braille: cell = braille(rows[2 * column], rows[2 * column + 1], first: first)
        }
        guard let cell else { continue }
        let isClipping =
          line == 0 && above.contains(column) || line == place.lines - 1 && below.contains(column)
        grid.put(
          cell.glyph, place.column + column, place.line + line,
          TextLook(
            color: isClipping ? settings.picture.theme.clipping : color,
            isInverse: cell.isInverse))
      }
    }
  }

  /// The columns in which samples reach full scale, above and below.
  private func clipping(_ content: LaneContent, _ parts: Int) -> (Set<Int>, Set<Int>) {
    guard case .peaks(let peaks) = content, peaks.count >= place.columns else { return ([], []) }
    return (
      Set(
        peaks.maximums.indices.filter { peaks.maximums[$0] >= peaks.fullScale }.map { $0 / parts }),
      Set(peaks.minimums.indices.filter { peaks.minimums[$0] == .min }.map { $0 / parts })
    )
  }

  private static let lowerBlocks: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// The block character for the filled rows among the eight rows from `first`.
  private func block(_ rows: Range<Int>?, first: Int) -> (Character, Bool)? {
    guard let rows else { return nil }
    let filled = rows.clamped(to: first..<first + 8)
    if filled.isEmpty { return nil }
    let (above, below) = (filled.lowerBound - first, first + 8 - filled.upperBound)
    // Free rows on both sides: a thin line, or a bar that nearly fills one side.
    if above > 0, below > 0 {
      if filled.count <= 3, above > 1, below > 1 { return ("━", false) }
      return above >= below ? lower(filled.count) : upper(filled.count)
    }
    return above == 0 ? upper(filled.count) : lower(filled.count)
  }

  private func lower(_ count: Int) -> (Character, Bool) {
    (Self.lowerBlocks[(settings.colors == .none ? Self.coarse(count) : count) - 1], false)
  }

  /// Fonts have few upper blocks, so these are drawn as the background of lower blocks.
  private func upper(_ count: Int) -> (Character, Bool) {
    if count == 8 { return ("█", false) }
    if settings.colors != .none { return (Self.lowerBlocks[7 - count], true) }
    switch Self.coarse(count) {
    case 1: return ("▔", false)
    case 4: return ("▀", false)
    default: return ("█", false)
    }
  }

  /// The nearest height that also exists as an upper block.
  private static func coarse(_ count: Int) -> Int { count <= 2 ? 1 : count <= 6 ? 4 : 8 }

  /// The Braille pattern for the filled rows of two columns of four dots (Unicode, Braille Patterns).
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

/// The width and pitch of bars, in parts of columns.
struct TextBar: Hashable {
  let width: Int
  /// The distance from the start of one bar to that of the next.
  let pitch: Int

  /// The number of bars that fit in `parts` parts of columns.
  func count(in parts: Int) -> Int { max(1, (parts + pitch - width) / pitch) }
}

extension TextSettings {
  /// The width and pitch of bars; a column is five points wide.
  var bar: TextBar {
    let points = 5.0 / Double(glyphs.parts.columns)
    func parts(_ length: Int) -> Int { max(1, Int((Double(length) / points).rounded())) }
    let pitch = parts(picture.barPitch)
    return TextBar(width: min(pitch, parts(picture.barWidth)), pitch: pitch)
  }
}

/// The shape of a lane: a range of heights for each part of a column.
struct TextLane {
  /// The ranges, from -1 at the lower edge to 1 at the upper; `nil` where nothing is drawn.
  let ranges: [ClosedRange<Double>?]

  /// The shape of a lane.
  ///
  /// - Parameters:
  ///   - content: The content of the lane.
  ///   - parts: The width of the lane, in parts of columns.
  ///   - bar: The width of bars.
  ///   - top: The value at the edge of the lane.
  init(_ content: LaneContent, parts: Int, bar: TextBar, top: LaneTop) {
    switch content {
    case .levels(let levels):
      ranges = Self.bars(levels.heights(loudest: top.level), parts: parts, bar)
    case .peaks(let peaks): ranges = Self.envelope(peaks, parts: parts, top.amplitude)
    case .spectrum: ranges = Array(repeating: nil, count: parts)
    case .loudness(let curve):
      ranges =
        curve.shortTerm.prefix(parts).map { value in
          let height = LoudnessCurve.height(of: value)
          return height > 0 ? -1...2 * height - 1 : nil
        } + Array(repeating: nil, count: max(0, parts - curve.shortTerm.count))
    }
  }

  private static func bars(
    _ heights: [Double], parts: Int, _ bar: TextBar
  ) -> [ClosedRange<Double>?] {
    if heights.isEmpty { return Array(repeating: 0...0, count: parts) }
    var ranges: [ClosedRange<Double>?] = Array(repeating: nil, count: parts)
    // If there are fewer bars than fit, they are further apart.
    let room = bar.count(in: parts) * bar.pitch
    for (index, height) in heights.enumerated() {
      let start = index * room / heights.count
      for part in start..<min(parts, start + bar.width) { ranges[part] = -height...height }
    }
    return ranges
  }

  private static func envelope(
    _ peaks: Peaks, parts: Int, _ amplitude: Double
  ) -> [ClosedRange<Double>?] {
    func height(_ sample: Int16) -> Double {
      min(1, max(-1, Double(sample) / 32768 / amplitude))
    }
    if peaks.count == 0 { return Array(repeating: 0...0, count: parts) }
    if peaks.count < parts { return line(peaks.maximums.map(height), parts: parts) }
    var previous: ClosedRange<Double>?
    return (0..<min(parts, peaks.count)).map { index in
      let low = height(peaks.minimums[index])
      let high = height(peaks.maximums[index])
      // The wave passes through everything between two columns.
      let range = min(low, previous?.upperBound ?? low)...max(high, previous?.lowerBound ?? high)
      previous = low...high
      return range
    }
  }

  /// A line through samples, if there are fewer of them than parts.
  private static func line(_ samples: [Double], parts: Int) -> [ClosedRange<Double>?] {
    func value(at part: Int) -> Double {
      let place = Double(part * samples.count) / Double(parts)
      let index = min(Int(place), samples.count - 1)
      let next = min(index + 1, samples.count - 1)
      return samples[index] + (samples[next] - samples[index]) * (place - Double(index))
    }
    return (0..<parts).map { part in
      let (start, end) = (value(at: part), value(at: part + 1))
      return min(start, end)...max(start, end)
    }
  }

  /// The rows of a range of heights in a lane of `count` rows, from the top: at least one, and if mirrored, one
  /// on either side of the middle.
  static func rows(
    of range: ClosedRange<Double>, count: Int, isMirrored: Bool
  ) -> Range<Int> {
    let half = Double(count) / 2
    if isMirrored {
      let rise = max(1, Int((range.upperBound * half).rounded()))
      return max(0, count / 2 - rise)..<min(count, count / 2 + rise)
    }
    let top = min(count - 1, max(0, Int(((1 - range.upperBound) * half).rounded())))
    let bottom = min(count, max(top + 1, Int(((1 - range.lowerBound) * half).rounded())))
    return top..<bottom
  }
}

/// Draws spectrograms with characters: two frequency bands per line, as the upper and lower half of colored
/// blocks, or the louder of them as a shade if there are too few colors.
struct TextSpectrumPainter {
  let settings: TextSettings
  let range: SpectrumRange
  private let map: ColorMap

  init(settings: TextSettings, range: SpectrumRange) {
    self.settings = settings
    self.range = range
    map = ColorMap(settings.picture.colors)
  }

  private var hasColors: Bool { settings.colors == .full || settings.colors == .palette }
  private static let shades: [Character] = [" ", "░", "▒", "▓", "█"]

  func draw(_ spectrogram: Spectrogram, at place: TextLayout.Lane, on grid: inout TextGrid) {
    for column in 0..<min(place.columns, spectrogram.columnCount) {
      for line in 0..<place.lines {
        let row = 2 * (place.lines - 1 - line)
        guard row + 1 < spectrogram.rowCount else { continue }
        let levels = (row...row + 1).map { spectrogram.level(column: column, row: $0) }
        let values = levels.map(range.place)
        draw(values[1], values[0], place.column + column, place.line + line, on: &grid)
      }
    }
  }

  private func draw(
    _ upper: Double, _ lower: Double, _ column: Int, _ line: Int, on grid: inout TextGrid
  ) {
    if hasColors {
      let look = TextLook(color: map.color(at: upper), background: map.color(at: lower))
      grid.put("▀", column, line, look)
    } else {
      let value = min(0.999, max(0, max(upper, lower)))
      grid.put(Self.shades[Int(value * Double(Self.shades.count))], column, line, TextLook())
    }
  }

  /// Draws the legend of colors or shades, in dB, at the end of a line.
  func drawLegend(at line: Int, _ look: TextLook, on grid: inout TextGrid) {
    let texts = [range.floor, range.top].map {
      DecimalText.text($0, maximumDecimals: 0).replacing("-", with: "\u{2212}")
    }
    let room = grid.columns - texts[0].count - texts[1].count - 5
    let width = min(hasColors ? 24 : 4 * Self.shades.count, room)
    guard width > 4 else { return }
    let start = grid.columns - texts[1].count - 4 - width
    grid.put(texts[0], at: start - texts[0].count - 1, line, look)
    for index in 0..<width {
      let (left, right) = (Double(2 * index) + 0.5, Double(2 * index) + 1.5)
      let value = left / Double(2 * width)
      if hasColors {
        grid.put(
          "▌", start + index, line,
          TextLook(
            color: map.color(at: value), background: map.color(at: right / Double(2 * width))))
      } else {
        draw(value, value, start + index, line, on: &grid)
      }
    }
    grid.put(texts[1] + " dB", at: start + width + 1, line, look)
  }
}

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

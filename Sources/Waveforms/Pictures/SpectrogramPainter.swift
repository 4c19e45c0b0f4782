/// Draws spectrograms, their frequency axes and the legend of colors.
struct SpectrogramPainter {
  let canvas: Canvas
  let theme: PictureTheme
  let range: SpectrumRange
  let map: ColorMap

  init(canvas: Canvas, settings: PictureSettings, range: SpectrumRange) {
    self.canvas = canvas
    theme = settings.theme
    self.range = range
    map = ColorMap(settings.colors)
  }

  /// An image of a spectrogram, with one pixel per column and frequency band.
  private func image(of spectrogram: Spectrogram) -> PixelImage {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(spectrogram.values.count * 3)
    for row in (0..<spectrogram.rowCount).reversed() {
      for column in 0..<spectrogram.columnCount {
        let color = map.color(at: range.place(of: spectrogram.level(column: column, row: row)))
        bytes += [color.red, color.green, color.blue]
      }
    }
    return PixelImage(width: spectrogram.columnCount, height: spectrogram.rowCount, bytes: bytes)
  }

  func draw(_ spectrogram: Spectrogram, in place: Rectangle) {
    if spectrogram.columnCount == 0 {
      canvas.fill(place, map.color(at: 0))
    } else {
      canvas.draw(image(of: spectrogram), in: place)
    }
  }

  /// The minimum distance of labels, and the length of a tick, in points.
  private static let (labelDistance, tickLength) = (20.0, 4.0)

  /// Draws the frequency axis left of a lane, with labels that end at `end`, and the unit above the first.
  func drawFrequencies(
    _ spectrogram: Spectrogram, at place: Rectangle, end: Double, isFirst: Bool
  ) {
    let ticks = FrequencyTicks(
      highest: spectrogram.highestFrequency, gap: Self.labelDistance / place.height,
      scale: spectrogram.scale)
    if isFirst { drawLabel(ticks.unit, end: end, baseline: place.y - 8) }
    for tick in ticks.ticks {
      drawTick(
        tick.label, end: end, tickStart: place.x - Self.tickLength,
        height: tick.height, of: place)
    }
  }

  /// Draws the legend of colors, in dB.
  func drawLegend(at place: Rectangle) {
    let rows = max(1, Int((place.height * canvas.scale).rounded()))
    let bytes = (0..<rows).flatMap { row in
      let color = map.color(at: 1 - (Double(row) + 0.5) / Double(rows))
      return [color.red, color.green, color.blue]
    }
    canvas.draw(PixelImage(width: 1, height: rows, bytes: bytes), in: place)
    let levels = range.ticks(gap: Self.labelDistance / place.height)
    let labels = levels.map {
      DecimalText.text($0, maximumDecimals: 0).replacing("-", with: "\u{2212}")
    }
    let end =
      place.right + 2 * Self.tickLength
      + (labels.map { canvas.width(of: $0, .label) }.max() ?? 0)
    drawLabel("dB", end: end, baseline: place.y - 8)
    for (level, label) in zip(levels, labels) {
      drawTick(
        label, end: end, tickStart: place.right, height: range.place(of: level), of: place)
    }
  }

  private func drawTick(
    _ label: String, end: Double, tickStart: Double, height: Double, of place: Rectangle
  ) {
    let pixel = 1 / canvas.scale
    let rise = Canvas.rise(of: .label)
    let y = place.bottom - height * place.height
    let row = min(max(canvas.snapped(y), place.y), place.bottom - pixel)
    canvas.fill(
      Rectangle(x: tickStart, y: row, width: Self.tickLength, height: pixel), theme.mutedText)
    drawLabel(
      label, end: end, baseline: min(max(y, rise + 1), canvas.height - rise - 1) + rise)
  }

  private func drawLabel(_ label: String, end: Double, baseline: Double) {
    let width = canvas.width(of: label, .label)
    canvas.draw(
      label, x: end - width, baseline: baseline, .label, theme.mutedText, anchor: .end)
  }
}

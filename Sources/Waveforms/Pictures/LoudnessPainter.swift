/// Draws a curve of loudness with its axis and its key.
struct LoudnessPainter {
  let canvas: Canvas
  let theme: PictureTheme
  let place: Rectangle
  /// The right end of the labels; `nil` for no axis.
  let end: Double?
  /// True if the unit is drawn above the axis.
  let isFirst: Bool
  /// True if only the curve and its lines are drawn.
  let isBare: Bool
  /// The color of the lane.
  let color: RGBColor

  /// The minimum distance of labels, in points.
  private static let labelDistance = 14.0

  func draw(_ curve: LoudnessCurve) {
    let (peaks, rms) = EnvelopeColors.parts(of: color, theme)
    let (light, strong) = theme.isDark ? (peaks, rms) : (rms, peaks)
    drawArea(curve.momentary, light)
    drawAxis()
    drawLine(curve.shortTerm, strong)
    drawKey(curve, light: light, strong: strong)
  }

  private func y(of loudness: Double) -> Double {
    place.bottom - LoudnessCurve.height(of: loudness) * place.height
  }

  /// Columns of pixels from the bottom.
  private func drawArea(_ values: [Double], _ color: RGBColor) {
    let pixel = 1 / canvas.scale
    canvas.fill(
      values.enumerated().compactMap { (index, value) in
        let top = y(of: value)
        guard top < place.bottom else { return nil }
        return Rectangle(
          x: place.x + Double(index) * pixel, y: top, width: pixel, height: place.bottom - top)
      }, color)
  }

  /// A line through the values, with gaps where nothing was measured.
  private func drawLine(_ values: [Double], _ color: RGBColor) {
    let pixel = 1 / canvas.scale
    var points: [(x: Double, y: Double)] = []
    canvas.clipped(to: place) {
      for (index, value) in values.enumerated() {
        if value > LoudnessCurve.range.lowerBound {
          points.append((place.x + (Double(index) + 0.5) * pixel, y(of: value)))
        } else {
          if points.count > 1 { canvas.stroke(points, width: 2, color) }
          points = []
        }
      }
      if points.count > 1 { canvas.stroke(points, width: 2, color) }
    }
  }

  private func drawAxis() {
    let pixel = 1 / canvas.scale
    let targets = LoudnessCurve.targets
    for target in targets {
      let row = canvas.snapped(y(of: target))
      let dashes = stride(from: place.x, to: place.right, by: 6).map {
        Rectangle(x: $0, y: row, width: min(4, place.right - $0), height: pixel)
      }
      canvas.fill(dashes, theme.text)
    }
    guard let end else {
      if !isBare { drawInnerLabels() }
      return
    }
    if isFirst { drawLabel("LUFS", end: end, baseline: place.y - 8, theme.mutedText) }
    let step = [10.0, 20, 30].first { $0 / 60 * place.height >= Self.labelDistance } ?? 60
    let range = LoudnessCurve.range
    for level in stride(from: range.upperBound, through: range.lowerBound, by: -step) {
      let isNear = targets.contains { abs(y(of: $0) - y(of: level)) < Self.labelDistance }
      canvas.fill(
        Rectangle(
          x: place.x - 4, y: min(canvas.snapped(y(of: level)), place.bottom - pixel), width: 4,
          height: pixel), theme.mutedText)
      if !isNear { drawLabel(level, end: end, theme.mutedText) }
    }
    let lowest = targets.min() ?? 0
    let highest = targets.max() ?? 0
    if y(of: lowest) - y(of: highest) >= Self.labelDistance - 4 {
      for target in targets { drawLabel(target, end: end, theme.text) }
    } else {
      drawInnerLabels()
    }
  }

  /// In a low lane, each line has its label at its right end: one above it, one below.
  private func drawInnerLabels() {
    let (lowest, highest) = (LoudnessCurve.targets.min() ?? 0, LoudnessCurve.targets.max() ?? 0)
    for (target, shift) in [(highest, -3.0), (lowest, 11.0)] {
      let text = Self.text(target)
      let width = canvas.width(of: text, .label)
      let baseline = min(max(y(of: target) + shift, 9), canvas.height - 2)
      canvas.draw(
        text, x: place.right - width - 4, baseline: baseline, .label, theme.text, anchor: .end)
    }
  }

  private static func text(_ level: Double) -> String {
    DecimalText.text(level, maximumDecimals: 0).replacing("-", with: "\u{2212}")
  }

  private func drawLabel(_ level: Double, end: Double, _ color: RGBColor) {
    let rise = Canvas.rise(of: .label)
    drawLabel(
      Self.text(level), end: end,
      baseline: min(max(y(of: level), rise + 1), canvas.height - rise - 1) + rise,
      color)
  }

  private func drawLabel(_ label: String, end: Double, baseline: Double, _ color: RGBColor) {
    let width = canvas.width(of: label, .label)
    canvas.draw(label, x: end - width, baseline: baseline, .label, color, anchor: .end)
  }

  /// Names the curves in the upper right corner, where they fit.
  private func drawKey(_ curve: LoudnessCurve, light: RGBColor, strong: RGBColor) {
    guard end != nil else { return }
    var parts: [(text: String, color: RGBColor?)] = [
      ("momentary", light), ("short-term", strong),
    ]
    if let integrated = curve.integrated {
      let value = DecimalText.fixed(integrated, decimals: 1).replacing("-", with: "\u{2212}")
      parts.append(("integrated \(value) LUFS", nil))
    }
    let swatch = 18.0
    let widths = parts.map { canvas.width(of: $0.text, .label) + ($0.color == nil ? 0 : swatch) }
    let total = widths.reduce(0, +) + 16 * Double(parts.count - 1)
    guard total + 24 <= place.width else { return }
    var x = place.right - total - 8
    canvas.fill(
      Rectangle(x: x - 6, y: place.y + 2, width: total + 12, height: 16), theme.panel)
    for (part, width) in zip(parts, widths) {
      if let color = part.color {
        canvas.fill(Rectangle(x: x, y: place.y + 7, width: swatch - 5, height: 6), color)
      }
      canvas.draw(
        part.text, x: x + (part.color == nil ? 0 : swatch), baseline: place.y + 14, .label,
        theme.text)
      x += width + 16
    }
  }
}

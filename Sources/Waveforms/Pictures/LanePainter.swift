internal import AudioModel

/// Draws the content of a lane.
struct LanePainter {
  let canvas: Canvas
  let settings: PictureSettings
  let place: Rectangle
  /// The width of all values, which may exceed the lane by the gap after the last bar.
  let valueWidth: Double
  /// The value at the edge of the lane.
  let top: LaneTop
  /// In Hz.
  let sampleRate: Int
  let color: RGBColor

  func draw(_ content: LaneContent) {
    switch content {
    case .levels(let levels): drawBars(levels)
    case .peaks(let peaks) where peaks.count < Int((valueWidth * canvas.scale).rounded()):
      drawLine(peaks)
    case .peaks(let peaks): drawEnvelope(peaks)
    case .spectrum, .loudness: break
    }
  }

  // MARK: - Bars

  /// The maximum width of bars with square corners.
  private static let squareBars = 2

  private func drawBars(_ levels: Levels) {
    if levels.values.isEmpty { return drawSilence() }
    let half = place.height / 2
    let width = Double(settings.barWidth)
    let bars = levels.heights(loudest: top.level).enumerated().map { (index, height) in
      let x = place.x + valueWidth * Double(index) / Double(levels.values.count)
      // Silence is one pixel on either side of the middle.
      let rise = max(1 / canvas.scale, canvas.snapped(height * half))
      return Rectangle(
        x: canvas.snapped(x), y: canvas.snapped(place.middle) - rise, width: width,
        height: 2 * rise)
    }
    if settings.barWidth <= Self.squareBars {
      canvas.fill(bars, color)
    } else {
      canvas.fill(bars, radius: width / 2, color)
    }
  }

  private func drawSilence() {
    let pixel = 1 / canvas.scale
    canvas.fill(
      [
        Rectangle(
          x: place.x, y: canvas.snapped(place.middle) - pixel, width: place.width,
          height: 2 * pixel)
      ], color)
  }

  // MARK: - Envelope

  private func height(of sample: Int16) -> Double {
    height(of: Double(sample) / 32768)
  }

  /// The height of a value, full scale 1.
  private func height(of value: Double) -> Double {
    place.middle - min(1, max(-1, value / top.amplitude)) * place.height / 2
  }

  /// A column of pixels for each segment, joined to its neighbors.
  private func drawEnvelope(_ peaks: Peaks) {
    let pixel = 1 / canvas.scale
    var upper: [(x: Double, y: Double)] = []
    var lower: [(x: Double, y: Double)] = []
    var previous: (top: Double, bottom: Double)?
    for index in 0..<peaks.count {
      var top = height(of: peaks.maximums[index])
      var bottom = height(of: peaks.minimums[index])
      if let previous {
        // The wave passes through everything between two columns.
        top = min(top, previous.bottom)
        bottom = max(bottom, previous.top)
      }
      previous = (height(of: peaks.maximums[index]), height(of: peaks.minimums[index]))
      if bottom - top < pixel {
        let middle = (top + bottom) / 2
        (top, bottom) = (middle - pixel / 2, middle + pixel / 2)
        // Aligns a thin line to one row of pixels.
        top = min(max(canvas.snapped(top), place.y), place.bottom - pixel)
        bottom = top + pixel
      }
      let x = place.x + Double(index) * pixel
      upper += [(x, top), (x + pixel, top)]
      lower += [(x, bottom), (x + pixel, bottom)]
    }
    let (peak, core) = EnvelopeColors.parts(of: color, settings.theme)
    canvas.fill(polygon: upper + lower.reversed(), peak)
    drawRMS(of: peaks, core)
    drawClipping(of: peaks)
  }

  /// The height and the width of a mark of clipping, in points.
  private static let (clippingHeight, clippingWidth) = (4.0, 2.0)

  /// Marks at the edges of the lane where samples reach full scale.
  private func drawClipping(of peaks: Peaks) {
    let distance = valueWidth / Double(max(1, peaks.count))
    let width = Self.clippingWidth
    let height = min(Self.clippingHeight, place.height / 4)
    var marks: [Rectangle] = []
    for index in 0..<peaks.count {
      let x = min(place.x + Double(index) * distance, place.right - width)
      if peaks.maximums[index] >= peaks.fullScale {
        marks.append(Rectangle(x: x, y: place.y, width: width, height: height))
      }
      if peaks.minimums[index] == .min {
        marks.append(Rectangle(x: x, y: place.bottom - height, width: width, height: height))
      }
    }
    canvas.fill(marks, settings.theme.clipping)
  }

  /// The minimum length of the RMS, and of the columns that show it, in seconds.
  private static let (rmsLength, minimumColumn) = (0.02, 0.002)

  /// The RMS on either side of the middle, within the envelope.
  private func drawRMS(of peaks: Peaks, _ color: RGBColor) {
    let rate = Double(sampleRate)
    // The RMS of only a few periods of a wave is meaningless.
    guard Double(peaks.frameCount) >= Self.minimumColumn * rate * Double(peaks.count) else {
      return
    }
    let pixel = 1 / canvas.scale
    let bars = peaks.rms(over: Self.rmsLength * rate).enumerated().compactMap {
      (index, rms) -> Rectangle? in
      let highest = Double(peaks.maximums[index]) / 32768
      let lowest = Double(peaks.minimums[index]) / 32768
      let top = height(of: min(rms, highest))
      let bottom = height(of: max(-rms, lowest))
      guard bottom - top >= pixel else { return nil }
      return Rectangle(
        x: place.x + Double(index) * pixel, y: top, width: pixel, height: bottom - top)
    }
    canvas.fill(bars, color)
  }

  /// The minimum distance of samples drawn as dots, and the radius of a dot, in points.
  private static let (dotDistance, dotRadius) = (8.0, 2.0)

  /// A line through the samples.
  private func drawLine(_ peaks: Peaks) {
    if peaks.count == 0 { return drawSilence() }
    let distance = valueWidth / Double(peaks.count)
    let points = peaks.maximums.enumerated().map { (index, sample) in
      (x: place.x + Double(index) * distance, y: height(of: sample))
    }
    if points.count > 1 {
      canvas.clipped(to: place) { canvas.stroke(points, width: 1.25, color) }
    }
    drawClipping(of: peaks)
    guard distance >= Self.dotDistance else { return }
    let radius = Self.dotRadius
    canvas.fill(
      points.map {
        Rectangle(x: $0.x - radius, y: $0.y - radius, width: 2 * radius, height: 2 * radius)
      }, radius: radius, color)
  }
}

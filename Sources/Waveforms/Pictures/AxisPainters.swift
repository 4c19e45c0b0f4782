/// Draws the time axis of all tracks.
struct TimeAxisPainter {
  let canvas: Canvas
  let theme: PictureTheme
  let layout: PictureLayout
  let scene: WaveformScene

  /// The minimum distance of ticks and the gap between labels, in points.
  private static let (minimumDistance, labelGap) = (72.0, 20.0)

  /// The width of a second of a track, in points; 0 if there is no audio.
  func pointsPerSecond(ofTrack index: Int) -> Double {
    guard scene.tracks.indices.contains(index), layout.tracks.indices.contains(index) else {
      return 0
    }
    let track = scene.tracks[index]
    let frames = track.scaledFrames
    guard frames > 0 else { return 0 }
    return layout.tracks[index].valueWidth * Double(track.outline.sampleRate) / Double(frames)
  }

  /// The longest track, which determines the axis.
  private var leading: Int? {
    scene.tracks.indices.max { scene.tracks[$0].outline.seconds < scene.tracks[$1].outline.seconds }
  }

  /// The ticks and their positions.
  private func ticks() -> [(x: Double, label: String)] {
    guard let leading, let axis = layout.timeAxis ?? layout.tracks.first?.lanes.first else {
      return []
    }
    let outline = scene.tracks[leading].outline
    let scale = pointsPerSecond(ofTrack: leading)
    guard scale > 0 else { return [] }
    let width = layout.tracks[leading].valueWidth
    // The last sample, or the last bar, ends with the lane.
    let right = layout.tracks[leading].lanes.first.map { $0.right - 1 / canvas.scale } ?? axis.x
    let start = outline.startSeconds
    let ticks = TimeTicks(from: start, to: start + width / scale) { (step, labels) in
      if step * scale < Self.minimumDistance { return false }
      let widest = labels.map { canvas.width(of: $0, .label) }.max() ?? 0
      return step * scale >= widest * 1.5 + Self.labelGap
    }
    var placed = ticks.ticks.map {
      (x: canvas.snapped(axis.x + ($0.seconds - start) * scale), label: $0.label)
    }
    placed.removeAll { $0.x > right + 0.5 }
    // The end always has a label, unless it does not fit beside the first one.
    let shown = scene.tracks[leading].shownSeconds
    guard let end = TimeTicks.end(from: start, to: start + shown, step: ticks.step) else {
      return placed
    }
    let left = right - canvas.width(of: end.label, .label) / 2
    func collides(_ tick: (x: Double, label: String)) -> Bool {
      tick.x + canvas.width(of: tick.label, .label) / 2 + Self.endGap > left
    }
    while placed.count > 1, let last = placed.last, collides(last) { placed.removeLast() }
    if let last = placed.last, collides(last) { return placed }
    return placed + [(x: right, label: end.label)]
  }

  /// The gap before the label of the end, in points.
  private static let endGap = 20.0

  /// Draws a line through all lanes at each tick.
  func drawGrid() {
    guard layout.timeAxis != nil else { return }
    let pixel = 1 / canvas.scale
    for (x, _) in ticks() {
      for lane in layout.tracks.flatMap(\.lanes) where x > lane.x && x < lane.right {
        canvas.fill(
          Rectangle(x: x, y: lane.y, width: pixel, height: lane.height), theme.grid)
      }
    }
  }

  /// Draws the labels, below all lanes.
  func drawLabels() {
    guard let axis = layout.timeAxis else { return }
    let pixel = 1 / canvas.scale
    for (x, label) in ticks() {
      canvas.fill(
        Rectangle(x: x, y: canvas.snapped(axis.y + 4), width: pixel, height: 4), theme.mutedText)
      let width = canvas.width(of: label, .label)
      let left = min(max(x - width / 2, 4), canvas.width - width - 4)
      canvas.draw(
        label, x: left, baseline: axis.y + 20, .label, theme.mutedText, anchor: .middle)
    }
  }
}

/// Draws the level axis of one lane, and its grid lines.
struct LevelAxisPainter {
  let canvas: Canvas
  let theme: PictureTheme
  /// The right end of the labels; `nil` for no axis.
  let end: Double?
  let place: Rectangle
  let top: LaneTop
  /// True if the unit is drawn above the axis.
  var isFirst = false

  /// The minimum distance of labels, in points.
  private static let labelDistance = 16.0

  func draw(_ content: LaneContent) {
    guard let end else { return }
    guard
      let axis = LevelTicks(
        of: content, top: top, gap: Self.labelDistance / (place.height / 2))
    else { return }
    if isFirst && !axis.isLinear {
      let width = canvas.width(of: "dB", .label)
      canvas.draw(
        "dB", x: end - width, baseline: place.y - 8, .label, theme.mutedText, anchor: .end)
    }
    let pixel = 1 / canvas.scale
    let rise = Canvas.rise(of: .label)
    for tick in axis.ticks {
      for direction in tick.height == 0 ? [1.0] : [1, -1] {
        let y = place.middle - direction * tick.height * place.height / 2
        let row = min(max(canvas.snapped(y), place.y), place.bottom - pixel)
        canvas.fill(
          Rectangle(x: place.x, y: row, width: place.width, height: pixel), theme.grid)
        let label = direction < 0 ? axis.lowerLabel(of: tick) : tick.label
        let width = canvas.width(of: label, .label)
        // Labels are on their lines, within the picture.
        canvas.draw(
          label, x: end - width,
          baseline: min(max(y, rise + 1), canvas.height - rise - 1) + rise,
          .label, theme.mutedText, anchor: .end)
      }
    }
  }
}

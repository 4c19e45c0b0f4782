/// Draws the time axis of all tracks.
struct TimeAxisPainter {
  let canvas: Canvas
  let theme: PictureTheme
  let layout: PictureLayout
  let scene: WaveformScene

  /// The minimum distance of ticks and the gap between labels, in points.
  private static let (leastDistance, labelGap) = (72.0, 20.0)

  /// The width of a second of a track, in points; 0 if there is no audio.
  func pointsPerSecond(ofTrack index: Int) -> Double {
    guard scene.tracks.indices.contains(index), layout.tracks.indices.contains(index) else {
      return 0
    }
    let track = scene.tracks[index]
    var frames = track.outline.frames.count
    // Frames that do not fill a bar are not shown.
    if case .levels(let levels) = track.lanes.first {
      frames = levels.values.count * levels.framesPerValue
    }
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
    let start = outline.startSeconds
    let ticks = TimeTicks(from: start, to: start + width / scale) { (step, labels) in
      if step * scale < Self.leastDistance { return false }
      let widest = labels.map { canvas.width(of: $0, .label) }.max() ?? 0
      return step * scale >= widest * 1.5 + Self.labelGap
    }
    return ticks.ticks.map {
      (canvas.snapped(axis.x + ($0.seconds - start) * scale), $0.label)
    }
  }

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
      canvas.draw(label, x: left, baseline: axis.y + 20, .label, theme.mutedText)
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
  /// Whether to draw the unit above the axis.
  var isFirst = false

  /// The minimum distance of labels, in points.
  private static let labelDistance = 16.0

  func draw(_ content: LaneContent) {
    guard let end else { return }
    if case .spectrum = content { return }
    if isFirst {
      let width = canvas.width(of: "dB", .label)
      canvas.draw(
        "dB", x: end - width, baseline: place.y - 7, .label, theme.mutedText)
    }
    let gap = Self.labelDistance / (place.height / 2)
    let ticks: [LevelTicks.Tick] =
      switch content {
      case .levels(let levels):
        LevelTicks(loudest: top.level, floor: levels.noiseFloor, gap: gap).ticks
      case .peaks: LevelTicks(peaksWithGap: gap, top: top.amplitude).ticks
      case .spectrum: []
      }
    let pixel = 1 / canvas.scale
    // Labels stay within their lane, so they do not overlap those of the next.
    let inset = min(Canvas.rise(of: .label), place.height / 2)
    for tick in ticks {
      for direction in tick.height == 0 ? [1.0] : [1, -1] {
        let y = place.middle - direction * tick.height * place.height / 2
        let row = min(max(canvas.snapped(y), place.y), place.bottom - pixel)
        canvas.fill(
          Rectangle(x: place.x, y: row, width: place.width, height: pixel), theme.grid)
        let width = canvas.width(of: tick.label, .label)
        canvas.draw(
          tick.label, x: end - width,
          baseline: min(max(y, place.y + inset), place.bottom - inset) + Canvas.rise(of: .label),
          .label, theme.mutedText)
      }
    }
  }
}

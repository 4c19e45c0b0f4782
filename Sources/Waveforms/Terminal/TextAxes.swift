/// Draws the axes, titles and markers of a text picture.
struct TextAxes {
  let settings: TextSettings
  let palette: TextPalette
  let layout: TextLayout
  let scene: WaveformScene
  let measure: TextMeasure

  private var muted: TextLook { TextLook(color: palette.muted) }

  // MARK: - Titles

  func drawTitle(_ outline: TrackOutline, at line: Int, on grid: inout TextGrid) {
    let width = grid.columns
    let name = measure.shown(outline.name)
    let facts = measure.columns(outline.facts)
    // If both do not fit, a name of up to a third of the line has priority.
    let showsFacts = facts + 2 + min(measure.columns(name), width / 3) <= width
    let room = width - (showsFacts ? facts + 2 : 0)
    grid.put(
      measure.fitted(name, columns: room), at: 0, line, TextLook(color: palette.text, isBold: true))
    if showsFacts { grid.put(outline.facts, at: width - facts, line, muted) }
  }

  // MARK: - Levels

  /// Draws the axis left of a lane, and the name of the lane.
  func drawLevels(
    _ content: LaneContent, name: String, at place: TextLayout.Lane, top: LaneTop,
    on grid: inout TextGrid
  ) {
    guard let axis = layout.levelAxis else { return }
    grid.put(
      measure.shown(name), at: 0, place.line + place.lines / 2 - 1,
      TextLook(color: palette.text, isBold: true))
    for line in 0..<place.lines { grid.put("│", axis, place.line + line, muted) }
    if case .spectrum(let spectrogram) = content {
      return drawFrequencies(spectrogram, axis: axis, at: place, on: &grid)
    }
    if case .loudness = content { return drawLoudness(axis: axis, at: place, on: &grid) }
    let half = Double(place.lines) / 2
    let gap = min(0.99, 2 / half)
    guard let ticks = LevelTicks(of: content, top: top, gap: gap) else { return }
    if settings.picture.style == .both, !ticks.isLinear {
      grid.put("dB", at: axis - 2, place.line + place.lines, muted)
    }
    for tick in ticks.ticks {
      let above = min(place.lines / 2 - 1, Int(half - tick.height * half))
      for line in tick.height == 0 ? [above] : [above, place.lines - 1 - above] {
        grid.put("┤", axis, place.line + line, muted)
        let label = line > above ? ticks.lowerLabel(of: tick) : tick.label
        grid.put(label, at: axis - measure.columns(label), place.line + line, muted)
      }
    }
  }

  /// Loudness in LUFS, from the bottom of the lane.
  private func drawLoudness(axis: Int, at place: TextLayout.Lane, on grid: inout TextGrid) {
    for level in LoudnessCurve.targets + [LoudnessCurve.range.lowerBound] {
      let height = LoudnessCurve.height(of: level)
      let line =
        place.line + place.lines - 1 - min(place.lines - 1, Int(height * Double(place.lines)))
      let label = DecimalText.text(level, maximumDecimals: 0).replacing("-", with: "\u{2212}")
      grid.put("┤", axis, line, muted)
      grid.put(label, at: axis - measure.columns(label), line, muted)
    }
  }

  private func drawFrequencies(
    _ spectrogram: Spectrogram, axis: Int, at place: TextLayout.Lane, on grid: inout TextGrid
  ) {
    let ticks = FrequencyTicks(
      highest: spectrogram.highestFrequency, gap: 2 / Double(place.lines),
      scale: spectrogram.scale)
    for tick in ticks.ticks {
      let line =
        place.line + place.lines - 1
        - min(place.lines - 1, Int(tick.height * Double(place.lines)))
      let label = tick.height == 0 ? ticks.unit : tick.label
      grid.put("┤", axis, line, muted)
      grid.put(label, at: axis - measure.columns(label), line, muted)
    }
  }

  // MARK: - Time

  /// The width of a second of a track, in columns; 0 if there is no audio.
  private func columnsPerSecond(ofTrack index: Int) -> Double {
    let track = scene.tracks[index]
    guard let lane = layout.tracks[index].lanes.first else { return 0 }
    let frames = track.scaledFrames
    var columns = Double(lane.columns)
    if case .levels = track.lanes.first {
      columns =
        Double(layout.tracks[index].valueCount * settings.bar.pitch)
        / Double(settings.glyphs.parts.columns)
    }
    return frames > 0 ? columns * Double(track.outline.sampleRate) / Double(frames) : 0
  }

  /// Draws the time axis below all tracks.
  func drawTime(on grid: inout TextGrid) {
    guard let line = layout.timeAxis, let leading,
      let lane = layout.tracks[leading].lanes.first
    else { return }
    for column in 0..<lane.columns { grid.put("─", lane.column + column, line, muted) }
    if layout.levelAxis != nil {
      grid.put("└", lane.column - 1, line, muted)
      // Below a spectrogram, the label would be read as its unit.
      let isBoth = settings.picture.style == .both
      if showsDecibels && !isBoth { grid.put("dB", at: lane.column - 4, line, muted) }
    }
    let scale = columnsPerSecond(ofTrack: leading)
    guard scale > 0 else { return }
    let start = scene.tracks[leading].outline.startSeconds
    let ticks = TimeTicks(from: start, to: start + Double(lane.columns) / scale) { (step, labels) in
      let widest = labels.map(measure.columns).max() ?? 0
      return step * scale >= Double(widest + 5)
    }
    var placed = ticks.ticks.map {
      (column: lane.column + Int(($0.seconds - start) * scale), label: $0.label)
    }
    placed.removeAll { $0.column >= lane.column + lane.columns }
    // The end always has a label, unless it does not fit beside the first one.
    let last = lane.column + lane.columns - 1
    let shown = scene.tracks[leading].shownSeconds
    if let end = TimeTicks.end(from: start, to: start + shown, step: ticks.step) {
      let free = grid.columns - measure.columns(end.label) - 1
      func collides(_ tick: (column: Int, label: String)) -> Bool {
        tick.column + (measure.columns(tick.label) + 1) / 2 >= free
      }
      while placed.count > 1, let tick = placed.last, collides(tick) { placed.removeLast() }
      if let tick = placed.last, !collides(tick) { placed.append((last, end.label)) }
    }
    for tick in placed {
      grid.put("┬", tick.column, line, muted)
      let width = measure.columns(tick.label)
      let left = min(max(0, tick.column - width / 2), grid.columns - width)
      grid.put(tick.label, at: left, line + 1, muted)
    }
  }

  /// True if the level axes are in decibels.
  private var showsDecibels: Bool {
    scene.tracks.flatMap(\.lanes).contains { content in
      guard let ticks = LevelTicks(of: content, top: LaneTop(of: scene, settings.picture), gap: 0.5)
      else { return false }
      return !ticks.isLinear
    }
  }

  /// The longest track, which determines the axis.
  private var leading: Int? {
    scene.tracks.indices.max { scene.tracks[$0].outline.seconds < scene.tracks[$1].outline.seconds }
  }

  // MARK: - Chapters and marks

  func drawMarkers(ofTrack index: Int, on grid: inout TextGrid) {
    let outline = scene.tracks[index].outline
    let place = layout.tracks[index]
    guard let lane = place.lanes.first, let last = place.lanes.last else { return }
    let scale = columnsPerSecond(ofTrack: index)
    var markers: [(column: Int, marker: TimeMarker)] = []
    for marker in outline.markers.sorted(by: { $0.seconds < $1.seconds }) {
      let place = (marker.seconds - outline.startSeconds) * scale
      guard place >= 0, place < Double(lane.columns) else { continue }
      let column = lane.column + Int(place)
      markers.append((column, marker))
    }
    let numbers = MarkerNumbers(nameRoom: 6, nameGap: 2, numberGap: 2) {
      Double(measure.columns($0))
    }.numbers(
      of: markers.map { (x: Double($0.column), marker: $0.marker) }, among: outline.markers)
    // Without numbers, lines need a minimum distance.
    if numbers.isEmpty {
      var last = Int.min / 2
      markers.removeAll { marker in
        let isClose = marker.column - last < 2
        if !isClose { last = marker.column }
        return isClose
      }
    }
    let look = TextLook(color: palette.marker)
    let lanes = Set(place.lanes.flatMap { $0.line..<$0.line + $0.lines })
    for (index, (column, marker)) in markers.enumerated()
    where numbers.isEmpty || numbers[index] != nil {
      let glyph: Character = marker.kind == .chapter ? "│" : "┊"
      // Drawn over the waveform, which would otherwise hide them.
      for line in (place.markerNames ?? lane.line)..<last.line + last.lines
      where grid.isFree(column, line) || lanes.contains(line) {
        grid.put(glyph, column, line, look)
      }
      guard let names = place.markerNames else { continue }
      if let number = numbers[index] {
        grid.put(number, at: column + 1, names, look)
        continue
      }
      let end = index + 1 < markers.count ? markers[index + 1].column : grid.columns + 1
      let room = end - column - 2
      if room >= 3 {
        grid.put(
          measure.fitted(measure.shown(marker.label), columns: room), at: column + 1, names, look)
      }
    }
  }
}

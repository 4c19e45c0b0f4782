/// Draws a scene in a layout.
struct ScenePainter {
  let canvas: Canvas
  let settings: PictureSettings
  let layout: PictureLayout
  let scene: WaveformScene

  private var theme: PictureTheme { settings.theme }

  func draw() {
    let top = LaneTop(of: scene, settings)
    let spectra = SpectrumRange(scene).map {
      SpectrogramPainter(canvas: canvas, settings: settings, range: $0)
    }
    let axis = TimeAxisPainter(canvas: canvas, theme: theme, layout: layout, scene: scene)
    let tracks = Array(zip(scene.tracks, layout.tracks))
    for (_, place) in tracks { drawPanels(place) }
    axis.drawGrid()
    var color = 0
    let parts = settings.style.parts.count
    for (index, (track, place)) in tracks.enumerated() {
      drawTitle(track.outline, place)
      for (lane, (content, lanePlace)) in zip(track.lanes, place.lanes).enumerated() {
        let isFirst = lane < parts && (lane > 0 || place.title != nil)
        if case .loudness(let curve) = content {
          LoudnessPainter(
            canvas: canvas, theme: theme, place: lanePlace, end: layout.levelAxisEnd,
            isFirst: isFirst, isBare: settings.isBare, color: laneColor(track: index, lane: color)
          ).draw(curve)
        }
        if case .spectrum(let spectrogram) = content {
          spectra?.draw(spectrogram, in: lanePlace)
          if let end = layout.levelAxisEnd {
            spectra?.drawFrequencies(spectrogram, at: lanePlace, end: end, isFirst: isFirst)
          }
        }
        LevelAxisPainter(
          canvas: canvas, theme: theme, end: layout.levelAxisEnd, place: lanePlace,
          top: top, isFirst: isFirst
        ).draw(content)
        if lane % parts == 0, lane / parts < track.outline.laneNames.count {
          drawName(track.outline.laneNames[lane / parts], lanePlace)
        }
        LanePainter(
          canvas: canvas, settings: settings, place: lanePlace, valueWidth: place.valueWidth,
          top: top, sampleRate: track.outline.sampleRate,
          color: laneColor(track: index, lane: color)
        ).draw(content)
        if !settings.isBare, let words = content.emptiness(track.outline) {
          drawWords(words, in: lanePlace)
        }
        if (lane + 1) % parts == 0 { color += 1 }
      }
      MarkerPainter(
        canvas: canvas, theme: theme, place: place,
        pointsPerSecond: axis.pointsPerSecond(ofTrack: index),
        darkLanes: track.lanes.map { if case .spectrum = $0 { true } else { false } }
      ).draw(track.outline)
    }
    if let legend = layout.legend { spectra?.drawLegend(at: legend) }
    axis.drawLabels()
  }

  private func drawPanels(_ place: PictureLayout.Track) {
    if settings.isBare { return }
    for lane in place.lanes { canvas.fill(lane, theme.panel) }
  }

  private func laneColor(track: Int, lane: Int) -> RGBColor {
    if !settings.colors.isEmpty { return settings.colors[lane % settings.colors.count] }
    return theme.waves.isEmpty ? theme.text : theme.waves[track % theme.waves.count]
  }

  /// The minimum gap between a name and the facts, in points.
  private static let titleGap = 24.0

  private func drawTitle(_ outline: TrackOutline, _ place: PictureLayout.Track) {
    guard let title = place.title else { return }
    let baseline = title.y + 12
    let factsWidth = canvas.width(of: outline.facts, TextStyle.facts)
    let wanted = canvas.width(of: outline.name, TextStyle.title)
    // If both do not fit, a name of up to a third of the line has priority.
    let showsFacts =
      factsWidth + Self.titleGap + min(wanted, title.width / 3) <= title.width
    let room = title.width - (showsFacts ? factsWidth + Self.titleGap : 0)
    let name = canvas.fitted(outline.name, TextStyle.title, width: room, keeping: .startAndEnd)
    canvas.draw(name, x: title.x, baseline: baseline, TextStyle.title, theme.text)
    if showsFacts {
      canvas.draw(
        outline.facts, x: title.right - factsWidth, baseline: baseline, TextStyle.facts,
        theme.mutedText, anchor: .end)
    }
  }

  /// Writes the reason for an empty lane into its middle, above the line of silence.
  private func drawWords(_ words: String, in lane: Rectangle) {
    let width = canvas.width(of: words, .label)
    guard width <= lane.width, lane.height >= 24 else { return }
    canvas.draw(
      words, x: lane.x + (lane.width - width) / 2, baseline: lane.middle - 4, .label,
      theme.mutedText, anchor: .middle)
  }

  private func drawName(_ name: String, _ lane: Rectangle) {
    guard let start = layout.laneNamesStart else { return }
    canvas.draw(
      name, x: start, baseline: lane.middle + Canvas.rise(of: .laneName),
      .laneName, theme.text)
  }
}

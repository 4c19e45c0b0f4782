/// A picture of characters for terminals, with a fixed layout before its audio is read.
///
/// Use it like ``WaveformPicture``. It shows the same content.
public struct WaveformText: Sendable {
  /// The appearance of the picture.
  public let settings: TextSettings
  private let outlines: [TrackOutline]
  private let layout: TextLayout
  private let measure: TextMeasure

  /// A layout of sources from top to bottom, on one time axis.
  ///
  /// Throws if a size is out of range.
  public init(
    settings: TextSettings, outlines: [TrackOutline], measure: TextMeasure
  ) throws(RenderingError) {
    try settings.check()
    self.settings = settings
    self.outlines = outlines
    self.measure = measure
    layout = TextLayout(of: outlines, settings: settings, measure: measure)
  }

  /// The reducers for the lanes of one of the planned tracks; see ``WaveformPicture/reducers(forTrack:levels:)``.
  public func reducers(
    forTrack track: Int, levels: LevelSettings = LevelSettings()
  ) -> [any LaneReducer] {
    let place = layout.tracks[track]
    return settings.picture.reducers(
      of: outlines[track], count: place.valueCount, spectra: place.columns, levels: levels
    ) { 2 * (place.lanes.indices.contains($0) ? place.lanes[$0].lines : 1) }
  }

  /// The number of values in a lane of one of the planned tracks, for a curve of loudness.
  public func columnCount(ofTrack track: Int) -> Int { layout.tracks[track].valueCount }

  /// The lines of a picture of a scene, whose tracks are the planned ones.
  ///
  /// No line is wider than the columns of the settings. Without colors, lines have no escape sequences.
  public func render(_ scene: WaveformScene) -> [String] {
    let scene = scene.fittingFrequencies
    var grid = TextGrid(columns: settings.columns, lines: layout.lines, measure: measure)
    let palette = settings.knowsGround ? TextPalette(settings.picture.theme) : .anyGround
    let axes = TextAxes(
      settings: settings, palette: palette, layout: layout, scene: scene, measure: measure)
    let top = LaneTop(of: scene, settings.picture)
    let spectra = SpectrumRange(scene).map { TextSpectrumPainter(settings: settings, range: $0) }
    let parts = settings.picture.style.parts.count
    var color = 0
    for (index, (track, place)) in zip(scene.tracks, layout.tracks).enumerated() {
      if let line = place.title { axes.drawTitle(track.outline, at: line, on: &grid) }
      for (lane, (content, lanePlace)) in zip(track.lanes, place.lanes).enumerated() {
        let name = lane % parts == 0 ? track.outline.laneNames[lane / parts] : ""
        axes.drawLevels(content, name: name, at: lanePlace, top: top, on: &grid)
        if case .spectrum(let spectrogram) = content {
          spectra?.draw(spectrogram, at: lanePlace, on: &grid)
          continue
        }
        TextLanePainter(
          settings: settings, palette: palette, place: lanePlace, top: top, track: index,
          lane: color
        ).draw(content, on: &grid)
        if !settings.picture.isBare, let words = content.emptiness(track.outline),
          words.count < lanePlace.columns, lanePlace.lines > 2
        {
          grid.put(
            words, at: lanePlace.column + (lanePlace.columns - words.count) / 2,
            lanePlace.line + lanePlace.lines / 2 - 2, TextLook(color: palette.muted))
        }
        color += 1
      }
      axes.drawMarkers(ofTrack: index, on: &grid)
    }
    axes.drawTime(on: &grid)
    if let line = layout.legend {
      spectra?.drawLegend(at: line, TextLook(color: palette.muted), on: &grid)
    }
    return grid.lines(in: settings.colors)
  }
}

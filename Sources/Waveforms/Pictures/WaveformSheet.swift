/// A contact sheet with a fixed layout, before its audio is read.
///
/// Each cell shows one lane of one source, with its name and length. All cells have the same level scale, so
/// loudness can be compared.
public struct WaveformSheet: Hashable, Sendable {
  /// The appearance of the sheet. Its height, if given, is divided among the rows.
  public let settings: PictureSettings
  /// The height of the sheet, in points.
  public let height: Int
  private let columns: Int
  private let cellWidth: Double
  private let rowHeight: Double
  private let layout: PictureLayout
  private let header: Double

  private enum Measure {
    static let margin = 24.0
    static let columnGap = 28.0
    static let rowGap = 22.0
    static let minimumCell = 300.0
    /// Rows of one lane, and of two.
    static let (row, doubleRow) = (92.0, 154.0)
    static let header = 34.0
    /// Sheets with rows lower than `lowRow` have no header; those with rows lower than `minimumRow` are refused.
    static let (lowRow, minimumRow) = (48.0, 8.0)
  }

  /// A layout of `count` sources.
  ///
  /// Throws if Cairo is not available or a size is out of range.
  public init(settings: PictureSettings, count: Int) throws(RenderingError) {
    try settings.check()
    self.settings = settings
    let canvas = try Canvas(
      width: 1, height: 1, scale: settings.scale, format: .png, title: "")
    let margin = settings.isBare ? 0 : Measure.margin
    let room = max(1, Double(settings.width) - 2 * margin)
    let most = Int((room + Measure.columnGap) / (Measure.minimumCell + Measure.columnGap))
    columns = max(1, min(most, count))
    let gaps = Double(columns - 1) * Measure.columnGap
    cellWidth = canvas.snapped((room - gaps) / Double(columns) - 0.5)
    let rows = Double(max(1, (count + columns - 1) / columns))
    let bare = 2 * margin + (rows - 1) * Measure.rowGap
    var header = settings.isBare ? 0 : Measure.header
    if let height = settings.height {
      if (Double(height) - bare - header) / rows < Measure.lowRow { header = 0 }
      let least = Int((bare + rows * Measure.minimumRow).rounded(.up))
      if height < least {
        throw .badSize(
          reason: "a sheet of \(count) pictures needs a height of at least \(least) points, not "
            + "\(height); choose a larger height or width")
      }
    }
    self.header = header
    let around = bare + header
    rowHeight =
      settings.height.map { max(1, (Double($0) - around) / rows) }
      ?? (settings.style.parts.count > 1 ? Measure.doubleRow : Measure.row)
    let total = settings.height ?? Int(min(around + rows * rowHeight, 1e9).rounded(.up))
    height = total
    try settings.check(height: total)
    layout = PictureLayout(
      of: [TrackOutline(name: "", facts: "", sampleRate: 1, frames: 0..<1, laneNames: [""])],
      settings: settings, canvas: canvas, width: cellWidth, height: rowHeight,
      surroundings: .cell(hasTitle: !settings.isBare))
  }

  /// The reducers for the cell of a source with one lane name; see ``WaveformPicture/reducers(forTrack:levels:)``.
  public func reducers(
    for outline: TrackOutline, levels: LevelSettings = LevelSettings()
  ) -> [any LaneReducer] {
    settings.reducers(of: outline, count: columnCount, levels: levels, makesCloseUps: false) {
      layout.tracks.first?.rowCount(ofLane: $0, scale: Double(settings.scale)) ?? 1
    }
  }

  /// The number of values in a lane, for a curve of loudness.
  public var columnCount: Int { layout.tracks.first?.valueCount ?? 1 }

  /// The bytes of a picture file of the sheet, with a cell for each source, each of which has one lane.
  ///
  /// The header shows `title`, such as the folder of the sources, their number and their total length.
  public func render(
    _ tracks: [WaveformTrack], title: String = "", as format: PictureFormat
  ) throws(RenderingError) -> [UInt8] {
    let canvas = try Canvas(
      width: settings.width, height: height, scale: settings.scale, format: format,
      title: title.isEmpty ? "Contact sheet" : title,
      description: "Contact sheet: "
        + tracks.map { settings.style.description(of: $0.outline) }.joined(separator: "; "))
    canvas.fill(
      Rectangle(x: 0, y: 0, width: canvas.width, height: canvas.height), settings.theme.background)
    let margin = settings.isBare ? 0 : Measure.margin
    if header > 0 { drawHeader(title, tracks, on: canvas) }
    let top = LaneTop(of: WaveformScene(tracks: tracks), settings)
    let spectrumRange = SpectrumRange(WaveformScene(tracks: tracks))
    for (index, track) in tracks.enumerated() {
      var track = track
      track.outline.facts = ClockText.length(track.outline.seconds)
      let x = margin + Double(index % columns) * (cellWidth + Measure.columnGap)
      let y = margin + header + Double(index / columns) * (rowHeight + Measure.rowGap)
      ScenePainter(
        canvas: canvas, settings: settings,
        layout: layout.moved(x: canvas.snapped(x), y: canvas.snapped(y)),
        scene: WaveformScene(tracks: [track]), top: top,
        spectrumRange: spectrumRange, titles: (.cellTitle, .label)
      ).draw()
    }
    return try canvas.finish()
  }

  private func drawHeader(_ title: String, _ tracks: [WaveformTrack], on canvas: Canvas) {
    let seconds = tracks.map(\.outline.seconds).reduce(0, +)
    let files = tracks.count == 1 ? "1 file" : "\(tracks.count) files"
    let facts = "\(files)  ·  \(ClockText.length(seconds))"
    let width = canvas.width(of: facts, .facts)
    let baseline = Measure.margin + 10
    let right =
      Measure.margin + cellWidth * Double(columns) + Measure.columnGap * Double(columns - 1)
    let room = right - Measure.margin - width - 24
    let name = room > 60 ? canvas.fitted(title, .title, width: room, keeping: .startAndEnd) : ""
    canvas.draw(name, x: Measure.margin, baseline: baseline, .title, settings.theme.text)
    canvas.draw(
      facts, x: name.isEmpty ? Measure.margin : right - width, baseline: baseline, .facts,
      settings.theme.mutedText, anchor: name.isEmpty ? .start : .end)
  }
}

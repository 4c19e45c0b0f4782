internal import AudioIO
public import Waveforms

/// The picture of one file, for a terminal.
public struct TerminalPlot: Sendable {
  /// How a terminal shows pictures.
  public enum Screen: Sendable {
    /// With characters.
    case text(TextSettings, TextMeasure)
    /// With pixels; the picture is at most `maximumHeight` points high unless its settings give a height.
    case graphics(TerminalGraphics, maximumHeight: Int?)
  }

  /// The source.
  public var input: ConversionInput
  /// How the terminal shows it.
  public var screen: Screen
  /// The content and the appearance of the picture; the screen overrides parts of it.
  public var settings: PlotSettings

  /// A picture of `input`.
  public init(input: ConversionInput, screen: Screen, settings: PlotSettings) {
    self.input = input
    self.screen = screen
    self.settings = settings
  }

  /// Reads the source once, in bounded memory, on the calling thread, and returns the bytes to write to the
  /// terminal.
  ///
  /// `cancellation` stops the work at its next block, with ``PlotError/cancelled``.
  public func run(cancellation: Cancellation = Cancellation()) throws(PlotError) -> [UInt8] {
    let file = try PlotFiles.open(
      input, raw: settings.raw, tagEncoding: settings.tagEncoding, cancellation)
    let source = try PlotSource(
      try PlotFiles.reader(of: file, settings), path: file.path, settings: settings)
    let bytes =
      switch screen {
      case .text(let text, let measure): try self.text(of: source, text, measure, cancellation)
      case .graphics(let graphics, let maximumHeight):
        try self.graphics(of: source, graphics, maximumHeight, cancellation)
      }
    try PlotError.files(file.checkUnchanged())
    return bytes
  }

  private func text(
    of source: PlotSource, _ settings: TextSettings, _ measure: TextMeasure,
    _ cancellation: Cancellation
  ) throws(PlotError) -> [UInt8] {
    let outline = source.outline
    let picture = try drawing(input.path) { () throws(RenderingError) in
      try WaveformText(settings: settings, outlines: [outline], measure: measure)
    }
    let scene = try scene(
      of: source, picture.reducers(forTrack: 0, levels: self.settings.levels),
      columns: picture.columnCount(ofTrack: 0), cancellation)
    return picture.render(scene).flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] }
  }

  private func graphics(
    of source: PlotSource, _ graphics: TerminalGraphics, _ maximumHeight: Int?,
    _ cancellation: Cancellation
  ) throws(PlotError) -> [UInt8] {
    let outline = source.outline
    var picture = try picture(outline, height: nil)
    if let maximumHeight, settings.picture.height == nil, picture.height > maximumHeight {
      picture = try self.picture(
        outline, height: max(maximumHeight, PictureSettings.sizeRange.lowerBound))
    }
    let (final, path) = (picture, input.path)
    let scene = try scene(
      of: source, final.reducers(forTrack: 0, levels: settings.levels),
      columns: final.columnCount(ofTrack: 0), cancellation)
    return try drawing(path) { () throws(RenderingError) in
      try final.render(scene, for: graphics)
    }
  }

  private func picture(_ outline: TrackOutline, height: Int?) throws(PlotError) -> WaveformPicture {
    var picture = settings.picture
    if let height { picture.height = height }
    let final = picture
    return try drawing(input.path) { () throws(RenderingError) in
      try WaveformPicture(settings: final, outlines: [outline])
    }
  }

  private func scene(
    of source: PlotSource, _ reducers: [any LaneReducer], columns: Int,
    _ cancellation: Cancellation
  ) throws(PlotError) -> WaveformScene {
    let lanes = try source.lanes(reducedBy: reducers, columns: columns, cancellation: cancellation)
    return WaveformScene(tracks: [WaveformTrack(outline: source.outline, lanes: lanes)])
  }
}

public import AudioIO
internal import Waveforms

/// The picture of one file, or the data for one.
///
/// ```swift
/// let plot = Plot(input: .file("in.flac"), output: .file("in.svg"), format: .picture(.svg))
/// let report = try plot.run()
/// ```
public struct Plot: FileWork {
  /// The source.
  public var input: ConversionInput
  /// The destination of the picture.
  public var output: ConversionOutput
  /// The format of the picture or the data.
  public var format: PlotFormat
  /// The content and the appearance of the picture.
  public var settings: PlotSettings

  /// A picture of `input`.
  public init(
    input: ConversionInput, output: ConversionOutput, format: PlotFormat,
    settings: PlotSettings = PlotSettings()
  ) {
    self.input = input
    self.output = output
    self.format = format
    self.settings = settings
  }

  /// Why drawing failed.
  public typealias Failure = PlotError

  /// The result of drawing.
  public struct Report: Hashable, Sendable {
    /// The source, as opened.
    public var source: SourceDescription
    /// Wall time from opening to publishing, in seconds.
    public var seconds: Double
  }

  /// Reads the source once, in bounded memory, on the calling thread, and draws it.
  ///
  /// The picture gets its name once it is complete.
  ///
  /// - Parameters:
  ///   - cancellation: Stops the work at its next block, with ``PlotError/cancelled``.
  ///   - onProgress: Called after each block.
  public func run(
    cancellation: Cancellation = Cancellation(),
    onProgress: (ConversionProgress) -> Void = { _ in }
  ) throws(PlotError) -> Report {
    let folders = CreatedFolders()
    do throws(PlotError) {
      return try perform(making: folders, cancellation: cancellation, onProgress: onProgress)
    } catch {
      folders.removeEmpty()
      throw error
    }
  }

  /// Draws; the caller removes the created folders if they stay empty.
  func perform(
    making folders: CreatedFolders, cancellation: Cancellation,
    onProgress: (ConversionProgress) -> Void
  ) throws(PlotError) -> Report {
    let clock = ContinuousClock()
    let start = clock.now
    let input = try PlotFiles.open(
      input, raw: settings.raw, tagEncoding: settings.tagEncoding, cancellation)
    try PlotError.check(output, against: input.identity, existing: settings.existing)
    let reader = try PlotFiles.reader(of: input, settings)
    switch format {
    case .picture(let format):
      let source = try PlotSource(reader, path: input.path, settings: settings)
      let bytes = try picture(of: source, as: format, cancellation, onProgress)
      try PlotError.files(input.checkUnchanged())
      try PlotFiles.write(
        bytes, to: output, existing: settings.existing, making: folders, cancellation)
    case .data(let format):
      let data = PlotData(
        source: try PlotSource(
          reader, path: input.path, settings: settings.forData, truncatesMeans: true),
        format: format, settings: settings.data)
      try data.check()
      try PlotFiles.write(
        to: output, existing: settings.existing, making: folders, cancellation
      ) { (append) throws(PlotError) in
        try data.encode(cancellation, onProgress: onProgress, to: append)
        try PlotError.files(input.checkUnchanged())
      }
    }
    return Report(source: reader.source, seconds: (clock.now - start) / .seconds(1))
  }

  /// The action if the picture already exists.
  public var existing: ExistingOutput {
    get { settings.existing }
    set { settings.existing = newValue }
  }

  private func picture(
    of source: PlotSource, as format: PictureFormat, _ cancellation: Cancellation,
    _ onProgress: (ConversionProgress) -> Void
  ) throws(PlotError) -> [UInt8] {
    let outline = source.outline
    // Fails before anything is read if the picture cannot be drawn.
    let picture = try drawing(output.path) { () throws(RenderingError) in
      try WaveformPicture(settings: settings.picture, outlines: [outline])
    }
    let lanes = try source.lanes(
      reducedBy: picture.reducers(forTrack: 0, levels: settings.levels),
      columns: picture.columnCount(ofTrack: 0), cancellation: cancellation, onProgress: onProgress)
    let scene = WaveformScene(tracks: [WaveformTrack(outline: outline, lanes: lanes)])
    return try drawing(output.path) { () throws(RenderingError) in
      try picture.render(scene, as: format)
    }
  }
}

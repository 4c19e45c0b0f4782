public import AudioIO
public import Waveforms

/// What happens to a contact sheet and its sources.
public enum PlotSheetEvent: Sendable {
  /// Something happened to the source of a cell.
  case source(PlotEvent)
  /// The sheet is in place, with a cell for each source that was finished.
  case finished
  /// The sheet was skipped because it exists.
  case skipped
  /// The sheet was not drawn.
  case failed(PlotError)
}

/// A contact sheet: one picture of many files, a cell for each.
public struct PlotSheet: Sendable {
  /// The files in the order of their cells. The caller may set its worker count and other options.
  public var batch: PlotBatch
  /// Folders that could not be read, and broken links.
  public var problems: [AudioFileError] { batch.problems }
  /// Whether there is nothing to draw: the folders hold no audio, and every named file is missing.
  public var foundNothing: Bool { batch.foundNothing }
  /// The destination of the sheet.
  public let output: ConversionOutput
  /// The sheet's format.
  public let format: PictureFormat
  /// The content and the appearance of the cells; all channels are merged unless one is chosen.
  public let settings: PlotSettings

  /// A sheet of the named inputs.
  ///
  /// - Parameters:
  ///   - inputs: The inputs that the user named, in order.
  ///   - output: The destination of the sheet.
  ///   - format: The sheet's format; `nil` for that of the output's extension, or PNG.
  ///   - settings: The content and the appearance of the cells.
  ///   - walker: Which files are taken from folders.
  ///   - cancellation: Stops the walk.
  public init(
    inputs: [NamedInput], output: ConversionOutput, format: PictureFormat? = nil,
    settings: PlotSettings = PlotSettings(), walker: FileWalker = FileWalker(),
    cancellation: Cancellation = Cancellation()
  ) throws(PlanningError) {
    if case .file(let path) = output, FileStatus(path: path)?.kind == .folder {
      throw .isAFolder(path)
    }
    var list = InputList(inputs, walker: walker, cancellation: cancellation)
    list.removeRepetitions()
    if cancellation.isCancelled { throw .cancelled }
    let chosen = if let format { format } else { try PictureFormat(for: output) }
    self.output = output
    self.format = chosen
    var settings = settings
    if settings.channels == nil || settings.channels == .split { settings.channels = .merged }
    self.settings = settings
    let jobs = list.inputs.enumerated().map { [settings] (id, source) in
      PlotJob(
        id, source,
        Plot(input: source.input, output: output, format: .picture(chosen), settings: settings))
    }
    batch = PlotBatch(jobs, problems: list.problems)
  }

  /// Starts to read the files on separate threads, draws those that can be read, and streams events to
  /// one consumer.
  ///
  /// The last event is about the sheet itself, unless the batch was stopped or every file failed.
  public func events(cancellation: Cancellation = Cancellation()) -> AsyncStream<PlotSheetEvent> {
    AsyncStream { continuation in
      let stop = Cancellation(parent: cancellation)
      continuation.onTermination = { if case .cancelled = $0 { stop.cancel() } }
      switch JobVerdict(on: output, existing: settings.existing) {
      case .skip: continuation.yield(.skipped)
      case .refuse: continuation.yield(.failed(.file(.outputExists(output.path))))
      case .run:
        draw(stop) {
          continuation.yield($0)
        } completion: {
          continuation.finish()
        }
        return
      }
      continuation.finish()
    }
  }

  private func draw(
    _ stop: Cancellation, _ onEvent: @escaping @Sendable (PlotSheetEvent) -> Void,
    completion: @escaping @Sendable () -> Void
  ) {
    let sheet: WaveformSheet
    do throws(PlotError) {
      sheet = try self.sheet(count: batch.jobs.count)
    } catch {
      onEvent(.failed(error))
      return completion()
    }
    let tracks = Locked<[Int: WaveformTrack]>([:])
    batch.runner.start(until: stop) {
      onEvent(.source($0))
    } perform: { (job, _, onProgress) throws(PlotError) in
      let (track, report) = try track(of: job.work.input, sheet, stop, onProgress)
      tracks.withLock { $0[job.id] = track }
      return report
    } completion: {
      let tracks = tracks.withLock { $0 }.sorted { $0.key < $1.key }
      if !stop.isCancelled && !tracks.isEmpty { onEvent(written(tracks, sheet, stop)) }
      completion()
    }
  }

  private func sheet(count: Int) throws(PlotError) -> WaveformSheet {
    try drawing(output.path) { () throws(RenderingError) in
      try WaveformSheet(settings: settings.picture, count: count)
    }
  }

  /// Reads the source of a cell.
  private func track(
    of input: ConversionInput, _ sheet: WaveformSheet, _ stop: Cancellation,
    _ onProgress: (ConversionProgress) -> Void
  ) throws(PlotError) -> (WaveformTrack, Plot.Report) {
    let clock = ContinuousClock()
    let start = clock.now
    let file = try PlotFiles.open(input, raw: settings.raw, stop)
    try PlotError.check(output, against: file.identity, existing: settings.existing)
    let reader = try PlotFiles.reader(of: file, settings)
    let source = try PlotSource(reader, path: file.path, settings: settings)
    let lanes = try source.lanes(
      reducedBy: sheet.reducers(for: source.outline, levels: settings.levels),
      columns: sheet.columnCount, cancellation: stop, onProgress: onProgress)
    try PlotError.files(file.checkUnchanged())
    return (
      WaveformTrack(outline: source.outline, lanes: lanes),
      Plot.Report(source: reader.source, seconds: (clock.now - start) / .seconds(1))
    )
  }

  /// Draws and writes the sheet.
  private func written(
    _ tracks: [(key: Int, value: WaveformTrack)], _ sheet: WaveformSheet, _ stop: Cancellation
  ) -> PlotSheetEvent {
    let folders = CreatedFolders()
    let named = SheetNames.distinct(
      tracks.map { (path: batch.jobs[$0.key].work.input.path, track: $0.value) })
    do throws(PlotError) {
      // Cells of failed files are omitted.
      let final = tracks.count == batch.jobs.count ? sheet : try self.sheet(count: tracks.count)
      let bytes = try drawing(output.path) { () throws(RenderingError) in
        try final.render(
          named.map(\.track), title: SheetNames.folder(of: named.map(\.path)), as: format)
      }
      try PlotFiles.write(
        bytes, to: output, existing: settings.existing, making: folders, stop)
      return .finished
    } catch {
      folders.removeEmpty()
      return .failed(error)
    }
  }
}

extension PictureFormat {
  /// The format of an output's extension; PNG for standard output.
  init(for output: ConversionOutput) throws(PlanningError) {
    guard case .file(let path) = output else {
      self = .png
      return
    }
    guard let named = path.extension.flatMap(PictureFormat.init(fileExtension:)) else {
      throw .unknownExtension(path)
    }
    self = named
  }
}

/// What happens to a contact sheet, in the order in which it happens.
public enum PlotSheetEvent: Sendable {
  /// Something happened to the source of a cell.
  case source(PlotEvent)
  /// The sheet is in place, with a cell for each source that was finished.
  case finished
  /// Nothing was done because the sheet exists.
  case skipped
  /// There is no sheet, and this is why.
  case failed(PlotError)
}

/// One picture of many files, a cell for each.
public struct PlotSheet: Sendable {
  /// The reading of the files, in the order of their cells; how it is done is for the caller to set.
  public var batch: PlotBatch
  /// Folders that could not be read, and links that lead nowhere.
  public let problems: [AudioFileError]
  /// Whether there is nothing to draw: folders held nothing, and every file named is missing.
  public var foundNothing: Bool { batch.jobs.allSatisfy(\.isMissing) }
  /// Where the sheet goes.
  public let output: ConversionOutput
  /// The sheet's format.
  public let format: PictureFormat
  /// What the cells show, and how; of several channels all are merged unless one is chosen.
  public let settings: PlotSettings

  /// A sheet of what a user named, folders walked.
  ///
  /// - Parameters:
  ///   - inputs: What the user named, in order.
  ///   - output: Where the sheet goes.
  ///   - format: The sheet's format; `nil` for what the extension of `output` says, else PNG.
  ///   - settings: What the cells show, and how.
  ///   - walker: What is taken from folders.
  ///   - cancellation: Stops the walk.
  public init(
    inputs: [BatchInput], output: ConversionOutput, format: PictureFormat? = nil,
    settings: PlotSettings = PlotSettings(), walker: FileWalker = FileWalker(),
    cancellation: Cancellation = Cancellation()
  ) throws(BatchPlanError) {
    if case .file(let path) = output, FileStatus(path: path)?.kind == .folder {
      throw .isAFolder(path)
    }
    let found = PlotSources(inputs, walker: walker, cancellation)
    if cancellation.isCancelled { throw .cancelled }
    let chosen = if let format { format } else { try PictureFormat(for: output) }
    problems = found.problems
    self.output = output
    self.format = chosen
    var settings = settings
    if settings.channels == nil || settings.channels == .split { settings.channels = .merged }
    self.settings = settings
    batch = PlotBatch(
      found.sources.enumerated().map { [settings] (id, source) in
        source.job(
          id,
          Plot(
            input: source.input, output: output, format: .picture(chosen), settings: settings))
      })
  }

  /// Begins to read the files, on threads of their own, draws those that can be read, and tells what happens;
  /// for one consumer.
  ///
  /// The last event tells what became of the sheet, unless the batch was stopped or every file has failed.
  public func events(cancellation: Cancellation = Cancellation()) -> AsyncStream<PlotSheetEvent> {
    AsyncStream { continuation in
      let stop = Cancellation(parent: cancellation)
      continuation.onTermination = { if case .cancelled = $0 { stop.cancel() } }
      switch JobVerdict(on: output, existing: settings.existing) {
      case .skip: continuation.yield(.skipped)
      case .refuse: continuation.yield(.failed(.file(.outputExists(output.path))))
      case .convert:
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
    _ stop: Cancellation, _ tell: @escaping @Sendable (PlotSheetEvent) -> Void,
    completion: @escaping @Sendable () -> Void
  ) {
    let plan: SheetPlan
    do throws(PlotError) {
      plan = try self.plan(count: batch.jobs.count)
    } catch {
      tell(.failed(error))
      return completion()
    }
    let tracks = Locked<[Int: WaveformTrack]>([:])
    batch.start(until: stop, tell: { tell(.source($0)) }) { (job, onProgress) throws(PlotError) in
      let (track, report) = try track(of: job.plot.input, plan, stop, onProgress)
      tracks.withLock { $0[job.id] = track }
      return report
    } completion: {
      let tracks = tracks.withLock { $0 }.sorted { $0.key < $1.key }.map(\.value)
      if !stop.isCancelled && !tracks.isEmpty { tell(written(tracks, plan, stop)) }
      completion()
    }
  }

  private func plan(count: Int) throws(PlotError) -> SheetPlan {
    try drawing(output.path) { () throws(RenderingError) in
      try SheetPlan(settings: settings.picture, count: count)
    }
  }

  /// Reads the source of a cell.
  private func track(
    of input: ConversionInput, _ plan: SheetPlan, _ stop: Cancellation,
    _ onProgress: (ConversionProgress) -> Void
  ) throws(PlotError) -> (WaveformTrack, Plot.Report) {
    let clock = ContinuousClock()
    let start = clock.now
    let file = try PlotFiles.open(input, stop)
    try PlotFiles.check(output, existing: settings.existing, against: file.identity)
    let reader = try PlotFiles.reader(of: file, settings)
    let source = try PlotSource(reader, path: file.path, settings: settings)
    let lanes = try source.lanes(
      reducedBy: [plan.reducer(for: source.outline, levels: settings.levels)], cancellation: stop,
      onProgress: onProgress)
    try PlotFiles.onFiles { () throws(AudioFileError) in try file.checkUnchanged() }
    return (
      WaveformTrack(outline: source.outline, lanes: lanes),
      Plot.Report(source: reader.source, seconds: (clock.now - start) / .seconds(1))
    )
  }

  /// Draws and writes the sheet, and tells what became of it.
  private func written(
    _ tracks: [WaveformTrack], _ plan: SheetPlan, _ stop: Cancellation
  ) -> PlotSheetEvent {
    let folders = CreatedFolders()
    do throws(PlotError) {
      // The places are those of the files that are left.
      let final = tracks.count == batch.jobs.count ? plan : try self.plan(count: tracks.count)
      let bytes = try drawing(output.path) { () throws(RenderingError) in
        try final.render(tracks, as: format)
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
  /// The format that an output's extension stands for; PNG on standard output.
  init(for output: ConversionOutput) throws(BatchPlanError) {
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

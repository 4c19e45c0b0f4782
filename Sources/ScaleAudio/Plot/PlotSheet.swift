internal import Dispatch

/// One picture of many files, a cell for each.
public struct PlotSheet: Sendable {
  /// What is shown, in order.
  public let inputs: [ConversionInput]
  /// Folders that could not be read, and links that lead nowhere.
  public let problems: [AudioFileError]
  /// Where the sheet goes.
  public let output: ConversionOutput
  /// The sheet's format.
  public let format: PictureFormat
  /// What the cells show, and how; of several channels all are merged unless one is chosen.
  public let settings: PlotSettings

  /// What became of the files.
  public struct Report: Sendable {
    /// How many have their cell.
    public var drawn: Int
    /// Why the others have none, in order.
    public var failures: [PlotError]
  }

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
    let found = PlotSources(inputs, walker: walker, cancellation)
    if cancellation.isCancelled { throw .cancelled }
    self.inputs = found.sources.map(\.input)
    problems = found.problems
    self.output = output
    if let format { self.format = format } else { self.format = try PictureFormat(for: output) }
    self.settings = settings
  }

  /// Reads the files, some of them side by side, and draws those that can be read.
  ///
  /// Throws when the sheet cannot be made; when no file can be read, the last file's error.
  public func run(cancellation: Cancellation = Cancellation()) throws(PlotError) -> Report {
    let folders = CreatedFolders()
    do throws(PlotError) {
      return try perform(making: folders, cancellation)
    } catch {
      folders.removeEmpty()
      throw error
    }
  }

  private func perform(
    making folders: CreatedFolders, _ cancellation: Cancellation
  ) throws(PlotError) -> Report {
    if case .file(let path) = output { HiddenFiles.sweep(path.folder) }
    let plan = try drawing(output.path) { () throws(RenderingError) in
      try SheetPlan(settings: settings.picture, count: inputs.count)
    }
    let results = Locked<[Int: Result<WaveformTrack, PlotError>]>([:])
    DispatchQueue.concurrentPerform(iterations: inputs.count) { index in
      let result = track(of: inputs[index], plan, cancellation)
      results.withLock { $0[index] = result }
    }
    if cancellation.isCancelled { throw .cancelled }
    var tracks: [WaveformTrack] = []
    var failures: [PlotError] = []
    for (_, result) in results.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      switch result {
      case .success(let track): tracks.append(track)
      case .failure(let error): failures.append(error)
      }
    }
    if tracks.isEmpty, let last = failures.last { throw last }
    // The places are those of the files that are left.
    let final = try drawing(output.path) { () throws(RenderingError) in
      try failures.isEmpty ? plan : SheetPlan(settings: settings.picture, count: tracks.count)
    }
    let bytes = try drawing(output.path) { () throws(RenderingError) in
      try final.render(tracks, as: format)
    }
    try PlotFiles.write(
      bytes, to: output, existing: settings.existing, making: folders, cancellation)
    return Report(drawn: tracks.count, failures: failures)
  }

  private func track(
    of input: ConversionInput, _ plan: SheetPlan, _ cancellation: Cancellation
  ) -> Result<WaveformTrack, PlotError> {
    var settings = settings
    if settings.channels == nil || settings.channels == .split { settings.channels = .merged }
    do throws(PlotError) {
      let file = try PlotFiles.open(input, cancellation)
      try PlotFiles.check(output, existing: settings.existing, against: file.identity)
      let source = try PlotSource(
        try PlotFiles.reader(of: file, settings), path: file.path, settings: settings)
      let lanes = try source.lanes(
        reducedBy: [plan.reducer(for: source.outline, levels: settings.levels)],
        cancellation: cancellation)
      try PlotFiles.onFiles { () throws(AudioFileError) in try file.checkUnchanged() }
      return .success(WaveformTrack(outline: source.outline, lanes: lanes))
    } catch {
      return .failure(error)
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

public import AudioIO
internal import SystemPackage
internal import Waveforms

/// One picture in a batch.
public typealias PlotJob = Job<Plot>
/// An event about one picture in a batch.
public typealias PlotEvent = JobEvent<Plot>

/// Pictures of many files, drawn in parallel up to a limit.
///
/// ```swift
/// let batch = try PlotBatch(inputs: [.path("Music")])
/// for await event in batch.events() { print(event) }
/// ```
///
/// A picture is named after its source, `in.png` for `in.flac`, beside it or in a given folder; files found
/// in folders keep their relative paths. Pictures that would have the same name keep the extensions of their
/// sources: `in.flac.png`, `in.mp3.png`.
public struct PlotBatch: JobBatch {
  /// The pictures, started in this order.
  public var jobs: [PlotJob]
  /// Folders that could not be read, and broken links.
  public let problems: [AudioFileError]
  /// The number of pictures drawn in parallel; `nil` for the number of cores.
  public var workerCount: Int?
  /// True when the first failure stops the whole batch.
  public var stopsAtFirstFailure = false

  /// A batch of these pictures.
  public init(_ jobs: [PlotJob], problems: [AudioFileError] = []) {
    self.jobs = jobs
    self.problems = problems
  }

  /// The pictures of the named inputs; reads folders, but no audio, and writes nothing.
  ///
  /// - Parameters:
  ///   - inputs: The inputs that the user named, in order.
  ///   - destination: The destination of the pictures.
  ///   - format: The format of the pictures; `nil` to use the output's extension, or else PNG.
  ///   - settings: The content and the appearance of the pictures.
  ///   - walker: The rule that selects files in folders.
  ///   - cancellation: Stops the walk.
  public init(
    inputs: [NamedInput], destination: OutputDestination = .beside, format: PlotFormat? = nil,
    settings: PlotSettings = PlotSettings(), walker: FileWalker = FileWalker(),
    cancellation: Cancellation = Cancellation()
  ) throws(PlanningError) {
    var list = InputList(inputs, walker: walker, cancellation: cancellation)
    list.removeRepetitions()
    if cancellation.isCancelled { throw .cancelled }
    let names = PictureNames(
      target: try OutputTarget(destination, for: inputs, isFileName: PlotFormat.isNamed(by:)),
      format: format)
    jobs = try names.jobs(list.inputs, settings: settings)
    problems = list.problems
  }

  /// Starts the work on separate threads and streams events to one consumer.
  ///
  /// `cancellation` stops running jobs at their next block, each with ``PlotError/cancelled``, and starts no
  /// others.
  public func events(cancellation: Cancellation = Cancellation()) -> AsyncStream<PlotEvent> {
    runner.events(cancellation: cancellation) { stop in
      { (job, folders, onProgress) throws(PlotError) in
        try job.work.perform(making: folders, cancellation: stop, onProgress: onProgress)
      }
    }
  }

  /// The expected outcome for each picture, given the files that exist.
  public func verdicts() -> [JobVerdict] { jobs.map { JobVerdict(on: $0) } }

  /// Runs the jobs.
  var runner: JobRunner<Plot> {
    JobRunner(
      jobs: jobs, workerCount: workerCount ?? CoreBudget.shared.cores,
      stopsAtFirstFailure: stopsAtFirstFailure)
  }
}

extension PlotJob {
  /// The job at position `id` that draws a source.
  init(_ id: Int, _ source: FoundInput, _ plot: Plot) {
    self.init(id: id, work: plot, inputBytes: source.size, isMissing: source.isMissing)
  }
}

/// Names pictures after their sources.
private struct PictureNames {
  let target: OutputTarget
  let format: PlotFormat?

  func jobs(
    _ sources: [FoundInput], settings: PlotSettings
  ) throws(PlanningError) -> [PlotJob] {
    let short = try sources.map { (source) throws(PlanningError) in
      try output(of: source, keepsExtension: false)
    }
    var uses: [ConversionOutput: Int] = [:]
    for output in short { uses[output, default: 0] += 1 }
    var owners: [ConversionOutput: ConversionInput] = [:]
    var conflicts: [PlanningError.Conflict] = []
    var jobs: [PlotJob] = []
    for (source, short) in zip(sources, short) {
      var output = short
      if uses[short, default: 0] > 1 {
        output = try self.output(of: source, keepsExtension: true)
      }
      if let owner = owners[output] {
        conflicts.append(
          .sameOutput(owner.path, source.input.path, output: output.path))
      }
      owners[output] = source.input
      let plot = Plot(
        input: source.input, output: output, format: try writtenFormat, settings: settings)
      jobs.append(PlotJob(jobs.count, source, plot))
    }
    if !conflicts.isEmpty { throw .conflicts(conflicts, remedy: .separateOutputs) }
    return jobs
  }

  private var writtenFormat: PlotFormat {
    get throws(PlanningError) {
      if let format { return format }
      guard case .file(let path) = target else { return .picture(.png) }
      return try PlotFormat(of: path)
    }
  }

  private func output(
    of source: FoundInput, keepsExtension: Bool
  ) throws(PlanningError) -> ConversionOutput {
    switch target {
    case .standardOutput: return .standardOutput
    case .file(let path): return .file(path)
    case .folder(let folder):
      let place = source.relativePath.removingLastComponent()
      return .file(
        folder.appending(place.components).appending(name(of: source, keepsExtension).components))
    case .beside:
      guard case .file(let path) = source.input else { throw .needsOutput("-") }
      return .file(
        try OutputTarget.folder(beside: path).appending(name(of: source, keepsExtension).components)
      )
    }
  }

  private func name(of source: FoundInput, _ keepsExtension: Bool) -> FilePath {
    let name = FileName(source.relativePath)
    let ending = Array(".\((format ?? .picture(.png)).fileExtension)".utf8)
    return FilePath(bytes: name.stem + (keepsExtension ? name.dotted(nil) : []) + ending)
  }
}

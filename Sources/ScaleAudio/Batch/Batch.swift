public import AudioIO
public import SystemPackage

/// The inputs, outputs and settings of a ``Batch``.
public struct BatchRequest: Hashable, Sendable {
  /// The inputs that the user named, in order.
  public var inputs: [NamedInput]
  /// The destination of the outputs.
  public var destination: OutputDestination
  /// A folder whose tree the outputs of the inputs below it mirror, including those of files named directly. `nil`
  /// names the outputs of files after their names alone, and mirrors each folder by itself.
  public var base: FilePath?
  /// The text after the stem of a name, without a slash; `nil` for one that shows the requested change.
  public var suffix: String?
  /// The template for the names of outputs, instead of stem and suffix; for folders, below the output folder.
  public var template: NameTemplate?
  /// True if the extension of an input stays before a different one, as in `in-x1.5.wav.flac`.
  public var keepsExtensions = false
  /// The parts of the method that names show.
  public var shown = ShownMethod()
  /// True if inputs are skipped that are outputs of this program, made of other inputs: those in the same folder whose
  /// names begin with that of another input.
  public var skipsOutputs = false
  /// The sound, encoding and tags of the outputs.
  public var settings: ConversionSettings
  /// The settings of further outputs of each input.
  public var otherSettings: [ConversionSettings] = []
  /// How files are treated.
  public var files: FilePolicy
  /// The rules that select files in folders.
  public var walker: FileWalker
  /// True if jobs are skipped that were done before, according to a journal in their output folder.
  ///
  /// Without a journal entry, an existing output counts as done if it is no older than its source, and has the
  /// format, length, rate, channels and depth that the job would give it.
  public var resumes: Bool
  /// True if the files of a folder that are converted with the same settings get one gain, if the level changes.
  public var keepsBalance = false
  /// The files of a folder that are scaled as one stream and cut, so that nothing is heard where they meet.
  public var gapless = GaplessTracks.none

  /// A request; by default every audio file in the folders is converted, beside its input.
  public init(
    inputs: [NamedInput], destination: OutputDestination = .beside, suffix: String? = nil,
    settings: ConversionSettings, files: FilePolicy = FilePolicy(),
    walker: FileWalker = FileWalker(), resumes: Bool = false
  ) {
    self.inputs = inputs
    self.destination = destination
    self.suffix = suffix
    self.settings = settings
    self.files = files
    self.walker = walker
    self.resumes = resumes
  }

  /// The folder for the outputs of folders, below the folder for all outputs: one for each of several requests,
  /// unless a template names them.
  func tree(of naming: OutputNaming, below folder: FilePath) -> FilePath {
    let isOne = otherSettings.isEmpty || template != nil
    return isOne ? folder : folder.appending(naming.subfolder.components)
  }

  /// The names of the outputs with some settings.
  func naming(_ settings: ConversionSettings) -> OutputNaming {
    var naming =
      suffix.map { OutputNaming(suffix: $0) }
      ?? OutputNaming(of: settings, shown: shown)
    naming.template = template
    naming.keepsExtension = keepsExtensions
    return naming
  }
}

/// One conversion in a batch.
public typealias ConversionJob = Job<Conversion>
/// An event of one conversion in a batch.
public typealias ConversionEvent = JobEvent<Conversion>

extension Conversion: FileWork {
  /// The result of a conversion.
  public typealias Report = ConversionReport
  /// Why a conversion failed.
  public typealias Failure = ConversionError

  /// The treatment of outputs that exist already.
  public var existing: ExistingOutput {
    get { files.existing }
    set { files.existing = newValue }
  }
}

/// Conversions of many files, a bounded number of them side by side.
///
/// ```swift
/// let batch = try Batch(BatchRequest(inputs: [.path("Music")], settings: settings))
/// for await event in batch.events() { print(event) }
/// ```
public struct Batch: JobBatch {
  /// The valid numbers of jobs side by side, and of threads.
  public static let workerRange = 1...256

  /// Threads that all conversions of this process share, within ``workerRange``; by default the number
  /// of cores.
  ///
  /// A conversion takes one thread, and more for parts of its work while they are free. Set it before
  /// any work begins: it applies to the whole process.
  public static var threadCount: Int {
    get { CoreBudget.shared.cores }
    set { CoreBudget.shared.cores = newValue }
  }

  /// The jobs, started in this order; if several run side by side, the largest inputs first.
  public var jobs: [ConversionJob]
  /// Folders that could not be read, and broken links.
  public let problems: [AudioFileError]
  /// The files in the folders that are no audio, with the places of their copies.
  public let others: [OtherFile]
  /// The number of jobs side by side, within ``workerRange``.
  public var workerCount = 1
  /// True if the first failure stops everything.
  public var stopsAtFirstFailure = false
  /// True if jobs that were done before are skipped; see ``BatchRequest/resumes``.
  public var resumes: Bool

  /// A batch of these jobs.
  public init(_ jobs: [ConversionJob], resumes: Bool = false) {
    self.jobs = jobs
    self.resumes = resumes
    problems = []
    others = []
  }

  /// The jobs for a request. Reads folders, but no audio, and writes nothing.
  ///
  /// Throws if two inputs would have the same output, or if an output is an input.
  public init(
    _ request: BatchRequest, cancellation: Cancellation = Cancellation()
  ) throws(PlanningError) {
    var planner = try BatchPlanner(request)
    for input in request.inputs { try planner.add(input, cancellation) }
    if cancellation.isCancelled { throw .cancelled }
    jobs = try planner.jobs()
    GaplessSearch(request, cancellation).assign(in: &jobs)
    AlbumRun.assign(in: &jobs, onlyGapless: !request.keepsBalance)
    if request.resumes { ExistingOutputCheck(resumes: true).refuseOutputsOfOthers(in: &jobs) }
    problems = planner.problems
    others = planner.others
    resumes = request.resumes
  }

  /// Starts the work on separate threads and streams events to one consumer.
  ///
  /// The stream ends when no jobs are running. `cancellation` stops running jobs at their next
  /// block, each with ``ConversionError/cancelled``, and starts no others. Cancelling the task that
  /// consumes the stream does the same, but ends the stream at once.
  public func events(
    cancellation: Cancellation = Cancellation()
  ) -> AsyncStream<ConversionEvent> {
    let check = ExistingOutputCheck(resumes: resumes)
    let albums = AlbumRun(jobs)
    let runner = JobRunner(
      jobs: orderedJobs, workerCount: workers, stopsAtFirstFailure: stopsAtFirstFailure,
      verdict: { check.verdict(on: $0) }, continues: { $0.work.continues($1.work) })
    return runner.events(cancellation: cancellation) { stop in
      { (job, folders, onProgress) throws(ConversionError) in
        let outcome = try albums.settled(job.work, stop).perform(
          making: folders, cancellation: stop, onProgress: onProgress)
        return check.recorded(outcome, of: job)
      }
    }
  }

  private var workers: Int { max(1, min(workerCount, jobs.count, Self.workerRange.upperBound)) }

  /// The jobs in the order in which they are started.
  var orderedJobs: [ConversionJob] {
    // The largest first: a long job that starts last would delay the end of the batch.
    let units = jobs.contains { $0.work.gapless != nil } ? gaplessUnits : jobs.map { [$0] }
    if workers == 1 { return units.flatMap(\.self) }
    func bytes(_ unit: [ConversionJob]) -> Int { unit.reduce(0) { $0 &+ $1.inputBytes } }
    return units.sorted { (bytes($1), $0[0].id) < (bytes($0), $1[0].id) }.flatMap(\.self)
  }

  /// The jobs in units: the tracks of an album together, in the place of the first.
  private var gaplessUnits: [[ConversionJob]] {
    let tracks = Dictionary(grouping: jobs) { $0.work.gapless.map { ObjectIdentifier($0.album) } }
    return jobs.compactMap { job in
      guard let place = job.work.gapless else { return [job] }
      let unit = tracks[ObjectIdentifier(place.album)]?.sorted {
        ($0.work.gapless?.index ?? 0) < ($1.work.gapless?.index ?? 0)
      }
      return unit?.first?.id == job.id ? unit : nil
    }
  }

  /// Returns what would happen to each job, given the files that exist.
  public func verdicts() -> [JobVerdict] {
    let check = ExistingOutputCheck(resumes: resumes)
    return jobs.map { $0.knownVerdict ?? check.verdict(on: $0) }
  }
}

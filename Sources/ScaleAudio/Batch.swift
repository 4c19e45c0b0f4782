/// The conversion of many files, a bounded number of them side by side.
///
/// ```swift
/// let plan = try BatchPlan(request)
/// for await event in Batch(plan.jobs).events() { print(event) }
/// ```
public struct Batch: Sendable {
  /// The conversions that may run side by side.
  public static let workerRange = 1...256

  /// The jobs, begun in this order; by size of the input, the largest first, where several run side by side.
  public var jobs: [ConversionJob]
  /// How many jobs run side by side, within ``workerRange``.
  public var workerCount: Int
  /// Threads that all conversions of this process share, within ``workerRange``; `nil` for as many as the
  /// machine has cores. A conversion takes one, and more for parts of its work while they are free.
  public var threadCount: Int?
  /// Whether the first failure stops everything.
  public var stopsAtFirstFailure: Bool
  /// Whether jobs that a journal records as done are skipped; see ``BatchRequest/resumes``.
  public var resumes: Bool

  /// A batch of jobs, by default one after another, to the last.
  public init(
    _ jobs: [ConversionJob], workerCount: Int = 1, stopsAtFirstFailure: Bool = false,
    resumes: Bool = false
  ) {
    self.jobs = jobs
    self.workerCount = workerCount
    self.stopsAtFirstFailure = stopsAtFirstFailure
    self.resumes = resumes
  }

  /// Begins the work, on threads of its own, and tells what happens; for one consumer.
  ///
  /// The stream ends when nothing is being worked on any more. `cancellation` stops the jobs in hand
  /// at their next block, each with ``ConversionError/cancelled``, and begins no others; so does
  /// cancelling the task that consumes the stream, but then nobody hears of it.
  public func events(
    cancellation: Cancellation = Cancellation()
  ) -> AsyncStream<ConversionEvent> {
    if let threadCount { CoreBudget.shared.cores = threadCount }
    return AsyncStream { continuation in
      let stop = Cancellation(parent: cancellation)
      continuation.onTermination = { if case .cancelled = $0 { stop.cancel() } }
      BatchRun(self, stop: stop, events: continuation).start()
    }
  }

  /// What would be done about each job, as things are now.
  public func verdicts() -> [JobVerdict] {
    let check = ExistingOutputCheck(resumes: resumes)
    return jobs.map { check.verdict(on: $0) }
  }
}

/// A batch at work.
private final class BatchRun: Sendable {
  private let batch: Batch
  private let stop: Cancellation
  private let events: AsyncStream<ConversionEvent>.Continuation
  private let check: ExistingOutputCheck
  private let folders = CreatedFolders()
  private let sweptFolders = Locked<Set<FilePath>>([])
  private let workers: Int
  /// The jobs in the order in which they are begun.
  private let jobs: [ConversionJob]

  init(_ batch: Batch, stop: Cancellation, events: AsyncStream<ConversionEvent>.Continuation) {
    self.batch = batch
    self.stop = stop
    self.events = events
    check = ExistingOutputCheck(resumes: batch.resumes)
    let wanted = min(batch.workerCount, batch.jobs.count, Batch.workerRange.upperBound)
    workers = max(Batch.workerRange.lowerBound, wanted)
    // One that is begun last should not be the one that all wait for.
    jobs =
      workers == 1
      ? batch.jobs : batch.jobs.sorted { ($1.inputBytes, $0.id) < ($0.inputBytes, $1.id) }
  }

  func start() {
    Workers.start(workers, pieces: jobs.count, until: stop) {
      self.run(self.jobs[$0])
    } completion: {
      self.folders.removeEmpty()
      self.events.finish()
    }
  }

  private func run(_ job: ConversionJob) {
    var conversion = job.conversion
    switch check.verdict(on: job) {
    case .skip(let reason):
      events.yield(.skipped(job, reason))
      return
    case .refuse: conversion.settings.existing = .refuse
    case .convert(let replacing): conversion.settings.existing = replacing ? .replace : .refuse
    }
    events.yield(.started(job))
    do throws(ConversionError) {
      events.yield(.finished(job, try convert(conversion, of: job)))
    } catch {
      fail(job, error)
    }
  }

  /// Converts and records it; what the journal does not take is a warning, for the output is there.
  private func convert(
    _ conversion: Conversion, of job: ConversionJob
  ) throws(ConversionError) -> ConversionReport {
    sweepFolder(of: conversion.output)
    var pace = ProgressPace()
    let outcome = try conversion.perform(making: folders, cancellation: stop) { progress in
      if pace.isDue() { events.yield(.progress(job, progress)) }
    }
    var report = outcome.report
    do throws(Errno) {
      try record(conversion, outcome, in: job.journalFolder)
    } catch {
      report.warnings.append("not recorded for --resume: \(error)")
    }
    return report
  }

  private func record(
    _ conversion: Conversion, _ outcome: Conversion.Outcome, in folder: FilePath?
  ) throws(Errno) {
    guard let folder, let stamp = outcome.sourceStamp,
      case .file(let source) = conversion.input, case .file(let output) = conversion.output
    else { return }
    let journal = check.journal(in: folder)
    let entry = journal.makeEntry(
      source: source, stamp: stamp, parameters: conversion.settings.parameters, output: output)
    if let entry { try journal.record(entry) }
  }

  private func fail(_ job: ConversionJob, _ error: ConversionError) {
    if case .file(.outputExists) = error, job.conversion.settings.existing == .skip {
      // It came into being meanwhile.
      events.yield(.skipped(job, .outputExists))
      return
    }
    events.yield(.failed(job, error))
    if batch.stopsAtFirstFailure { stop.cancel() }
  }

  /// Takes away what killed processes left, once for each output folder.
  private func sweepFolder(of output: ConversionOutput) {
    guard case .file(let path) = output else { return }
    if sweptFolders.withLock({ $0.insert(path.folder).inserted }) {
      HiddenFiles.sweep(path.folder)
    }
  }
}

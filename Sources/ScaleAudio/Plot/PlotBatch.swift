/// What happens to the pictures of a batch, in the order in which it happens.
public enum PlotEvent: Sendable {
  /// Work has begun.
  case started(PlotJob)
  /// Work has come so far; at most a few times a second for each job.
  case progress(PlotJob, ConversionProgress)
  /// The picture is in place; the cell of a sheet is ready for it.
  case finished(PlotJob, Plot.Report)
  /// Nothing was done because the picture exists.
  case skipped(PlotJob)
  /// Nothing was made, and this is why.
  case failed(PlotJob, PlotError)
}

/// The making of many pictures, a bounded number of them side by side.
///
/// ```swift
/// let plan = try PlotPlan(inputs: [.path("Music")])
/// for await event in PlotBatch(plan.jobs).events() { print(event) }
/// ```
public struct PlotBatch: Sendable {
  /// The pictures, begun in this order.
  public var jobs: [PlotJob]
  /// How many are made side by side, within ``Batch/workerRange``; `nil` for as many as there are cores.
  public var workerCount: Int?
  /// Whether the first failure stops everything.
  public var stopsAtFirstFailure = false

  /// A batch of pictures.
  public init(_ jobs: [PlotJob]) {
    self.jobs = jobs
  }

  /// Begins the work, on threads of its own, and tells what happens; for one consumer.
  ///
  /// `cancellation` stops the jobs in hand at their next block, each with ``PlotError/cancelled``, and begins
  /// no others.
  public func events(cancellation: Cancellation = Cancellation()) -> AsyncStream<PlotEvent> {
    AsyncStream { continuation in
      let stop = Cancellation(parent: cancellation)
      continuation.onTermination = { if case .cancelled = $0 { stop.cancel() } }
      let folders = CreatedFolders()
      start(until: stop, tell: { continuation.yield($0) }) { (job, onProgress) throws(PlotError) in
        try job.plot.perform(making: folders, cancellation: stop, onProgress: onProgress)
      } completion: {
        folders.removeEmpty()
        continuation.finish()
      }
    }
  }

  /// What would be done about each picture, as things are now.
  public func verdicts() -> [JobVerdict] {
    jobs.map { JobVerdict(on: $0.plot.output, existing: $0.plot.settings.existing) }
  }

  /// Makes something of a job's source, telling of its progress.
  typealias Work =
    @Sendable (PlotJob, _ onProgress: (ConversionProgress) -> Void) throws(PlotError) -> Plot.Report

  /// Has `make` done for each job, on threads of their own, and tells what happens; `completion` is called when
  /// nothing is being worked on any more.
  func start(
    until stop: Cancellation, tell: @escaping @Sendable (PlotEvent) -> Void, make: @escaping Work,
    completion: @escaping @Sendable () -> Void
  ) {
    sweep()
    let workers = workerCount ?? CoreBudget.shared.cores
    let work = { @Sendable (index: Int) in
      let event = Self.run(jobs[index], tell, make)
      if stopsAtFirstFailure, case .failed = event { stop.cancel() }
      tell(event)
    }
    Workers.start(workers, pieces: jobs.count, until: stop, work: work, completion: completion)
  }

  /// Does a job, tells how that goes on, and returns how it ended.
  private static func run(
    _ job: PlotJob, _ tell: @escaping @Sendable (PlotEvent) -> Void, _ make: Work
  ) -> PlotEvent {
    if case .skip = JobVerdict(on: job.plot.output, existing: job.plot.settings.existing) {
      return .skipped(job)
    }
    tell(.started(job))
    var pace = ProgressPace()
    do throws(PlotError) {
      let report = try make(job) { if pace.isDue() { tell(.progress(job, $0)) } }
      return .finished(job, report)
    } catch {
      // It may have come into being meanwhile.
      if case .file(.outputExists) = error, job.plot.settings.existing == .skip {
        return .skipped(job)
      }
      return .failed(job, error)
    }
  }

  /// Takes away what killed processes left.
  private func sweep() {
    let folders = jobs.compactMap { job in
      if case .file(let path) = job.plot.output { path.folder } else { nil }
    }
    for folder in Set(folders) { HiddenFiles.sweep(folder) }
  }
}

internal import AudioIO
internal import Dispatch
import Synchronization
internal import SystemPackage

/// Runs the jobs of a batch side by side.
struct JobRunner<Work: FileWork>: Sendable {
  /// Does one job, whose `existing` is set according to its verdict; records the folders that it creates.
  typealias Perform =
    @Sendable (
      Job<Work>, CreatedFolders, _ onProgress: (ConversionProgress) -> Void
    ) throws(Work.Failure) -> Work.Report

  /// The jobs, in the order in which they start.
  let jobs: [Job<Work>]
  /// The number of jobs side by side.
  let workerCount: Int
  /// True if the first failure stops everything.
  let stopsAtFirstFailure: Bool
  /// Returns what would happen to a job, given the files that exist.
  var verdict: @Sendable (Job<Work>) -> JobVerdict = { JobVerdict(on: $0) }
  /// Returns true if a job continues the work of the one before it, after which the same thread does it.
  var continues: @Sendable (_ job: Job<Work>, _ previous: Job<Work>) -> Bool = { (_, _) in false }

  /// Starts the jobs on separate threads and streams their events to one consumer.
  func events(
    cancellation: Cancellation, perform: @escaping @Sendable (Cancellation) -> Perform
  ) -> AsyncStream<JobEvent<Work>> {
    AsyncStream { continuation in
      let stop = Cancellation(parent: cancellation)
      continuation.onTermination = { if case .cancelled = $0 { stop.cancel() } }
      start(until: stop, onEvent: { continuation.yield($0) }, perform: perform(stop)) {
        continuation.finish()
      }
    }
  }

  /// Starts the jobs on separate threads; calls `completion` when no jobs are running.
  func start(
    until stop: Cancellation, onEvent: @escaping @Sendable (JobEvent<Work>) -> Void,
    perform work: @escaping Perform, completion: @escaping @Sendable () -> Void
  ) {
    let folders = CreatedFolders()
    let sweptFolders = Locked<Set<FilePath>>([])
    let sequences = jobs.indices.sequences { continues(jobs[$0], jobs[$1]) }
    JobThreads.start(workerCount, pieces: sequences.count, until: stop) { index in
      for job in jobs[sequences[index]] where !stop.isCancelled {
        perform(job)
      }
    } completion: {
      folders.removeEmpty()
      completion()
    }
    @Sendable func perform(_ job: Job<Work>) {
      run(job, onEvent) { (job, onProgress) throws(Work.Failure) in
        if case .file(let path) = job.work.output,
          sweptFolders.withLock({ $0.insert(path.folder).inserted })
        {
          // Removes the leftovers of killed processes.
          HiddenFiles.sweep(path.folder)
        }
        return try work(job, folders, onProgress)
      } failure: {
        if stopsAtFirstFailure { stop.cancel() }
      }
    }
  }

  private func run(
    _ job: Job<Work>, _ onEvent: @escaping @Sendable (JobEvent<Work>) -> Void,
    perform: (Job<Work>, (ConversionProgress) -> Void) throws(Work.Failure) -> Work.Report,
    failure: () -> Void
  ) {
    if let refusal = job.refusal {
      onEvent(.failed(job, refusal))
      return failure()
    }
    if case .skip(let reason) = job.knownVerdict { return onEvent(.skipped(job, reason)) }
    var settled = job
    switch verdict(job) {
    case .skip(let reason): return onEvent(.skipped(job, reason))
    case .refuse: settled.work.existing = .refuse
    case .run(let replacing): settled.work.existing = replacing ? .replace : .refuse
    }
    onEvent(.started(job))
    var pace = ProgressPace()
    do throws(Work.Failure) {
      let report = try perform(settled) { if pace.isDue() { onEvent(.progress(job, $0)) } }
      onEvent(.finished(job, report))
    } catch {
      // The output may have appeared in the meantime.
      if case .outputExists = error.fileError, job.work.existing == .skip {
        return onEvent(.skipped(job, .outputExists))
      }
      onEvent(.failed(job, error))
      failure()
    }
  }
}

extension Range where Bound == Int {
  /// The parts of the range in which each number but the first continues the one before it.
  func sequences(_ continues: (_ index: Int, _ previous: Int) -> Bool) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    for index in self {
      if index > lowerBound, continues(index, index - 1), let last = parts.popLast() {
        parts.append(last.lowerBound..<index + 1)
      } else {
        parts.append(index..<index + 1)
      }
    }
    return parts
  }
}

/// Does numbered pieces of work, a limited number of them side by side.
private final class JobThreads: Sendable {
  private let pieces: Int
  private let stop: Cancellation
  private let work: @Sendable (Int) -> Void
  private let completion: @Sendable () -> Void
  private let next = Atomic<Int>(0)
  private let left: Atomic<Int>

  /// Starts the threads, each through a queue of its own, because they block in C libraries.
  ///
  /// - Parameters:
  ///   - count: The number of threads; at most one for each piece.
  ///   - pieces: The number of pieces, which are started in the order of their numbers, from 0.
  ///   - stop: Prevents further pieces from starting.
  ///   - work: Does the piece with the given number.
  ///   - completion: Called once, when no piece is in progress.
  static func start(
    _ count: Int, pieces: Int, until stop: Cancellation,
    work: @escaping @Sendable (Int) -> Void, completion: @escaping @Sendable () -> Void
  ) {
    let count = max(1, min(count, pieces))
    let threads = JobThreads(count, pieces, stop, work, completion)
    for number in 0..<count {
      DispatchQueue(label: "scaleaudio.worker.\(number)").async { threads.run() }
    }
  }

  private init(
    _ count: Int, _ pieces: Int, _ stop: Cancellation, _ work: @escaping @Sendable (Int) -> Void,
    _ completion: @escaping @Sendable () -> Void
  ) {
    self.pieces = pieces
    self.stop = stop
    self.work = work
    self.completion = completion
    left = Atomic(count)
  }

  private func run() {
    while !stop.isCancelled {
      let piece = next.wrappingAdd(1, ordering: .relaxed).oldValue
      if piece >= pieces { break }
      work(piece)
    }
    if left.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { completion() }
  }
}

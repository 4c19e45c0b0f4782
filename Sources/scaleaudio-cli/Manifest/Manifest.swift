import AudioIO
internal import Dispatch
import ScaleAudio

/// The outputs of a run that exist at its end, in the order of the plan.
final class Manifest {
  private let target: ManifestTarget
  /// True if entries have checksums.
  private let hashes: Bool
  private let batch: Batch
  private var entries: [Int: ManifestEntry] = [:]
  /// Outputs from earlier runs, and whether a journal records them.
  private var existing: [Int: Bool] = [:]
  private var failed: Set<Int> = []

  /// A manifest of a batch; throws if it cannot be written. `named` are files that must not be replaced.
  init(
    _ target: ManifestTarget, hashes: Bool, of batch: Batch, named: [FilePath]
  ) throws(ManifestError) {
    try target.check(batch.jobs, named: named)
    self.target = target
    self.hashes = hashes
    self.batch = batch
  }

  /// Records the event of an output.
  func note(_ event: ConversionEvent) {
    switch event {
    case .started, .progress: break
    case .finished(let job, let report):
      if isFile(job) { entries[job.id] = ManifestEntry(job, report) }
    case .skipped(let job, .earlierOutput): failed.insert(job.id)
    case .skipped(let job, let reason): noteExisting(job, reason)
    case .failed(let job, _): failed.insert(job.id)
    }
  }

  private func noteExisting(_ job: ConversionJob, _ reason: SkipReason) {
    if isFile(job) { existing[job.id] = reason == .alreadyDone }
  }

  private func isFile(_ job: ConversionJob) -> Bool {
    guard case .file(let path) = job.work.output else { return false }
    return !OutputPlace.isStream(path)
  }

  /// Writes the manifest. Returns the bytes for standard output, and errors for outputs that could not be listed.
  func write(
    syncing: Bool, _ cancellation: Cancellation
  ) throws(AudioFileError) -> (bytes: [UInt8], problems: [AudioFileError]) {
    let problems = inspectExisting(cancellation)
    let jobs = batch.jobs
    let names = ManifestNames(target.format, count: jobs.count, origin: { .init(jobs[$0]) })
    let listed = batch.jobs.indices.filter { entries[batch.jobs[$0].id] != nil }
    let found = listed.compactMap { entries[batch.jobs[$0].id] }
    let used = listed.map { names.name(of: .init(jobs[$0]), at: $0) }
    if target.path == nil {
      let columns = ManifestColumns(found)
      let lines = zip(found, used).map { target.format.line($0, $1, columns) }
      return (target.format.header(columns) + lines.joined(), problems)
    }
    try target.write(found, used, syncing: syncing, isCancelled: { cancellation.isCancelled })
    return ([], problems)
  }

  /// Makes the entries of outputs from earlier runs, on several threads.
  private func inspectExisting(_ cancellation: Cancellation) -> [AudioFileError] {
    let isOpen = batch.jobs.contains {
      entries[$0.id] == nil && existing[$0.id] == nil && !failed.contains($0.id)
    }
    if isOpen {
      // The run ended early. Outputs that it did not reach may still exist.
      for (job, verdict) in zip(batch.jobs, batch.verdicts()) where !failed.contains(job.id) {
        if entries[job.id] == nil, job.refusal == nil, case .skip(let reason) = verdict {
          noteExisting(job, reason)
        }
      }
    }
    let jobs = batch.jobs.compactMap { (job) in existing[job.id].map { (job, $0) } }
    if jobs.isEmpty { return [] }
    let threads = min(Batch.threadCount, jobs.count)
    let results = Locked<[Int: Result<ManifestEntry, AudioFileError>]>([:])
    let hashes = hashes
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      for (job, isDone) in stride(from: thread, to: jobs.count, by: threads).map({ jobs[$0] }) {
        let result: Result<ManifestEntry, AudioFileError>
        do throws(AudioFileError) {
          result = .success(
            try ManifestEntry(existing: job, isDone: isDone, hashes: hashes, cancellation))
        } catch {
          result = .failure(error)
        }
        results.withLock { $0[job.id] = result }
      }
    }
    let made = results.withLock { $0 }
    var problems: [AudioFileError] = []
    for (job, _) in jobs {
      switch made[job.id] {
      case .success(let entry): entries[job.id] = entry
      case .failure(let error): problems.append(error)
      case nil: break
      }
    }
    return problems
  }
}

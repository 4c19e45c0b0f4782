import ScaleAudio

/// How far a batch has come: a plain value, moved on by events.
struct ProgressState {
  /// A file that is being converted.
  struct FileInWork: Identifiable {
    let id: Int
    let path: FilePath
    let weight: Double
    /// Frames done / frames in all, 0 to 1.
    var fraction = 0.0
    /// The playing time of the source frames done, in seconds.
    var sourceSeconds = 0.0
  }

  let total: Int
  private(set) var done = 0
  private(set) var skipped = 0
  /// Files in which samples were clipped.
  private(set) var clippedFiles = 0
  /// Samples that were clipped, of all files.
  private(set) var clippedSamples = 0
  /// How far the loudest of them lay beyond full scale, in dB.
  private(set) var clippedDecibels = 0.0
  /// Why files could not be converted, in the order in which that was found.
  private(set) var failures: [ConversionError] = []
  /// The files in work, in the order in which they began.
  private(set) var inWork: [FileInWork] = []

  /// The sum of all files' weights, which stand for the work that each means.
  private let totalWeight: Double
  private var doneWeight = 0.0
  /// The weight of files that were skipped, failed or were cancelled: they say nothing of the pace.
  private var droppedWeight = 0.0
  private var finishedSourceSeconds = 0.0

  /// A batch in which nothing has happened yet.
  init(jobs: [ConversionJob]) {
    total = jobs.count
    totalWeight = jobs.reduce(0) { $0 + Self.weight($1) }
  }

  /// Takes what happened into account.
  mutating func apply(_ event: ConversionEvent) {
    switch event {
    case .started(let job):
      inWork.append(
        FileInWork(id: job.id, path: job.conversion.input.path, weight: Self.weight(job)))
    case .progress(let job, let progress):
      guard let index = inWork.firstIndex(where: { $0.id == job.id }) else { return }
      let frames = Double(progress.frames)
      inWork[index].fraction = min(1, frames / Double(max(1, progress.totalFrames)))
      inWork[index].sourceSeconds = frames / Double(max(1, progress.sampleRate))
    case .finished(let job, let report):
      leave(job)
      done += 1
      doneWeight += Self.weight(job)
      finishedSourceSeconds += report.sourceSeconds
      if report.clippedSamples > 0 {
        clippedFiles += 1
        clippedSamples += report.clippedSamples
        clippedDecibels = max(clippedDecibels, report.clippedDecibels ?? 0)
      }
    case .skipped(let job, _):
      leave(job)
      skipped += 1
      droppedWeight += Self.weight(job)
    case .failed(let job, let error):
      leave(job)
      droppedWeight += Self.weight(job)
      // A file that was asked to stop has not failed; it counts among those not done.
      if error == .cancelled { return }
      failures.append(error)
    }
  }

  /// Files that have been dealt with.
  var settled: Int { done + skipped + failures.count }

  /// The part of the whole work that is behind, 0 to 1, weighed by the sizes of the inputs.
  var fraction: Double {
    totalWeight > 0 ? min(1, (workedWeight + droppedWeight) / totalWeight) : 1
  }

  /// The playing time of all source frames done, in seconds.
  var sourceSeconds: Double {
    inWork.reduce(finishedSourceSeconds) { $0 + $1.sourceSeconds }
  }

  /// Source seconds done for each second of `elapsed` time; `nil` when it says nothing yet.
  func multipleOfRealTime(elapsed: Double) -> Double? {
    elapsed > 0 && sourceSeconds > 0 ? sourceSeconds / elapsed : nil
  }

  /// The time left at the pace so far, in whole seconds; `nil` in the first second, before any work,
  /// and when it is beyond telling.
  func secondsLeft(elapsed: Double) -> Int? {
    guard elapsed >= 1, workedWeight > 0 else { return nil }
    let left = elapsed * (totalWeight - droppedWeight - workedWeight) / workedWeight
    return left < 1e9 ? Int(left.rounded(.up)) : nil
  }

  private var workedWeight: Double {
    inWork.reduce(doneWeight) { $0 + $1.weight * $1.fraction }
  }

  private mutating func leave(_ job: ConversionJob) {
    inWork.removeAll { $0.id == job.id }
  }

  private static func weight(_ job: ConversionJob) -> Double { Double(max(1, job.inputBytes)) }
}

extension ConversionReport {
  /// The playing time of the source, in seconds.
  var sourceSeconds: Double { source.spec.seconds(frames: source.frameCount) }
}

import ScaleAudio

/// How far a batch has come: a plain value, moved on by events.
struct ProgressState {
  /// A file that is in work.
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
  /// Why files could not be dealt with, in the order in which that was found.
  private(set) var failures: [FileFailure] = []
  /// The files in work, in the order in which they began.
  private(set) var inWork: [FileInWork] = []

  /// The sum of all files' weights, which stand for the work that each means.
  private let totalWeight: Double
  private var doneWeight = 0.0
  /// The weight of files that were skipped, failed or were cancelled: they say nothing of the pace.
  private var droppedWeight = 0.0
  private var finishedSourceSeconds = 0.0

  /// A batch in which nothing has happened yet.
  init(files: [BatchFile]) {
    total = files.count
    totalWeight = files.reduce(0) { $0 + $1.weight }
  }

  /// Takes what happened into account.
  mutating func apply(_ event: FileEvent) {
    let file = event.file
    switch event.news {
    case .started:
      inWork.append(FileInWork(id: file.id, path: file.path, weight: file.weight))
    case .progress(let progress):
      guard let index = inWork.firstIndex(where: { $0.id == file.id }) else { return }
      let frames = Double(progress.frames)
      inWork[index].fraction = min(1, frames / Double(max(1, progress.totalFrames)))
      inWork[index].sourceSeconds = frames / Double(max(1, progress.sampleRate))
    case .finished(let result):
      leave(file)
      done += 1
      doneWeight += file.weight
      finishedSourceSeconds += result.sourceSeconds
      if result.clippedSamples > 0 {
        clippedFiles += 1
        clippedSamples += result.clippedSamples
        clippedDecibels = max(clippedDecibels, result.clippedDecibels)
      }
    case .skipped:
      leave(file)
      skipped += 1
      droppedWeight += file.weight
    case .failed(let failure):
      leave(file)
      droppedWeight += file.weight
      failures.append(failure)
    case .cancelled:
      // A file that was asked to stop has not failed; it counts among those not done.
      leave(file)
      droppedWeight += file.weight
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

  private mutating func leave(_ file: BatchFile) {
    inWork.removeAll { $0.id == file.id }
  }
}

extension BatchFile {
  /// The share of the work that it stands for.
  fileprivate var weight: Double { Double(max(1, bytes)) }
}

extension ConversionReport {
  /// The playing time of the source, in seconds.
  var sourceSeconds: Double { source.spec.seconds(frames: source.frameCount) }
}

extension Plot.Report {
  /// The playing time of the source, in seconds.
  var sourceSeconds: Double { source.spec.seconds(frames: source.frameCount) }
}

import ScaleAudio

/// The progress of a batch: a plain value, updated by events.
struct ProgressState {
  /// A file in progress.
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
  /// The methods of finished files, in order of appearance.
  private(set) var methods: [String] = []
  /// Files with clipped samples.
  private(set) var clippedFiles = 0
  /// Clipped samples in all files.
  private(set) var clippedSamples = 0
  /// The level of the loudest one above full scale, in dB.
  private(set) var clippedDecibels = 0.0
  /// Files that are quieter than requested, and the largest difference in dB.
  private(set) var missedLoudness = (files: 0, decibels: 0.0)
  /// The failures so far, in order.
  private(set) var failures: [FileFailure] = []
  /// The files in progress, in the order in which they started.
  private(set) var inWork: [FileInWork] = []

  /// The sum of the weights of all files; a weight represents the amount of work.
  private let totalWeight: Double
  private var doneWeight = 0.0
  /// The weight of skipped, failed and cancelled files, which do not count toward the pace.
  private var droppedWeight = 0.0
  private var finishedSourceSeconds = 0.0

  /// The progress before the first event.
  init(files: [BatchFile]) {
    total = files.count
    totalWeight = files.reduce(0) { $0 + $1.weight }
  }

  /// Updates the progress.
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
      if let method = result.method, !methods.contains(method) { methods.append(method) }
      if result.clippedSamples > 0 {
        clippedFiles += 1
        clippedSamples += result.clippedSamples
        clippedDecibels = max(clippedDecibels, result.clippedDecibels)
      }
      if let missed = result.missedLoudness {
        missedLoudness.files += 1
        missedLoudness.decibels = max(missedLoudness.decibels, missed.decibels)
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
      // A cancelled file has not failed; it counts as not done.
      leave(file)
      droppedWeight += file.weight
    }
  }

  /// Files that are finished, skipped or failed.
  var settled: Int { done + skipped + failures.count }

  /// The fraction of the work done, 0 to 1, weighted by the sizes of the inputs.
  var fraction: Double {
    totalWeight > 0 ? min(1, (workedWeight + droppedWeight) / totalWeight) : 1
  }

  /// The playing time of all source frames done, in seconds.
  var sourceSeconds: Double {
    inWork.reduce(finishedSourceSeconds) { $0 + $1.sourceSeconds }
  }

  /// Source seconds done per second of `elapsed` time; `nil` before any progress.
  func multipleOfRealTime(elapsed: Double) -> Double? {
    elapsed > 0 && sourceSeconds > 0 ? sourceSeconds / elapsed : nil
  }

  /// The estimated time left in whole seconds; `nil` in the first second, before any progress, and if it is
  /// out of range.
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
  /// Its share of the work.
  fileprivate var weight: Double { Double(max(1, bytes)) }
}

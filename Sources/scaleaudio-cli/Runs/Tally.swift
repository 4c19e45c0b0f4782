import ScaleAudio

/// Counts the outcomes of a run's files.
struct Tally {
  /// Files that are finished, skipped or failed.
  private(set) var settled = 0
  /// Files that are finished.
  private(set) var finished = 0
  private var failures = 0
  private var isWorthRetrying = false

  mutating func count(_ event: FileEvent) {
    switch event.news {
    case .started, .progress: break
    case .finished:
      settled += 1
      finished += 1
    case .skipped: settled += 1
    case .cancelled: failures += 1
    case .failed(let failure):
      settled += 1
      countFailure(isWorthRetrying: failure.isWorthRetrying)
    }
  }

  /// Counts a failure outside the files of the batch.
  mutating func countFailure(isWorthRetrying: Bool) {
    failures += 1
    if isWorthRetrying { self.isWorthRetrying = true }
  }

  /// The exit status of a run.
  ///
  /// - Parameters:
  ///   - fileCount: The number of files; `nil` if it is not known.
  ///   - foundNothing: Whether there was no input.
  ///   - signal: The signal that interrupted the run; 0 for none.
  func status(fileCount: Int?, foundNothing: Bool, signal: Int32) -> Int32 {
    // A signal after the last file has no effect.
    if signal != 0 && settled < fileCount ?? .max {
      return ExitStatus.interrupted(bySignal: signal)
    }
    if isWorthRetrying { return ExitStatus.tryAgain }
    if foundNothing { return ExitStatus.noInput }
    return failures > 0 ? ExitStatus.someFailed : ExitStatus.success
  }
}

import ScaleAudio

/// What became of a run's files, counted.
struct Tally {
  /// Files that have been dealt with, those included that have failed.
  private(set) var settled = 0
  private var failures = 0
  private var isWorthRetrying = false

  mutating func count(_ event: FileEvent) {
    switch event.news {
    case .started, .progress: break
    case .finished, .skipped: settled += 1
    case .cancelled: failures += 1
    case .failed(let failure):
      settled += 1
      countFailure(isWorthRetrying: failure.isWorthRetrying)
    }
  }

  /// Counts a failure that is no file's of the batch.
  mutating func countFailure(isWorthRetrying: Bool) {
    failures += 1
    if isWorthRetrying { self.isWorthRetrying = true }
  }

  /// The exit status of a run of so many files, which `signal` (0 for none) may have ended early.
  func status(files: Int, foundNothing: Bool, signal: Int32) -> Int32 {
    // A signal that came when everything was done already changed nothing.
    if signal != 0 && settled < files { return ExitStatus.interrupted(bySignal: signal) }
    if isWorthRetrying { return ExitStatus.tryAgain }
    if foundNothing { return ExitStatus.noInput }
    return failures > 0 ? ExitStatus.someFailed : ExitStatus.success
  }
}

import Glibc

/// Offers a player on the session bus as MPRIS describes it, so that media keys and other programs control it.
///
/// A thread of its own answers; it asks the player for everything as keys do. Without a bus nothing happens.
package final class MediaControls: @unchecked Sendable {
  private let monitor = SoundMonitor()
  private let (awake, alarm): (Int32, Int32)
  private var isStopping = false
  private var isDone = false

  /// Offers a player of as many files; `nil` if the system has no thread or descriptor left.
  package init?(_ player: Player, fileCount: Int) {
    var ends: (Int32, Int32) = (-1, -1)
    let isMade = withUnsafeMutablePointer(to: &ends) { ends in
      ends.withMemoryRebound(to: Int32.self, capacity: 2) { pipe($0) == 0 }
    }
    for end in [ends.0, ends.1] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (awake, alarm) = ends
    guard isMade else { return nil }
    let thread = SoundThread { [self] in
      serve(player, fileCount)
      monitor.withLock {
        isDone = true
        monitor.wake()
      }
    }
    guard let thread else { return nil }
    thread.detach()
  }

  deinit {
    if awake >= 0 { Glibc.close(awake) }
    if alarm >= 0 { Glibc.close(alarm) }
  }

  private func serve(_ player: Player, _ fileCount: Int) {
    guard let service = MediaService(player, fileCount: fileCount) else { return }
    while !monitor.withLock({ isStopping }), service.step(waitingFor: awake) {}
    service.end()
  }

  /// Leaves the bus. A bus that does not answer is not waited for.
  package func stop() {
    monitor.withLock {
      isStopping = true
      var byte: UInt8 = 0
      _ = write(alarm, &byte, 1)
      let end = SoundMonitor.now + 0.5
      while !isDone, SoundMonitor.now < end { monitor.wait(seconds: 0.1) }
    }
  }
}

internal import Dispatch
import ScaleAudio
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The signals that ask the process to stop: the first cancels the work, the second ends it at once.
final class Interruption: Sendable {
  static let shared = Interruption()

  /// Cancelled by the first signal.
  let cancellation = Cancellation()
  private let received = Atomic<Int32>(0)

  /// The signal that was received first; 0 when none was.
  var signal: Int32 { received.load(ordering: .acquiring) }

  /// Begins to listen. To be called before there are other threads, which take over the signal mask.
  func watch() {
    // Writing to a closed pipe and beyond a size limit are then errors like any other.
    ignore(SIGPIPE)
    ignore(SIGXFSZ)
    let signals = [SIGINT, SIGTERM, SIGHUP].filter { !isIgnored($0) }
    if signals.isEmpty { return }
    var mask = sigset_t()
    sigemptyset(&mask)
    for signal in signals { sigaddset(&mask, signal) }
    pthread_sigmask(SIG_BLOCK, &mask, nil)
    let waiting = mask
    DispatchQueue(label: "scaleaudio.signals").async {
      var mask = waiting
      while true {
        var signal: Int32 = 0
        if sigwait(&mask, &signal) == 0 { self.receive(signal) }
      }
    }
  }

  private func receive(_ signal: Int32) {
    let isFirst = received.compareExchange(
      expected: 0, desired: signal, ordering: .acquiringAndReleasing
    ).exchanged
    if isFirst {
      cancellation.cancel()
    } else {
      HiddenFiles.removeAll()
      _exit(ExitStatus.interrupted(bySignal: signal))
    }
  }

  private func ignore(_ signal: Int32) {
    var action = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = SIG_IGN
    #else
      action.__sigaction_handler.sa_handler = SIG_IGN
    #endif
    sigaction(signal, &action, nil)
  }

  /// Whether whoever started the process had it ignore the signal, as `nohup` does and shells do for
  /// work in the background.
  private func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

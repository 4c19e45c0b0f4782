import AudioIO
internal import Dispatch
import Glibc
import ScaleAudio
import Synchronization
import SystemPackage

/// Handles the signals that ask the process to stop: the first cancels the work, the second exits at once.
final class Interruption: Sendable {
  static let shared = Interruption()
  /// A signal that comes again this soon is not another request.
  private static let repetition = Duration.milliseconds(100)

  /// Cancelled by the first signal.
  let cancellation = Cancellation()
  private let received = Atomic<Int32>(0)
  private let arrival = DispatchSemaphore(value: 0)

  /// The first signal received; 0 if there was none.
  var signal: Int32 { received.load(ordering: .acquiring) }

  /// Waits for the first signal; may be called once in a process.
  func waitForSignal() { arrival.wait() }

  /// Installs the handlers.
  func watch() {
    // Writing to a closed pipe or beyond a size limit then fails like any other write.
    handle(SIGPIPE, with: SIG_IGN)
    handle(SIGXFSZ, with: SIG_IGN)
    guard let pipe = try? FileDescriptor.pipe() else { return }
    wakeUpPipe = pipe.writeEnd.rawValue
    // A signal handler may call only few functions; a thread does the rest.
    for signal in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(signal) {
      handle(signal) { (signal) in
        let saved = errno
        var byte = UInt8(truncatingIfNeeded: signal)
        _ = write(wakeUpPipe, &byte, 1)
        errno = saved
      }
      unblock(signal)
    }
    DispatchQueue(label: "scaleaudio.signals").async {
      var byte: UInt8 = 0
      var last: (signal: UInt8, time: ContinuousClock.Instant)?
      while true {
        let count = withUnsafeMutableBytes(of: &byte) { try? pipe.readEnd.read(into: $0) }
        guard count == 1 else { continue }
        // The timeout command signals its child, and then the child's process group.
        if let last, last.signal == byte, .now - last.time < Self.repetition { continue }
        last = (byte, .now)
        self.receive(Int32(byte))
      }
    }
  }

  private func receive(_ signal: Int32) {
    let isFirst = received.compareExchange(
      expected: 0, desired: signal, ordering: .acquiringAndReleasing
    ).exchanged
    if isFirst {
      cancellation.cancel()
      arrival.signal()
    } else {
      HiddenFiles.removeAll()
      ProgressDisplay.eraseBar()
      TerminalRestoration.restore(erasing: true)
      _exit(ExitStatus.interrupted(bySignal: signal))
    }
  }

  private func handle(_ signal: Int32, with handler: (@convention(c) (Int32) -> Void)?) {
    var action = sigaction(calling: handler)
    sigaction(signal, &action, nil)
  }

  /// Lets this thread take a signal that the parent blocked: a program that starts another from one of its
  /// threads often passes on that thread's mask.
  private func unblock(_ signal: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, signal)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// True if the process was started with the signal ignored, as by `nohup` or for background jobs of a
  /// shell.
  private func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    return unsafeBitCast(action.handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

/// The pipe from the signal handler to the listening thread; set once, before any handler.
nonisolated(unsafe) private var wakeUpPipe: Int32 = -1

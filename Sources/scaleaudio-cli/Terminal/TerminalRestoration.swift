import Glibc
import Synchronization

/// Restores a changed terminal on every way out: the end of a run, signals, a stop by Ctrl-Z, a crash.
///
/// A signal handler may call only few functions, so everything is kept in globals.
enum TerminalRestoration {
  /// Saves the settings of the terminal on a descriptor, and `text`, which is sent to standard error at the end;
  /// empty if nothing is drawn there.
  static func prepare(_ descriptor: Int32, sending text: String) {
    guard !isPrepared.load(ordering: .acquiring), tcgetattr(descriptor, settingsBefore) == 0 else {
      return
    }
    settingsDescriptor = descriptor
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
    _ = bytes.initialize(from: text.utf8)
    undoing = UnsafeBufferPointer(bytes)
    for signal in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGQUIT] {
      handle(signal, with: restoreInCrash, keeping: &actionsBefore[Int(signal)])
    }
    // If the parent process ignores the signal, the process must not be stopped.
    var before = sigaction()
    handle(SIGTSTP, with: restoreInStop, keeping: &before)
    if before.handler != nil { sigaction(SIGTSTP, &before, nil) }
    handle(SIGCONT, with: noteContinuation, keeping: &before)
    isPrepared.store(true, ordering: .releasing)
  }

  /// Restores the settings of the terminal. If requested, erases everything from the cursor on.
  static func restore(erasing: Bool = false) {
    let saved = errno
    defer { errno = saved }
    // In the background, the terminal belongs to the shell, and changing it would stop this process.
    guard isPrepared.load(ordering: .acquiring), tcgetpgrp(settingsDescriptor) == getpgrp() else {
      return
    }
    if erasing, hasWindow.load(ordering: .acquiring) { _ = write(STDERR_FILENO, "\r\u{1b}[J", 4) }
    leave()
    tcsetattr(settingsDescriptor, TCSANOW, settingsBefore)
  }

  /// Takes the window of standard error: its other screen, without a cursor, and with reports of the mouse.
  static func enter() {
    guard isPrepared.load(ordering: .acquiring) else { return }
    hasWindow.store(true, ordering: .releasing)
    Terminal.standardError.write(Escape.takeWindow)
  }

  /// Gives the window back as it was.
  static func leave() {
    // Twice would move the cursor.
    guard let undoing, hasWindow.exchange(false, ordering: .acquiringAndReleasing) else { return }
    _ = write(STDERR_FILENO, undoing.baseAddress, undoing.count)
  }

  /// Returns true if the process has continued after a stop since the last call that returned
  /// `true`.
  static func takeContinuation() -> Bool {
    hasContinued.exchange(false, ordering: .acquiringAndReleasing)
  }

  fileprivate static func handle(
    _ signal: Int32, with handler: @escaping @convention(c) (Int32) -> Void,
    keeping before: inout sigaction
  ) {
    var action = sigaction(calling: handler)
    sigaction(signal, &action, &before)
  }
}

private let isPrepared = Atomic<Bool>(false)
private let hasWindow = Atomic<Bool>(false)
private let hasContinued = Atomic<Bool>(false)
// Set once, before any handler.
// On the heap: Swift 6.3 makes a global of this type 57 bytes long, without its padding, where C writes 60.
nonisolated(unsafe) private let settingsBefore = {
  let settings = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  settings.initialize(to: termios())
  return settings
}()
nonisolated(unsafe) private var settingsDescriptor: Int32 = -1
nonisolated(unsafe) private var undoing: UnsafeBufferPointer<UInt8>?
nonisolated(unsafe) private let actionsBefore = {
  let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 32)
  actions.initialize(repeating: sigaction(), count: 32)
  return actions
}()

/// Leaves the signal to the previous handler; it is delivered again after this handler.
private func restoreInCrash(_ signal: Int32) {
  TerminalRestoration.restore(erasing: true)
  sigaction(signal, &actionsBefore[Int(signal)], nil)
  raise(signal)
}

/// Stops the process as if the signal were not handled.
private func restoreInStop(_ signal: Int32) {
  let saved = errno
  TerminalRestoration.restore(erasing: true)
  var (usual, before, stop) = (sigaction(), sigaction(), sigset_t())
  sigaction(signal, &usual, &before)
  sigemptyset(&stop)
  sigaddset(&stop, signal)
  pthread_sigmask(SIG_UNBLOCK, &stop, nil)
  kill(getpid(), signal)
  // The process continues here.
  sigaction(signal, &before, nil)
  errno = saved
}

private func noteContinuation(_ signal: Int32) {
  hasContinued.store(true, ordering: .releasing)
}

extension sigaction {
  /// An action that calls a handler; interrupted system calls are restarted.
  init(calling handler: (@convention(c) (Int32) -> Void)?) {
    self.init()
    sa_flags = SA_RESTART
    __sigaction_handler.sa_handler = handler
  }

  /// The handler; `nil` for the system's default.
  var handler: (@convention(c) (Int32) -> Void)? {
    __sigaction_handler.sa_handler
  }
}

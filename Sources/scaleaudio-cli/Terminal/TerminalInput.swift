import Glibc

/// Reads the keys of a terminal as they are pressed and without echo, and its mouse.
///
/// Keys such as Ctrl-C still send signals. ``TerminalRestoration`` restores the terminal on every way out.
final class TerminalInput {
  private let descriptor: Int32
  private let ownsDescriptor: Bool

  /// The terminal on standard input, or else that of the process; `nil` without a terminal, or in the background.
  ///
  /// - Parameter ownsWindow: True when standard error is the same terminal, and its window is drawn on.
  init?(ownsWindow: Bool = false) {
    if isatty(STDIN_FILENO) != 0 {
      (descriptor, ownsDescriptor) = (STDIN_FILENO, false)
    } else {
      let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
      guard terminal >= 0 else { return nil }
      (descriptor, ownsDescriptor) = (terminal, true)
    }
    guard isInForeground else {
      if ownsDescriptor { close(descriptor) }
      return nil
    }
    TerminalRestoration.prepare(
      descriptor, sending: ownsWindow ? TerminalCover.removal + Escape.leaveWindow : "")
    change()
  }

  deinit {
    TerminalRestoration.restore()
    if ownsDescriptor { close(descriptor) }
  }

  private var isInForeground: Bool { tcgetpgrp(descriptor) == getpgrp() }

  private func change() {
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else { return }
    let wanted = settings.c_lflag & ~tcflag_t(ICANON | ECHO)
    if wanted == settings.c_lflag { return }
    settings.c_lflag = wanted
    tcsetattr(descriptor, TCSANOW, &settings)
  }

  /// Waits for keys for a limited time, and returns the bytes that the terminal sends for them.
  func read(waitingMilliseconds: Int32) -> [UInt8] {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard Self.wait(&poll, waitingMilliseconds) > 0 else { return [] }
    guard isInForeground, poll.revents & Int16(POLLIN) != 0 else {
      usleep(UInt32(waitingMilliseconds) * 1000)
      return []
    }
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = receive(descriptor, &buffer, buffer.count)
    return Array(buffer.prefix(max(0, count)))
  }

  /// Changes the terminal again after the process was stopped; `true` if it was, and is in the foreground again.
  func renew() -> Bool {
    guard isInForeground else { return false }
    // Shells give the terminal their own settings when a process stops.
    change()
    return TerminalRestoration.takeContinuation()
  }

  private static func wait(_ descriptor: inout pollfd, _ milliseconds: Int32) -> Int32 {
    poll(&descriptor, 1, milliseconds)
  }
}

/// read(2), whose name ``TerminalInput/read(waitingMilliseconds:)`` hides inside that type.
private func receive(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}

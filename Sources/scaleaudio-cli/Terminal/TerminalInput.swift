import AudioIO

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The keys of a terminal, as they are pressed and without echo.
///
/// Signals such as that of Ctrl-C still come. ``restore()`` undoes it, on every way out.
final class TerminalInput {
  private let descriptor: Int32
  private let ownsDescriptor: Bool

  /// The terminal that is changed, and its settings before.
  private struct Changed: @unchecked Sendable {
    let descriptor: Int32
    var settings: termios
  }

  private static let changed = Locked<Changed?>(nil)

  /// The terminal on standard input, or else that of the process; `nil` without one, or in the background.
  init?() {
    if isatty(STDIN_FILENO) != 0 {
      (descriptor, ownsDescriptor) = (STDIN_FILENO, false)
    } else {
      let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
      guard terminal >= 0 else { return nil }
      (descriptor, ownsDescriptor) = (terminal, true)
    }
    guard isInForeground, change() else {
      if ownsDescriptor { close(descriptor) }
      return nil
    }
  }

  deinit {
    Self.restore()
    if ownsDescriptor { close(descriptor) }
  }

  private var isInForeground: Bool { tcgetpgrp(descriptor) == getpgrp() }

  private func change() -> Bool {
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else { return false }
    Self.changed.withLock { changed in
      if changed == nil { changed = Changed(descriptor: descriptor, settings: settings) }
    }
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    return tcsetattr(descriptor, TCSANOW, &settings) == 0
  }

  /// Waits for keys, up to a time, and returns what the terminal sends for them.
  func read(waitingMilliseconds: Int32) -> [UInt8] {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard Self.wait(&poll, waitingMilliseconds) > 0 else { return [] }
    // A shell that stopped the process set the terminal back.
    guard isInForeground, poll.revents & Int16(POLLIN) != 0 else {
      usleep(UInt32(waitingMilliseconds) * 1000)
      return []
    }
    _ = change()
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = receive(descriptor, &buffer, buffer.count)
    return Array(buffer.prefix(max(0, count)))
  }

  /// Undoes the change after a stop, if there was one.
  func renew() { if isInForeground { _ = change() } }

  private static func wait(_ descriptor: inout pollfd, _ milliseconds: Int32) -> Int32 {
    poll(&descriptor, 1, milliseconds)
  }

  /// Gives the terminal its settings back.
  static func restore() {
    changed.withLock { changed in
      guard var before = changed else { return }
      tcsetattr(before.descriptor, TCSANOW, &before.settings)
      changed = nil
    }
  }
}

/// read(2), whose name ``TerminalInput/read(waitingMilliseconds:)`` hides inside that type.
private func receive(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}

import Glibc

/// A terminal for progress: displays text and reports the size of its window.
struct Terminal {
  /// The size of the window, in characters.
  struct Size: Equatable {
    var columns: Int
    var rows: Int
    /// The size of a character in pixels; 0 if the terminal does not report it.
    var cellWidth = 0
    var cellHeight = 0
  }

  /// Writes text at once.
  var write: (String) -> Void
  /// The current size of the window.
  var size: () -> Size
  /// True if the cursor can be moved.
  var movesCursor: Bool

  /// Standard error.
  static var standardError: Terminal {
    Terminal(
      write: writeToStandardError, size: windowSize,
      movesCursor: isatty(STDERR_FILENO) != 0 && !isDumb)
  }

  /// Writes a line to standard error, behind the name of the program.
  static func notice(_ text: String) {
    standardError.write("scaleaudio: " + escapedForTerminal(text) + "\n")
  }

  /// True if the process is in the foreground of the terminal on standard error, so that it may draw there.
  static var isInForeground: Bool {
    let group = tcgetpgrp(STDERR_FILENO)
    return group < 0 || group == getpgrp()
  }

  /// True if `TERM` indicates that the terminal can only print.
  private static var isDumb: Bool {
    guard let kind = getenv("TERM") else { return true }
    return String(cString: kind) == "dumb"
  }

  private static func windowSize() -> Size {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return Size(columns: 80, rows: 24) }
    return Size(
      columns: Int(size.ws_col), rows: Int(size.ws_row),
      cellWidth: Int(size.ws_xpixel / size.ws_col), cellHeight: Int(size.ws_ypixel / size.ws_row))
  }

  /// Uses one write if possible. A failure to show progress is not an error.
  private static func writeToStandardError(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = send(STDERR_FILENO, rest.baseAddress, rest.count)
        if count < 0 && errno == EINTR { continue }
        if count <= 0 { return }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
  }
}

/// write(2), whose name ``Terminal/write`` hides inside that type.
private func send(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

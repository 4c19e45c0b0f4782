import Glibc
import Waveforms

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

/// The window of the terminal on standard output.
struct TerminalWindow: Equatable {
  /// In characters; lines are `nil` if there is no window.
  var columns: Int
  var lines: Int?
  /// In pixels; `nil` if the terminal does not report them.
  var width, height: Int?

  /// The size that the terminal reports; without one, the columns in `COLUMNS`, or 80.
  static func ofStandardOutput(_ variable: (String) -> String?) -> TerminalWindow {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else {
      return TerminalWindow(columns: variable("COLUMNS").flatMap { Int($0) } ?? 80)
    }
    return TerminalWindow(
      columns: Int(size.ws_col), lines: Int(size.ws_row),
      width: size.ws_xpixel > 0 ? Int(size.ws_xpixel) : nil,
      height: size.ws_ypixel > 0 ? Int(size.ws_ypixel) : nil)
  }

  /// The width of tables on standard output: that of its window, or 100 columns.
  static var textColumns: Int {
    let window = ofStandardOutput { _ in nil }
    return window.lines == nil ? 100 : window.columns
  }

  init(columns: Int, lines: Int? = nil, width: Int? = nil, height: Int? = nil) {
    self.columns = columns
    self.lines = lines
    self.width = width
    self.height = height
  }
}

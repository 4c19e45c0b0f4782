import Waveforms

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The window that standard output is shown in.
struct TerminalWindow: Equatable {
  /// In characters; lines are `nil` where there is no window.
  var columns: Int
  var lines: Int?
  /// In pixels; `nil` where the terminal does not say.
  var width, height: Int?

  /// What the terminal says; where there is none, the columns that `COLUMNS` says, or 80.
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

  init(columns: Int, lines: Int? = nil, width: Int? = nil, height: Int? = nil) {
    self.columns = columns
    self.lines = lines
    self.width = width
    self.height = height
  }
}

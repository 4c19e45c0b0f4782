import Glibc
import Waveforms

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

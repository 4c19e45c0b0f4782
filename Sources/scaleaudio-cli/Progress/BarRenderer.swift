/// Draws the state of a batch as lines of text: one for the whole batch, one for each file in progress.
///
/// Lines leave the last column free, where some terminals wrap.
enum BarRenderer {
  private static let shortestBar = 8
  private static let longestBar = 40

  /// The lines for a window of `columns` by `rows`, after `elapsed` seconds of work.
  static func lines(
    _ state: ProgressState, elapsed: Double, columns: Int, rows: Int
  ) -> [String] {
    let width = max(1, columns - 1)
    // One row stays free for lines printed above the bar.
    let room = max(0, rows - 2)
    var lines = [overallLine(state, elapsed: elapsed, width: width)]
    let shown = state.inWork.count <= room ? room : room - 1
    lines += state.inWork.prefix(max(0, shown)).map { fileLine($0, width: width) }
    if state.inWork.count > shown && shown >= 0 {
      lines.append(
        DisplayWidth.cutEnd(of: "      and \(state.inWork.count - shown) more", to: width))
    }
    return lines
  }

  /// `[=====>    ]  45%  450 of 1000 files, 2 failed  512x real time  0:42 left`; a narrow window gets
  /// shorter wording, then fewer parts.
  static func overallLine(_ state: ProgressState, elapsed: Double, width: Int) -> String {
    let percent = percentage(state.fraction)
    for parts in wordings(state, elapsed: elapsed) {
      let text = ([percent] + parts).joined(separator: "  ")
      let barWidth = min(longestBar, width - text.utf8.count - 3)
      if barWidth >= shortestBar {
        return bar(state.fraction, width: barWidth) + " " + text
      }
    }
    let shortest = "\(percent)  \(state.settled)/\(state.total)"
    return DisplayWidth.cutEnd(of: shortest.utf8.count <= width ? shortest : percent, to: width)
  }

  /// The text beside the bar, from the longest wording to the shortest.
  private static func wordings(_ state: ProgressState, elapsed: Double) -> [[String]] {
    let speed = state.multipleOfRealTime(elapsed: elapsed).map(Quantities.multiple)
    let left = state.secondsLeft(elapsed: elapsed).map { Quantities.clock($0) + " left" }
    let failed = state.failures.isEmpty ? nil : "\(state.failures.count) failed"
    let files =
      "\(state.settled) of \(Quantities.count(state.total, "file"))"
      + (failed.map { ", \($0)" } ?? "")
    let short = "\(state.settled)/\(state.total)"
    return [
      [files, speed.map { "\($0) real time" }, left],
      [short, failed, speed, left],
      [short, failed, left],
      [short, left],
      [short],
    ].map { $0.compactMap { $0 } }
  }

  private static func fileLine(_ file: ProgressState.FileInWork, width: Int) -> String {
    let start = "\(percentage(file.fraction))  "
    let name = escapedForTerminal(file.path)
    return DisplayWidth.cutEnd(
      of: start + DisplayWidth.cutStart(of: name, to: max(0, width - start.utf8.count)), to: width)
  }

  private static func bar(_ fraction: Double, width: Int) -> String {
    let filled = Int(fraction * Double(width))
    let head = filled < width ? ">" : ""
    let done = String(repeating: "=", count: filled)
    return "[" + done + head + String(repeating: " ", count: max(0, width - filled - 1)) + "]"
  }

  /// Three digits and a sign: ` 45%`; 100 only when nothing is left.
  private static func percentage(_ fraction: Double) -> String {
    let number = String(Int(fraction * 100))
    return String(repeating: " ", count: max(0, 3 - number.count)) + number + "%"
  }
}

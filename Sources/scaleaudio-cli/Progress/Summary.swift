/// The summary of a batch.
enum Summary {
  /// `12 done, 3 skipped, 2 failed in 4.2 s, 512x real time, smoothstep`, then a line about clipping, one about
  /// loudness that was not reached, and one for
  /// each failure if failures are to be listed.
  static func lines(
    _ state: ProgressState, elapsed: Double, interrupted: Bool, listsFailures: Bool = true
  ) -> [String] {
    [totals(state, elapsed: elapsed, interrupted: interrupted)]
      + clipping(state) + missedLoudness(state)
      + (listsFailures ? state.failures.map { "  " + $0.line } : [])
  }

  /// `  1234 samples clipped by up to 2.1 dB in 3 files`; empty if none was.
  private static func clipping(_ state: ProgressState) -> [String] {
    guard state.clippedSamples > 0 else { return [] }
    let text = Quantities.clipping(state.clippedSamples, decibels: state.clippedDecibels)
    return ["  \(text) in \(Quantities.count(state.clippedFiles, "file"))"]
  }

  /// `  40 files quieter than requested by up to 4.2 dB; -v names them`; empty if none is.
  private static func missedLoudness(_ state: ProgressState) -> [String] {
    let (files, decibels) = state.missedLoudness
    guard files > 0 else { return [] }
    let most = Quantities.decimal(max(0.1, decibels), digits: 1)
    return [
      "  \(Quantities.groupedCount(files, "file")) quieter than requested by up to \(most) dB; -v names them"
    ]
  }

  private static func totals(
    _ state: ProgressState, elapsed: Double, interrupted: Bool
  ) -> String {
    var counts = ["\(state.done) done"]
    if state.skipped > 0 { counts.append("\(state.skipped) skipped") }
    if !state.failures.isEmpty { counts.append("\(state.failures.count) failed") }
    let rest = state.total - state.settled
    if rest > 0 { counts.append("\(rest) not done") }
    var text = (interrupted ? "interrupted: " : "") + counts.joined(separator: ", ")
    text += " in " + Quantities.elapsed(elapsed)
    if let speed = state.multipleOfRealTime(elapsed: elapsed) {
      text += ", \(Quantities.multiple(speed)) real time"
    }
    if !state.methods.isEmpty { text += ", " + state.methods.joined(separator: " and ") }
    return text
  }
}

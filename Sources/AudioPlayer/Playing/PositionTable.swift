/// Maps frames of an output to the files and frames that they come from.
///
/// Output frames count from the start of the sound, or from the last time that queued sound was discarded.
struct PositionTable {
  /// Output frames from `output` on are the source frames from `frame` on, `step` apart.
  struct Entry {
    let output: Double
    let track: Track
    let frame: Double
    let step: Double
    let round: Int
  }

  private var entries: [Entry] = []

  /// The frame of a file.
  struct Position {
    let track: Track
    /// May be fractional.
    let frame: Double
    /// The output frames since the frames of the file stand still; `nil` while they pass.
    let stillFrames: Double?
    /// The number of rounds of loops that were begun.
    let round: Int
  }

  /// Adds an entry for the output frames from `output` on; entries are added in order.
  mutating func append(
    output: Double, track: Track, frame: Double, step: Double, round: Int = 0
  ) {
    if let last = entries.last, last.track === track, last.round == round,
      abs(last.step - step) < 1e-9,
      abs(last.frame + (output - last.output) * last.step - frame) < 1e-3
    {
      return
    }
    entries.append(
      Entry(output: output, track: track, frame: frame, step: step, round: round))
  }

  /// The position of an output frame; `nil` before the first.
  func position(of output: Int) -> Position? {
    let place = Double(output)
    guard let entry = entries.last(where: { $0.output <= place }) ?? entries.first else {
      return nil
    }
    let since = max(0, place - entry.output)
    return Position(
      track: entry.track, frame: entry.frame + since * entry.step,
      stillFrames: entry.step == 0 ? since : nil, round: entry.round)
  }

  /// Drops the entries for frames before an output frame.
  mutating func trim(before output: Int) {
    guard let current = entries.lastIndex(where: { $0.output <= Double(output) }), current > 32
    else { return }
    entries.removeFirst(current)
  }

  /// Drops the entries for output frames from `output` on.
  mutating func truncate(from output: Int) { entries.removeAll { $0.output >= Double(output) } }

  mutating func clear() { entries = [] }
}

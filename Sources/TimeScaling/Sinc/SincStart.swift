/// The place from which a resampler may begin and make an output frame as if it had begun at the
/// first.
struct SincStart {
  /// The input frame, and the output frame at the same position.
  let input, output: Int

  /// Input frames that the filters of libsoxr need at a ratio of at least 1.
  private static let leadIn = 4096.0
  /// The longest lead-in, in output frames.
  private static let longest = 1 << 22

  /// The last start that leaves room for the filters; the first frame where there is no room. `nil` if none is near.
  init?(before frame: Int, ratio: Double) {
    let room = Int((Self.leadIn * max(1, ratio)).rounded(.up))
    guard frame > room else {
      (input, output) = (0, 0)
      return
    }
    guard let period = Self.period(ratio) else { return nil }
    let count = (frame - room) / period.output
    let (input, output) = (count * period.input, count * period.output)
    guard frame - output <= max(Self.longest, 2 * room) else { return nil }
    (self.input, self.output) = (input, output)
  }

  /// The least numbers of frames with this ratio, by its continued fraction; `nil` if they are large.
  private static func period(_ ratio: Double) -> (input: Int, output: Int)? {
    var (value, last, current) = (ratio, (above: 1, below: 0), (above: Int(ratio), below: 1))
    for _ in 0..<40 {
      if (Double(current.above) / Double(current.below) - ratio).magnitude <= ratio * 0x1p-52 {
        return current.above > 0 ? (current.below, current.above) : nil
      }
      let rest = value - value.rounded(.down)
      guard rest > 0 else { return nil }
      value = 1 / rest
      guard value < Double(longest) else { return nil }
      let whole = Int(value)
      (last, current) = (
        current, (whole * current.above + last.above, whole * current.below + last.below)
      )
      if max(current.above, current.below) > longest { return nil }
    }
    return nil
  }
}

/// The progress of the work on one file.
public struct ConversionProgress: Hashable, Sendable {
  /// The number of processed input frames.
  public var frames: Int
  /// The total number of input frames.
  public var totalFrames: Int
  /// The input's sample rate, in Hz.
  public var sampleRate: Int

  /// A progress of `frames` out of `totalFrames` frames, at `sampleRate` Hz.
  public init(frames: Int, totalFrames: Int, sampleRate: Int) {
    self.frames = frames
    self.totalFrames = totalFrames
    self.sampleRate = sampleRate
  }
}

/// Limits the progress reports of one job to a few per second.
struct ProgressPace {
  private static let interval: Duration = .milliseconds(250)
  private let clock = ContinuousClock()
  private var last = ContinuousClock().now

  /// Returns true if the next report is due; if so, the next interval begins.
  mutating func isDue() -> Bool {
    let now = clock.now
    if now - last < Self.interval { return false }
    last = now
    return true
  }
}

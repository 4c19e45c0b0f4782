public import AudioModel

/// Scales time by band-limited interpolation: resampling, played at the original rate.
///
/// Output frame `i` is at exactly `i / factor` of the source: a tone of `f` becomes one of `f / factor`.
/// ``ControlPoints`` differ, and put the last frame on the last. The source is silent outside its range. If
/// audio begins at full level, its first four frames are up to 13 % off, because libsoxr's later filter stages
/// have no samples before them. The phase is linear, and the delay of the filters is compensated. At a factor
/// of 1, every sample keeps its bits.
///
/// Copies of a scaler share one resampler, so use only one of them.
///
/// Source: the SoX Resampler library, libsoxr, by Rob Sykes.
public struct SincScaler: TimeScaler {
  /// The sample type of input and output.
  public typealias Sample = Double

  /// The number of channels, at least 1.
  public let channelCount: Int
  /// The number of input frames, at least 0.
  public let inputFrames: Int
  /// The number of output frames, at least 0.
  public let outputFrames: Int

  private let work: Work
  private var consumed = 0
  private var produced = 0
  /// The first frame, for ``Work/hold``.
  private var first: [Double]

  /// The way to compute output frames.
  private enum Work {
    /// One side has at most one frame: every output frame is the first input frame.
    case hold
    /// Every output frame is the input frame of the same number.
    case copy
    /// The ratio is resampled.
    case resample(Resampler)
  }

  /// A scaler from `inputFrames` to `outputFrames` frames of `channelCount` channels, at least 1.
  ///
  /// - Parameters:
  ///   - factor: Output frames for each input frame, within 1/65536 to 65536; `nil` for
  ///     `outputFrames / inputFrames`. It decides where frames are, `outputFrames` only how many are made.
  /// - Throws: ``ScalingError/outOfRange(_:remedy:)`` for another factor, and ``ScalingError/failed(_:)`` if
  ///   libsoxr cannot create a resampler.
  public init(
    inputFrames: Int, outputFrames: Int, factor: Double? = nil, channelCount: Int,
    quality: ScalingQuality
  ) throws(ScalingError) {
    self.channelCount = max(1, channelCount)
    self.inputFrames = max(0, inputFrames)
    self.outputFrames = self.inputFrames == 0 ? 0 : max(0, outputFrames)
    let ratio = factor ?? Double(self.outputFrames) / Double(max(1, self.inputFrames))
    if self.inputFrames <= 1 || self.outputFrames <= 1 {
      work = .hold
    } else if ratio == 1 {
      work = .copy
    } else {
      work = .resample(
        try Resampler(ratio: ratio, channelCount: self.channelCount, quality: quality))
    }
    first = Array(repeating: 0, count: self.channelCount)
  }

  /// Consumes frames of `input` and writes frames to `output`.
  public mutating func process(
    _ input: Span<Double>, into output: inout MutableSpan<Double>
  ) throws(ScalingError) -> ScalingProgress {
    let available = min(input.count / channelCount, inputFrames - consumed)
    let capacity = min(output.count / channelCount, outputFrames - produced)
    let moved: ScalingProgress
    if produced == outputFrames {
      moved = ScalingProgress(consumed: available, produced: 0)
    } else {
      moved = try move(
        input.extracting(0..<available * channelCount), into: &output, capacity: capacity)
    }
    consumed += moved.consumed
    produced += moved.produced
    return moved
  }

  private mutating func move(
    _ input: Span<Double>, into output: inout MutableSpan<Double>, capacity: Int
  ) throws(ScalingError) -> ScalingProgress {
    let available = input.count / channelCount
    switch work {
    case .hold:
      if consumed == 0 && available > 0 {
        for channel in first.indices { first[channel] = input[channel] }
      }
      return ScalingProgress(consumed: available, produced: 0)
    case .copy:
      let count = min(available, capacity)
      for i in 0..<count * channelCount { output[i] = input[i] }
      return ScalingProgress(consumed: count, produced: count)
    case .resample(let resampler):
      return try resampler.process(input, into: &output, capacity: capacity)
    }
  }

  /// Writes the remaining frames, and returns their number.
  public mutating func finish(into output: inout MutableSpan<Double>) throws(ScalingError) -> Int {
    let capacity = min(output.count / channelCount, outputFrames - produced)
    guard capacity > 0 else { return 0 }
    let made: Int
    switch work {
    case .hold:
      for i in 0..<capacity * channelCount { output[i] = first[i % channelCount] }
      made = capacity
    case .copy:
      for i in 0..<capacity * channelCount { output[i] = 0 }
      made = capacity
    case .resample(let resampler):
      made = try resampler.flush(into: &output, capacity: capacity)
    }
    produced += made
    return made
  }

  /// Returns to the state of a new scaler.
  public mutating func reset() {
    if case .resample(let resampler) = work { resampler.clear() }
    for channel in first.indices { first[channel] = 0 }
    (consumed, produced) = (0, 0)
  }
}

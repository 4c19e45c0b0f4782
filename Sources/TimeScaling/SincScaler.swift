public import AudioModel

/// Scales time by band-limited interpolation: what a resampler does, played back at the old rate.
///
/// Output frame `j` of `L` is the source at `j * (N - 1) / (L - 1)`, as with the other methods
/// (``ControlPoints``): the first frame is at 0 and the last at exactly `N - 1`. Outside the source
/// there is silence; where audio begins at full level, its first four frames are up to 13 % off, because
/// the later of libsoxr's filters know of nothing before them. Phase is linear and the delay of the
/// filters is made up for. Where `N` is `L`, every sample keeps its bits.
///
/// A copy of a scaler works on the same resampler: use one of them.
///
/// Source: the SoX Resampler library, libsoxr, by Rob Sykes.
public struct SincScaler: TimeScaler {
  public typealias Sample = Double

  public let channelCount: Int
  /// Input frames, at least 0.
  public let inputFrames: Int
  /// Output frames, at least 0.
  public let outputFrames: Int

  private let work: Work
  private var consumed = 0
  private var produced = 0
  /// The first frame, for where it is held.
  private var first: [Double]

  /// How output frames come about.
  private enum Work {
    /// One side has no span, so there is no ratio: all are the first input frame.
    case hold
    /// Each is the input frame of the same number.
    case copy
    case resample(Resampler)
  }

  /// A scaler from `inputFrames` to `outputFrames` frames of `channelCount` samples, at least 1.
  ///
  /// - Throws: ``ScalingError/outOfRange(_:)`` where one side is more than 65536 times as long as the
  ///   other, ``ScalingError/failed(_:)`` where libsoxr cannot be set up.
  public init(
    inputFrames: Int, outputFrames: Int, channelCount: Int, quality: ScalingQuality
  ) throws(ScalingError) {
    self.channelCount = max(1, channelCount)
    self.inputFrames = max(0, inputFrames)
    self.outputFrames = self.inputFrames == 0 ? 0 : max(0, outputFrames)
    if self.inputFrames <= 1 || self.outputFrames <= 1 {
      work = .hold
    } else if self.inputFrames == self.outputFrames {
      work = .copy
    } else {
      work = .resample(
        try Resampler(
          inputSpan: self.inputFrames - 1, outputSpan: self.outputFrames - 1,
          channelCount: self.channelCount, quality: quality))
    }
    first = Array(repeating: 0, count: self.channelCount)
  }

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

  public mutating func finish(into output: inout MutableSpan<Double>) throws(ScalingError) -> Int {
    let capacity = min(output.count / channelCount, outputFrames - produced)
    guard capacity > 0 else { return 0 }
    let made: Int
    switch work {
    case .hold:
      for i in 0..<capacity * channelCount { output[i] = first[i % channelCount] }
      made = capacity
    case .copy:
      made = 0
    case .resample(let resampler):
      made = try resampler.flush(into: &output, capacity: capacity)
    }
    produced += made
    return made
  }

  public mutating func reset() {
    if case .resample(let resampler) = work { resampler.clear() }
    for channel in first.indices { first[channel] = 0 }
    (consumed, produced) = (0, 0)
  }
}

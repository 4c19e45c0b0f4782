public import AudioModel
internal import CSoxr

/// Scales time by band-limited interpolation: what a resampler does, played back at the old rate.
///
/// Output frame `j` of `L` is the source at `j * (N - 1) / (L - 1)`, as with the other methods
/// (``ControlPoints``): the first frame is at 0 and the last at exactly `N - 1`. Outside the source
/// there is silence. Phase is linear and the delay of the filters is made up for.
///
/// Source: the SoX Resampler library, libsoxr, by Rob Sykes.
public struct SincScaler: TimeScaler {
  public typealias Sample = Double

  public let channelCount: Int
  public let inputFrames: Int
  public let outputFrames: Int
  /// libsoxr takes what it needs and keeps it.
  public var latency: Int { 0 }

  private let resampler: Resampler?
  private var consumed = 0
  private var produced = 0
  /// The first frame, which is all there is to hold where there is no ratio.
  private var first: [Double]

  /// A scaler from `inputFrames` to `outputFrames` frames of `channelCount` samples, at least 1.
  ///
  /// - Throws: ``ScalingError/failed(_:)`` where libsoxr cannot be set up.
  public init(
    inputFrames: Int, outputFrames: Int, channelCount: Int, quality: ScalingQuality
  ) throws(ScalingError) {
    self.channelCount = max(1, channelCount)
    self.inputFrames = max(0, inputFrames)
    self.outputFrames = self.inputFrames == 0 ? 0 : max(0, outputFrames)
    // With no span on one side there is no ratio; such outputs are made without it.
    resampler =
      self.inputFrames > 1 && self.outputFrames > 1
      ? try Resampler(
        inputSpan: self.inputFrames - 1, outputSpan: self.outputFrames - 1,
        channelCount: self.channelCount, quality: quality) : nil
    first = Array(repeating: 0, count: self.channelCount)
  }

  public mutating func process(
    _ input: Span<Double>, into output: inout MutableSpan<Double>
  ) throws(ScalingError) -> ScalingProgress {
    let available = min(input.count / channelCount, inputFrames - consumed)
    let capacity = min(output.count / channelCount, outputFrames - produced)
    guard available > 0 else { return ScalingProgress(consumed: 0, produced: 0) }
    guard let resampler else {
      if consumed == 0 { for channel in first.indices { first[channel] = input[channel] } }
      consumed += available
      return ScalingProgress(consumed: available, produced: 0)
    }
    let moved = try resampler.process(
      input.extracting(0..<available * channelCount), into: &output, capacity: capacity)
    consumed += moved.consumed
    produced += moved.produced
    return moved
  }

  public mutating func finish(into output: inout MutableSpan<Double>) throws(ScalingError) -> Int {
    let capacity = min(output.count / channelCount, outputFrames - produced)
    guard capacity > 0 else { return 0 }
    let made: Int
    if let resampler {
      made = try resampler.flush(into: &output, capacity: capacity)
    } else {
      for i in 0..<capacity * channelCount { output[i] = first[i % channelCount] }
      made = capacity
    }
    produced += made
    return made
  }

  public mutating func reset() {
    resampler?.clear()
    (consumed, produced) = (0, 0)
  }
}

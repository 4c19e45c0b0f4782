public import AudioModel

/// Merges the channels of a frame into one: their weighted mean, rounded to nearest, ties to even.
public struct ChannelMerger<Sample: PCMSample>: Sendable {
  /// Channels in an input frame, at least 1.
  public let channelCount: Int
  private let weights: [Double]
  private let sumOfWeights: Double

  /// A merger of so many channels, all of equal weight.
  public init(channelCount: Int) {
    self.init(weights: Array(repeating: 1, count: max(1, channelCount)))
  }

  /// A merger of one channel for each weight, none below 0; all channels weigh the same when the
  /// weights come to nothing.
  ///
  /// A frame becomes Σ weight × sample / Σ weight, which is never beyond its loudest sample.
  public init(weights: [Double]) {
    let usable = weights.filter { $0 >= 0 }.count == weights.count && weights.contains { $0 > 0 }
    self.weights = usable ? weights : Array(repeating: 1, count: max(1, weights.count))
    channelCount = self.weights.count
    sumOfWeights = self.weights.reduce(0, +)
  }

  /// Replaces the first samples of `frames` (interleaved) by one mean for each frame.
  @specialized(where Sample == Int8)
  @specialized(where Sample == Int16)
  @specialized(where Sample == Int24)
  @specialized(where Sample == Int32)
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  public func merge(_ frames: inout MutableSpan<Sample>) {
    let count = frames.count / channelCount
    let weights = weights
    for frame in 0..<count {
      var sum = 0.0
      for channel in 0..<channelCount {
        sum += weights[channel] * frames[frame * channelCount + channel].doubleValue
      }
      frames[frame] = Sample(nearest: sum / sumOfWeights)
    }
  }
}

public import AudioModel

/// Merges the channels of a frame into one: their mean, rounded to nearest, ties to even.
public struct ChannelMerger<Sample: PCMSample>: Sendable {
  /// Channels in an input frame, at least 1.
  public let channelCount: Int

  /// A merger of so many channels.
  public init(channelCount: Int) {
    self.channelCount = max(1, channelCount)
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
    for frame in 0..<count {
      var sum = 0.0
      for channel in 0..<channelCount { sum += frames[frame * channelCount + channel].doubleValue }
      frames[frame] = Sample(nearest: sum / Double(channelCount))
    }
  }
}

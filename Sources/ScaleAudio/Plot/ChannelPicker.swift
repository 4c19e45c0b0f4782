internal import AudioModel

/// Splits or merges the channels of interleaved blocks for the lanes of a picture.
package struct ChannelPicker {
  private let channels: PlotChannels
  private let channelCount: Int
  /// True when means are rounded toward zero rather than to nearest.
  private let truncatesMeans: Bool
  /// One channel of a block.
  private var samples: [Int16] = []

  /// Creates a picker for blocks with this number of channels.
  package init(_ channels: PlotChannels, channelCount: Int, truncatesMeans: Bool = false) {
    self.channels = channels
    self.channelCount = channelCount
    self.truncatesMeans = truncatesMeans
  }

  /// Passes each lane its samples of interleaved frames.
  package mutating func pick(
    _ frames: Span<Int16>, _ body: (_ lane: Int, _ samples: Span<Int16>) -> Void
  ) {
    if channelCount == 1 {
      body(0, frames)
      return
    }
    let count = frames.count / channelCount
    if samples.count < count { samples = Array(repeating: 0, count: count) }
    switch channels {
    case .merged:
      if truncatesMeans {
        Self.mergeTruncating(frames, channelCount, into: &samples)
      } else {
        Self.merge(frames, channelCount, into: &samples)
      }
      body(0, samples.span.extracting(0..<count))
    case .split:
      for lane in 0..<channelCount {
        Self.take(lane, of: frames, channelCount, into: &samples)
        body(lane, samples.span.extracting(0..<count))
      }
    case .channel(let number):
      Self.take(number - 1, of: frames, channelCount, into: &samples)
      body(0, samples.span.extracting(0..<count))
    }
  }

  private static func take(
    _ channel: Int, of frames: Span<Int16>, _ channelCount: Int, into samples: inout [Int16]
  ) {
    var output = samples.mutableSpan
    var next = channel
    for frame in 0..<frames.count / channelCount {
      output[frame] = frames[next]
      next += channelCount
    }
  }

  /// The mean of each frame, rounded toward zero.
  private static func mergeTruncating(
    _ frames: Span<Int16>, _ channelCount: Int, into samples: inout [Int16]
  ) {
    var output = samples.mutableSpan
    if channelCount == 2 {
      // The compiler turns a division by a constant into a multiplication.
      for frame in 0..<frames.count / 2 {
        let sum = Int32(frames[2 * frame]) + Int32(frames[2 * frame + 1])
        output[frame] = Int16(truncatingIfNeeded: sum / 2)
      }
      return
    }
    for frame in 0..<frames.count / channelCount {
      var sum: Int32 = 0
      for channel in 0..<channelCount { sum += Int32(frames[frame * channelCount + channel]) }
      output[frame] = Int16(truncatingIfNeeded: sum / Int32(channelCount))
    }
  }

  /// The mean of each frame, rounded to nearest, ties to even.
  private static func merge(
    _ frames: Span<Int16>, _ channelCount: Int, into samples: inout [Int16]
  ) {
    var output = samples.mutableSpan
    if channelCount == 2 {
      for frame in 0..<frames.count / 2 {
        let sum = Int32(frames[2 * frame]) + Int32(frames[2 * frame + 1])
        let half = sum >> 1
        output[frame] = Int16(truncatingIfNeeded: half + (sum & half & 1))
      }
      return
    }
    for frame in 0..<frames.count / channelCount {
      var sum: Int32 = 0
      for channel in 0..<channelCount { sum += Int32(frames[frame * channelCount + channel]) }
      output[frame] = Int16(nearest: Double(sum) / Double(channelCount))
    }
  }
}

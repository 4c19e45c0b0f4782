/// Takes the channels of interleaved blocks apart, or merges them, for the lanes of a picture.
struct ChannelPicker {
  private let channels: PlotChannels
  private let channelCount: Int
  /// One channel of a block.
  private var samples: [Int16] = []

  init(_ channels: PlotChannels, channelCount: Int) {
    self.channels = channels
    self.channelCount = channelCount
  }

  /// Gives each lane its samples of `count` frames of an interleaved block, from frame `first` on.
  mutating func pick(
    _ block: [Int16], from first: Int, count: Int, into lanes: inout [any LaneReducer]
  ) {
    let frames = block.span.extracting(first * channelCount..<(first + count) * channelCount)
    if channelCount == 1 {
      for lane in lanes.indices { lanes[lane].append(frames) }
      return
    }
    if samples.count < count { samples = Array(repeating: 0, count: count) }
    switch channels {
    case .merged:
      Self.merge(frames, channelCount, into: &samples)
      append(count, to: &lanes)
    case .split:
      for lane in lanes.indices {
        Self.take(lane, of: frames, channelCount, into: &samples)
        lanes[lane].append(samples.span.extracting(0..<count))
      }
    case .channel(let number):
      Self.take(number - 1, of: frames, channelCount, into: &samples)
      append(count, to: &lanes)
    }
  }

  private func append(_ count: Int, to lanes: inout [any LaneReducer]) {
    for lane in lanes.indices { lanes[lane].append(samples.span.extracting(0..<count)) }
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

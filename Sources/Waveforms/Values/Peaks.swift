/// The envelope of audio over time: the lowest and the highest sample of each segment.
public struct Peaks: Hashable, Sendable {
  /// The lowest sample of each segment, in the order of time.
  public let minimums: [Int16]
  /// The highest sample of each segment; as many as ``minimums``.
  public let maximums: [Int16]
  /// The total number of frames in the segments.
  public let frameCount: Int

  /// Peaks of these values. If the counts differ, the extra values are dropped.
  public init(minimums: [Int16], maximums: [Int16], frameCount: Int) {
    let count = min(minimums.count, maximums.count)
    self.minimums = Array(minimums.prefix(count))
    self.maximums = Array(maximums.prefix(count))
    self.frameCount = frameCount
  }

  /// The number of segments.
  public var count: Int { minimums.count }

  /// Whether each segment is a single sample, so that the peaks are the samples themselves.
  public var areSamples: Bool { frameCount == count }
}

/// Computes the peaks of one channel, block by block.
///
/// Segment `k` of `n` has the frames from `k * frameCount / n` to `(k + 1) * frameCount / n`, rounded down. The
/// segments include all frames, and their lengths differ by at most one frame.
public struct PeakReducer: LaneReducer, Hashable {
  private let frameCount: Int
  private let count: Int
  private var minimums: [Int16] = []
  private var maximums: [Int16] = []
  /// The number of frames that the current segment still needs, and the accumulated remainder of the division.
  private var missing: Int
  private var fraction: Int
  private var lowest = Int16.max
  private var highest = Int16.min

  /// A reduction of `frameCount` samples to the peaks of `count` segments, or to the samples themselves if
  /// they are fewer.
  public init(frameCount: Int, count: Int) {
    self.frameCount = max(0, frameCount)
    self.count = max(0, min(count, frameCount))
    (missing, fraction) = (0, 0)
    minimums.reserveCapacity(self.count)
    maximums.reserveCapacity(self.count)
    beginSegment()
  }

  /// Appends the next samples of the channel.
  public mutating func append(_ samples: Span<Int16>) {
    var next = 0
    while next < samples.count && minimums.count < count {
      let end = next + min(samples.count - next, missing)
      let part = samples.extracting(next..<end)
      var (low, high) = (lowest, highest)
      part.withUnsafeBufferPointer { part in
        for sample in part {
          low = min(low, sample)
          high = max(high, sample)
        }
      }
      (lowest, highest) = (low, high)
      missing -= end - next
      next = end
      if missing == 0 { closeSegment() }
    }
  }

  /// The peaks of the samples so far.
  public var peaks: Peaks {
    Peaks(
      minimums: minimums, maximums: maximums,
      frameCount: minimums.count == count ? frameCount : minimums.count * (frameCount / count))
  }

  /// ``peaks`` as the content of a lane.
  public var content: LaneContent { .peaks(peaks) }

  /// Computes the length of the next segment without products that could overflow.
  private mutating func beginSegment() {
    guard count > 0 else { return }
    let (base, rest) = frameCount.quotientAndRemainder(dividingBy: count)
    missing = base
    fraction += rest
    if fraction >= count {
      fraction -= count
      missing += 1
    }
    (lowest, highest) = (.max, .min)
  }

  private mutating func closeSegment() {
    minimums.append(lowest)
    maximums.append(highest)
    beginSegment()
  }
}

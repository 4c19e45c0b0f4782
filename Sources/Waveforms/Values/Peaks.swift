/// The envelope of audio over time: the lowest and the highest sample of each stretch.
public struct Peaks: Hashable, Sendable {
  /// The lowest sample of each stretch, in the order of time.
  public let minimums: [Int16]
  /// The highest sample of each stretch; as many as ``minimums``.
  public let maximums: [Int16]
  /// The frames that the stretches cover together.
  public let frameCount: Int

  /// Peaks that were worked out already; of unequal counts, the smaller.
  public init(minimums: [Int16], maximums: [Int16], frameCount: Int) {
    let count = min(minimums.count, maximums.count)
    self.minimums = Array(minimums.prefix(count))
    self.maximums = Array(maximums.prefix(count))
    self.frameCount = frameCount
  }

  /// How many stretches there are.
  public var count: Int { minimums.count }

  /// Whether each stretch is a single sample, so that the peaks are the samples themselves.
  public var areSamples: Bool { frameCount == count }
}

/// Works out the peaks of one channel from its samples, block by block.
///
/// Stretch `k` of `n` holds the frames from `k * frameCount / n` to `(k + 1) * frameCount / n`, rounded down:
/// all frames are in one, and their lengths differ by at most a frame.
public struct PeakReducer: LaneReducer, Hashable {
  private let frameCount: Int
  private let count: Int
  private var minimums: [Int16] = []
  private var maximums: [Int16] = []
  /// Frames that the stretch at hand still lacks, and the part of a frame it is short of, in counts.
  private var missing: Int
  private var fraction: Int
  private var lowest = Int16.max
  private var highest = Int16.min

  /// A reduction of `frameCount` samples to the peaks of `count` stretches, or to the samples themselves
  /// where they are fewer.
  public init(frameCount: Int, count: Int) {
    self.frameCount = max(0, frameCount)
    self.count = max(0, min(count, frameCount))
    (missing, fraction) = (0, 0)
    minimums.reserveCapacity(self.count)
    maximums.reserveCapacity(self.count)
    beginStretch()
  }

  /// Takes the next samples of the channel.
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
      if missing == 0 { closeStretch() }
    }
  }

  /// The peaks of all samples taken.
  public var peaks: Peaks {
    Peaks(
      minimums: minimums, maximums: maximums,
      frameCount: minimums.count == count ? frameCount : minimums.count * (frameCount / count))
  }

  /// ``peaks``, as a lane shows them.
  public var content: LaneContent { .peaks(peaks) }

  /// Settles the length of the next stretch; no product is formed that could overflow.
  private mutating func beginStretch() {
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

  private mutating func closeStretch() {
    minimums.append(lowest)
    maximums.append(highest)
    beginStretch()
  }
}

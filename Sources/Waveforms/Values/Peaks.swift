/// The envelope of audio over time: the lowest and the highest sample of each segment, and its RMS.
public struct Peaks: Hashable, Sendable {
  /// The lowest sample of each segment, in the order of time.
  public let minimums: [Int16]
  /// The highest sample of each segment; as many as ``minimums``.
  public let maximums: [Int16]
  /// The mean square of the samples of each segment, full scale 1; empty, or as many as ``minimums``.
  public let meanSquares: [Double]
  /// The total number of frames in the segments.
  public let frameCount: Int
  /// The greatest sample that the source can have: less than the greatest of 16 bits if it has fewer.
  public let fullScale: Int16

  /// Peaks of these values. If the counts differ, the extra values are dropped; mean squares are dropped if there are
  /// too few of them.
  public init(
    minimums: [Int16], maximums: [Int16], meanSquares: [Double] = [], frameCount: Int,
    fullScale: Int16 = .max
  ) {
    let count = min(minimums.count, maximums.count)
    self.minimums = Array(minimums.prefix(count))
    self.maximums = Array(maximums.prefix(count))
    self.meanSquares = meanSquares.count < count ? [] : Array(meanSquares.prefix(count))
    self.frameCount = frameCount
    self.fullScale = fullScale
  }

  /// The greatest peaks and the mean powers of several channels with the same segments.
  init(merging channels: [Peaks]) {
    let all = 0..<(channels.map(\.count).min() ?? 0)
    self.init(
      minimums: all.map { (index) in channels.reduce(Int16.max) { min($0, $1.minimums[index]) } },
      maximums: all.map { (index) in channels.reduce(Int16.min) { max($0, $1.maximums[index]) } },
      meanSquares: channels.contains { $0.meanSquares.isEmpty }
        ? []
        : all.map { (index) in
          channels.reduce(0) { $0 + $1.meanSquares[index] } / Double(channels.count)
        },
      frameCount: channels.first?.frameCount ?? 0,
      fullScale: channels.first?.fullScale ?? .max)
  }

  /// The number of segments.
  public var count: Int { minimums.count }

  /// True if each segment is a single sample, so that the peaks are the samples themselves.
  public var areSamples: Bool { frameCount == count && minimums == maximums }

  /// The greatest magnitude of all samples, full scale 1; 0 if there are none.
  public var peak: Double {
    let lowest = Double(minimums.min() ?? 0)
    let highest = Double(maximums.max() ?? 0)
    return max(-lowest, highest) / 32768
  }

  /// The RMS of each segment and its neighbors, over at least `frames` frames; empty without mean squares.
  ///
  /// At either end there are fewer neighbors.
  public func rms(over frames: Double) -> [Double] {
    guard count > 0, meanSquares.count == count else { return [] }
    let wanted = frames * Double(count) / Double(max(1, frameCount))
    let around = Int(min(Double(count), max(0, (wanted - 1) / 2)).rounded(.up))
    // The sum up to each segment.
    var sums = [0.0]
    sums.reserveCapacity(count + 1)
    var sum = 0.0
    for square in meanSquares {
      sum += square
      sums.append(sum)
    }
    return (0..<count).map { index in
      let (start, end) = (max(0, index - around), min(count, index + around + 1))
      return (max(0, sums[end] - sums[start]) / Double(end - start)).squareRoot()
    }
  }
}

/// Computes the peaks of one channel, block by block.
///
/// Segment `k` of `n` has the frames from `k * frameCount / n` to `(k + 1) * frameCount / n`, rounded down. The
/// segments include all frames, and their lengths differ by at most one frame.
public struct PeakReducer: LaneReducer, Hashable {
  private let frameCount: Int
  private let count: Int
  private let fullScale: Int16
  private var minimums: [Int16] = []
  private var maximums: [Int16] = []
  private var meanSquares: [Double] = []
  /// The number of frames that the current segment still needs, and the accumulated remainder of the division.
  private var missing: Int
  private var fraction: Int
  private var lowest = Int16.max
  private var highest = Int16.min
  /// The sum of squares, and the number of frames, of the current segment.
  private var squares = 0.0
  private var length = 0

  /// A reduction of `frameCount` samples to the peaks of `count` segments, or to the samples themselves if
  /// they are fewer.
  ///
  /// - Parameters:
  ///   - frameCount: The frames of the source.
  ///   - count: The number of segments.
  ///   - fullScale: The greatest sample that the source can have.
  public init(frameCount: Int, count: Int, fullScale: Int16 = .max) {
    self.fullScale = fullScale
    self.frameCount = max(0, frameCount)
    self.count = max(0, min(count, frameCount))
    (missing, fraction) = (0, 0)
    minimums.reserveCapacity(self.count)
    maximums.reserveCapacity(self.count)
    meanSquares.reserveCapacity(self.count)
    beginSegment()
  }

  /// Appends the next samples of the channel.
  public mutating func append(_ samples: Span<Int16>) {
    var next = 0
    while next < samples.count && minimums.count < count {
      let end = next + min(samples.count - next, missing)
      let part = samples.extracting(next..<end)
      var (low, high) = (lowest, highest)
      // Exact: a square has at most 31 bits, and a block far fewer than 2 to the power of 32 samples.
      var sum: Int64 = 0
      part.withUnsafeBufferPointer { part in
        for sample in part {
          low = min(low, sample)
          high = max(high, sample)
          let value = Int32(sample)
          sum &+= Int64(value &* value)
        }
      }
      (lowest, highest) = (low, high)
      // Sums of squares are exact up to 2 to the power of 53, or 8 million frames of full scale.
      squares += Double(sum)
      missing -= end - next
      next = end
      if missing == 0 { closeSegment() }
    }
  }

  /// The peaks of the samples so far.
  public var peaks: Peaks {
    Peaks(
      minimums: minimums, maximums: maximums, meanSquares: meanSquares,
      frameCount: minimums.count == count ? frameCount : minimums.count * (frameCount / count),
      fullScale: fullScale)
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
    (squares, length) = (0, missing)
  }

  private mutating func closeSegment() {
    minimums.append(lowest)
    maximums.append(highest)
    meanSquares.append(squares / Double(max(1, length)) / 0x1p30)
    beginSegment()
  }
}

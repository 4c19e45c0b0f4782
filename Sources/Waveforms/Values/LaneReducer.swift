import Glibc

/// Reduces the samples of one channel to the content of a lane, block by block, in bounded memory.
public protocol LaneReducer: Sendable {
  /// Appends the next samples of the channel, with 16 bits.
  mutating func append(_ samples: Span<Int16>)
  /// The content for the samples so far.
  var content: LaneContent { get }
}

/// The content of a lane of a picture.
public enum LaneContent: Hashable, Sendable {
  /// Levels in decibels as bars, mirrored about the middle of the lane.
  case levels(Levels)
  /// The lowest and the highest sample of each column.
  case peaks(Peaks)
  /// Levels in decibels over time and frequency.
  case spectrum(Spectrogram)
  /// Loudness over time, from the bottom of the lane.
  case loudness(LoudnessCurve)
}

extension LaneContent {
  /// One lane for several channels, each reduced alike: the greatest peaks and the mean powers.
  ///
  /// Their levels are merged, not their samples, which may cancel. `nil` for no channels, and for loudness, which is always
  /// that of all channels.
  public static func merged(_ channels: [LaneContent]) -> LaneContent? {
    guard channels.count != 1 else { return channels[0] }
    switch channels.first {
    case .levels(let first):
      let all = channels.compactMap { if case .levels(let levels) = $0 { levels } else { nil } }
      return .levels(
        Levels(
          values: meanPowers(all.map(\.values)), noiseFloor: first.noiseFloor,
          framesPerValue: first.framesPerValue))
    case .peaks:
      return .peaks(
        Peaks(
          merging: channels.compactMap { if case .peaks(let peaks) = $0 { peaks } else { nil } }))
    case .spectrum:
      return .spectrum(
        Spectrogram(
          merging: channels.compactMap {
            if case .spectrum(let spectrogram) = $0 { spectrogram } else { nil }
          }))
    case .loudness, nil: return nil
    }
  }

  /// The mean power of each value over all channels; all in dB.
  static func meanPowers<Level: BinaryFloatingPoint>(_ channels: [[Level]]) -> [Level] {
    guard let first = channels.first else { return [] }
    return first.indices.map { (index) in
      let levels = channels.map { Double($0[index]) }
      // Equal levels stay exact: the logarithm would round them.
      if levels.allSatisfy({ $0 == levels[0] }) { return first[index] }
      let power = levels.reduce(0) { $0 + pow(10, $1 / 10) } / Double(levels.count)
      return Level(10 * log10(power))
    }
  }
}

/// Reduces a stream of values: groups of equal size become one value each.
///
/// A group has `total / count` values (rounded down, at least 1). Values after the last complete group are
/// ignored. The result does not depend on the block sizes.
public struct Decimator: Hashable, Sendable {
  /// The reduction of a group to one value.
  public enum Method: String, CaseIterable, Hashable, Sendable {
    /// The mean of the values, which reduces aliasing.
    case mean
    /// The first value.
    case first
  }

  /// The number of values in a group, at least 1.
  public let groupSize: Int
  /// The reduction of a group to one value.
  public let method: Method
  /// The values of the complete groups, at most the requested count.
  public private(set) var values: [Double] = []
  private let count: Int
  /// The number of values in the current group, and their sum.
  private var filled = 0
  private var sum = 0.0

  /// A reduction of `total` values to `count`, or to `total` if that is fewer.
  public init(total: Int, count: Int, method: Method = .mean) {
    groupSize = max(1, total / max(1, count))
    self.method = method
    self.count = max(0, min(count, total))
    values.reserveCapacity(self.count)
  }

  /// Appends the next values.
  public mutating func append(_ block: Span<Double>) {
    append(count: block.count) { block[$0] }
  }

  /// Appends the next `blockCount` values, which `value` returns for an index in the block.
  @inline(__always)
  mutating func append(count blockCount: Int, value: (Int) -> Double) {
    var next = 0
    while next < blockCount && values.count < count {
      let end = min(blockCount, next + groupSize - filled)
      switch method {
      case .mean:
        var sum = sum
        for index in next..<end { sum += value(index) }
        self.sum = sum
      case .first: if filled == 0 { sum = value(next) }
      }
      filled += end - next
      next = end
      if filled == groupSize { closeGroup() }
    }
  }

  private mutating func closeGroup() {
    values.append(method == .mean ? sum / Double(groupSize) : sum)
    (filled, sum) = (0, 0)
  }
}

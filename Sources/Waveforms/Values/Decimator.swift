/// Reduces a stream of values to fewer: groups of equal size become one value each.
///
/// The groups hold `total / count` values (a whole number, at least 1); what is left over at the end is
/// ignored. Blocks may be cut anywhere: the result is that of the whole stream at once, to the last bit.
public struct Decimator: Hashable, Sendable {
  /// What a group becomes.
  public enum Method: String, CaseIterable, Hashable, Sendable {
    /// The mean of its values, which keeps what is faster than the groups from showing as what is slower.
    case mean
    /// Its first value.
    case first
  }

  /// Values in a group, at least 1.
  public let groupSize: Int
  /// What a group becomes.
  public let method: Method
  /// The values of the groups that are complete, at most as many as were asked for.
  public private(set) var values: [Double] = []
  private let count: Int
  /// Values of the group at hand, and what they come to so far.
  private var filled = 0
  private var sum = 0.0

  /// A reduction of `total` values to `count`, or to `total` where that is fewer.
  public init(total: Int, count: Int, method: Method = .mean) {
    groupSize = max(1, total / max(1, count))
    self.method = method
    self.count = max(0, min(count, total))
    values.reserveCapacity(self.count)
  }

  /// Takes the next values.
  public mutating func append(_ block: Span<Double>) {
    append(count: block.count) { block[$0] }
  }

  /// Takes the next `blockCount` values, which `value` gives by their place in the block.
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

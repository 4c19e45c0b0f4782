/// The highest and the lowest of the samples that were shown to it.
public struct PeakMeter: Hashable, Sendable {
  /// The highest value, at least 0.
  public private(set) var highest = 0.0
  /// The lowest value, at most 0.
  public private(set) var lowest = 0.0

  /// A meter that has seen nothing.
  public init() {}

  /// The greatest magnitude; 0 where there was only silence.
  public var peak: Double { max(highest, -lowest) }

  /// Looks at samples of any channels.
  public mutating func measure(_ samples: Span<Double>) {
    var (highest, lowest) = (highest, lowest)
    for i in 0..<samples.count {
      // The other way round, not a number would stay for good.
      if samples[i] > highest { highest = samples[i] }
      if samples[i] < lowest { lowest = samples[i] }
    }
    (self.highest, self.lowest) = (highest, lowest)
  }
}

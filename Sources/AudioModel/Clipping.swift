/// Samples that lay at or beyond full scale and were clamped to it.
public struct Clipping: Hashable, Sendable {
  /// How many they are.
  public private(set) var count = 0
  /// The greatest magnitude among them; 1 is full scale, and 0 stands for no sample.
  public private(set) var peak = 0.0

  /// No samples yet.
  public init() {}

  /// Counts a sample of this value, whose full scale is 1.
  public mutating func add(_ value: Double) {
    count += 1
    peak = max(peak, min(value.magnitude, .greatestFiniteMagnitude))
  }

  /// Counts what was counted elsewhere.
  public mutating func add(_ other: Clipping) {
    count += other.count
    peak = max(peak, other.peak)
  }

  /// How far the greatest lay beyond full scale, in dB, at least 0; `nil` where there was none.
  public var decibels: Double? { count > 0 ? max(0, peak.decibels) : nil }
}

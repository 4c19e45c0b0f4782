/// Output duration divided by input duration: 2 doubles the length, 0.5 halves it.
///
/// The one definition of the direction. `1 / value` is the playback speed.
public struct TimeFactor: Hashable, Sendable {
  /// The factors that are accepted.
  public static let range: ClosedRange<Double> = 0.01...100

  /// The factor that keeps the length.
  public static let unchanged = TimeFactor(unchecked: 1)

  /// Output length / input length, within ``range``.
  public let value: Double

  /// A factor, or `nil` when it is not a number within ``range``.
  public init?(_ value: Double) {
    guard Self.range.contains(value) else { return nil }
    self.value = value
  }

  private init(unchecked value: Double) { self.value = value }

  /// The factor that plays at `speed` times the original speed.
  public init?(speed: Double) {
    self.init(1 / speed)
  }

  /// Playback speed, the reciprocal.
  public var speed: Double { 1 / value }

  /// Output frames for so many input frames: `Int(Double(frames) * value)`, truncated.
  ///
  /// `nil` when the product does not fit.
  public func outputFrames(for frames: Int) -> Int? {
    Int(exactly: (Double(frames) * value).rounded(.towardZero))
  }
}

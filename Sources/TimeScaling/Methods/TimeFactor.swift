/// Output length divided by input length: 2 doubles the length, 0.5 halves it.
///
/// Its reciprocal is the playback speed.
public struct TimeFactor: Hashable, Sendable {
  /// The accepted factors.
  public static let range: ClosedRange<Double> = 0.01...100

  /// The factor that keeps the length.
  public static let unchanged = TimeFactor(unchecked: 1)

  /// Output length / input length, within ``range``.
  public let value: Double

  /// A factor; `nil` if the value is not within ``range``.
  public init?(_ value: Double) {
    guard Self.range.contains(value) else { return nil }
    self.value = value
  }

  private init(unchecked value: Double) { self.value = value }

  /// The factor for a playback speed; `nil` if it is not within ``range``.
  public init?(speed: Double) {
    self.init(1 / speed)
  }

  /// The playback speed: `1 / value`.
  public var speed: Double { 1 / value }

  /// The number of output frames for a number of input frames: their product, truncated; `nil` if it does
  /// not fit in an `Int`.
  public func outputFrames(for frames: Int) -> Int? {
    Int(exactly: (Double(frames) * value).rounded(.towardZero))
  }
}

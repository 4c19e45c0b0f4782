/// A piecewise linear map from moments of a source to moments of an output, both in frames.
public struct TimeMap: Hashable, Sendable {
  /// A moment of the source and where it goes.
  public struct Point: Hashable, Sendable {
    /// In frames of the source, at least 0.
    public var source: Double
    /// In frames of the output, at least 0.
    public var output: Double

    /// `source` goes to `output`.
    public init(source: Double, output: Double) {
      self.source = source
      self.output = output
    }
  }

  /// At least two points, both coordinates strictly increasing; the first is (0, 0).
  public let points: [Point]

  /// A map through points whose two coordinates strictly increase from (0, 0) on; `nil` for others.
  public init?(points: [Point]) {
    guard points.count >= 2, points[0] == Point(source: 0, output: 0) else { return nil }
    for (one, next) in zip(points, points.dropFirst()) {
      guard next.source > one.source, next.output > one.output,
        next.source.isFinite, next.output.isFinite
      else { return nil }
    }
    self.points = points
  }

  /// Where a moment of the source goes, in frames of the output; the outermost stretches reach beyond
  /// their ends.
  public func output(at source: Double) -> Double {
    var (low, high) = (0, points.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if points[middle].source <= source { low = middle } else { high = middle }
    }
    let (from, to) = (points[low], points[high])
    let slope = (to.output - from.output) / (to.source - from.source)
    return from.output + (source - from.source) * slope
  }
}

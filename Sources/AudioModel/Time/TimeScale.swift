/// A piecewise linear map from positions in a source to positions in an output, both in frames.
public struct TimeMap: Hashable, Sendable {
  /// A position in the source and its position in the output.
  public struct Point: Hashable, Sendable {
    /// The position in the source, in frames, at least 0.
    public var source: Double
    /// The position in the output, in frames, at least 0.
    public var output: Double

    /// A point that maps `source` to `output`.
    public init(source: Double, output: Double) {
      self.source = source
      self.output = output
    }
  }

  /// At least two points with strictly increasing coordinates; the first is (0, 0).
  public let points: [Point]

  /// A map through points whose coordinates strictly increase from (0, 0); `nil` for other points.
  public init?(points: [Point]) {
    guard points.count >= 2, points[0] == Point(source: 0, output: 0) else { return nil }
    for (one, next) in zip(points, points.dropFirst()) {
      guard next.source > one.source, next.output > one.output,
        next.source.isFinite, next.output.isFinite
      else { return nil }
    }
    self.points = points
  }

  /// The output position of a source position, both in frames. The first and last segments extend beyond
  /// their end points.
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

  /// The map up to the end of a source with a number of frames, without points less than a frame after the previous
  /// one; `nil` if no map remains.
  package func fitted(toFrames frames: Double) -> TimeMap? {
    let end = Point(source: frames, output: output(at: frames))
    var kept = [points[0]]
    for point in points.dropFirst() {
      guard Self.isApart(point, from: end) else { break }
      if Self.isApart(kept[kept.count - 1], from: point) { kept.append(point) }
    }
    return TimeMap(points: kept + [end])
  }

  /// True if a point is at least a frame before another, in source and output.
  private static func isApart(_ point: Point, from later: Point) -> Bool {
    later.source - point.source >= 1 && later.output - point.output >= 1
  }
}

/// The conversion of times in a source to times in the scaled output.
///
/// A time `t` in the source becomes `t * factor`, or the position that the map gives, rounded to the nearest
/// unit that can be written, and at most the end of the output.
package struct TimeScale: Hashable, Sendable {
  /// The requested output length / input length.
  package let factor: Double
  /// The length of the source, in frames.
  package let inputFrames: Int
  /// The length of the output, in frames.
  package let outputFrames: Int
  /// The sample rate of the source, in Hz.
  package let sampleRate: Int
  /// The sample rate of the output, in Hz.
  package let outputRate: Int
  /// The positions in the output, in frames of the source's sample rate; `nil` for a constant factor.
  package let map: TimeMap?
  /// The part of the source that becomes the output, in frames; `nil` for all of it. The map and the factor apply
  /// to positions in it.
  package let part: Range<Int>?
  /// Seconds of the container's timeline before the first frame: times in text are relative to the timeline, positions
  /// in frames to the first frame.
  package let delay: Double
  /// True if positions become whole frames.
  private let rounds: Bool

  /// The conversion from `inputFrames` to `outputFrames` frames by `factor`, or by a map.
  package init(
    factor: Double, inputFrames: Int, outputFrames: Int, sampleRate: Int, outputRate: Int? = nil,
    map: TimeMap? = nil, part: Range<Int>? = nil, delay: Double = 0
  ) {
    self.part = part
    self.delay = delay
    rounds = true
    self.factor = factor
    self.inputFrames = inputFrames
    self.outputFrames = outputFrames
    self.sampleRate = sampleRate
    self.outputRate = outputRate ?? sampleRate
    self.map = map
  }

  /// The conversion of positions in the source to positions in a part of it, not rounded.
  package init(part: Range<Int>, of inputFrames: Int, sampleRate: Int) {
    factor = 1
    self.inputFrames = inputFrames
    outputFrames = part.count
    self.sampleRate = sampleRate
    outputRate = sampleRate
    map = nil
    self.part = part
    delay = 0
    rounds = false
  }

  /// True if a range from `start` to `end`, in frames of the source, overlaps the part. A point at the end of
  /// the part is outside, unless the part ends with the source.
  ///
  /// Parts begin and end at whole frames, so the range is rounded to them, or one that only touches the part would stay
  /// with a length of 0.
  package func keeps(from start: Double, to end: Double) -> Bool {
    guard let part else { return true }
    let (start, end) = (start.rounded(), end.rounded())
    let isInside = start < Double(part.upperBound) || part.upperBound >= inputFrames
    return isInside && (end > Double(part.lowerBound) || start >= Double(part.lowerBound))
  }

  /// The same as ``keeps(from:to:)`` for times in units of 1 / `resolution` s.
  package func keeps(from start: Int, to end: Int, resolution: Int) -> Bool {
    let framesPerUnit = Double(sampleRate) / Double(max(1, resolution))
    let before = delay * Double(sampleRate)
    return keeps(
      from: Double(start) * framesPerUnit - before, to: Double(end) * framesPerUnit - before)
  }

  /// The start of the part on the container's timeline, in units of 1 / `resolution` s; `nil` without a part.
  package func partStart(resolution: Int) -> Double? {
    part.map { (Double($0.lowerBound) / Double(max(1, sampleRate)) + delay) * Double(resolution) }
  }

  /// The end of the source on the container's timeline, in units of 1 / `resolution` s.
  package func inputEnd(resolution: Int) -> Double {
    (Double(inputFrames) / Double(max(1, sampleRate)) + delay) * Double(resolution)
  }

  /// The length of the output, in seconds.
  package var outputSeconds: Double { Double(outputFrames) / Double(max(1, outputRate)) }

  /// The output frame of a source position in frames, from 0 to the length of the output. NaN becomes 0.
  package func frame(_ moment: Double) -> Double {
    let place = part.map { max(0, moment - Double($0.lowerBound)) } ?? moment
    var exact = map?.output(at: place) ?? place * factor
    if outputRate != sampleRate { exact = exact * Double(outputRate) / Double(max(1, sampleRate)) }
    let scaled = rounds ? exact.rounded() : exact
    return scaled > 0 ? min(scaled, Double(outputFrames)) : 0
  }

  /// The range in the output for a range in the source, in frames.
  ///
  /// The range stays within the output. A range that is not empty keeps at least one frame if the output
  /// has any.
  package func stretch(from start: Double, to end: Double) -> (start: Double, end: Double) {
    let (first, last) = (frame(start), max(frame(start), frame(end)))
    guard end > start, first == last, outputFrames > 0 else { return (first, last) }
    let begin = min(first, Double(outputFrames - 1))
    return (begin, begin + 1)
  }

  /// The output time of a source time, both in units of 1 / `resolution` s.
  ///
  /// At most the last unit within the output. A time below 0 stays below 0, unless there is a part or a map; a time
  /// before the first frame becomes 0.
  package func time(_ units: Int, resolution: Int) -> Int {
    let last = (outputSeconds * Double(resolution)).rounded(.down)
    let time = Int(exactly: min(position(units, resolution: resolution), last)) ?? 0
    return units < 0 ? time : max(0, time)
  }

  private func position(_ units: Int, resolution: Int) -> Double {
    let units = Double(units) - delay * Double(resolution)
    guard sampleRate > 0, resolution > 0, map != nil || part != nil else {
      return (units * factor).rounded()
    }
    let framesPerUnit = Double(sampleRate) / Double(resolution)
    let frame = max(0, units * framesPerUnit - Double(part?.lowerBound ?? 0))
    return ((map?.output(at: frame) ?? frame * factor) / framesPerUnit).rounded()
  }

  /// A length scaled by the factor and rounded to the nearest unit, without a limit.
  package func duration(_ units: Int) -> Double { (Double(units) * factor).rounded() }
}

/// A time map settled for one source: in its frames, and as long as it.
struct SourceTimeMap {
  /// From (0, 0) to the end of the source; points are at least a frame apart. `nil` where the source has
  /// no frames.
  let map: TimeMap?
  /// Frames of the output, to the nearest.
  let outputFrames: Int
  /// Output length / input length, before rounding.
  let factor: Double
  /// What the user should know.
  let warning: String?

  /// Times that people write down are known to the millisecond; so much may a map in seconds end before
  /// its source.
  private static let slackSeconds = 0.001
  /// A map that ends beyond so many times the source's length was hardly meant for it.
  private static let mostTimesTooLong = 100.0

  /// Settles a map for a source of so many frames at `sampleRate` Hz; `input` is what errors name.
  init(
    _ request: TimeMapRequest, frames: Int, sampleRate: Int, input: FilePath
  ) throws(ConversionError) {
    let scale = request.unit == .frames ? 1 : Double(sampleRate)
    let slack = request.unit == .frames ? 0 : Double(sampleRate) * Self.slackSeconds
    let points = request.map.points.map {
      TimeMap.Point(source: $0.source * scale, output: $0.output * scale)
    }
    let end = points[points.count - 1].source
    if end + slack < Double(frames) {
      throw .mapTooShort(input, end: end, frames: frames, sampleRate: sampleRate)
    }
    guard frames > 0 else {
      (map, outputFrames, factor, warning) = (nil, 0, 1, nil)
      return
    }
    guard let map = Self.settled(points, frames: Double(frames)) else {
      throw .cannotScale(input, .outOfRange("the points of the time map are too close together"))
    }
    let length = map.points[map.points.count - 1].output
    guard let outputFrames = Int(exactly: length.rounded(.toNearestOrEven)) else {
      throw .factorOutOfRange(input, factor: length / Double(frames))
    }
    self.map = map
    self.outputFrames = outputFrames
    factor = length / Double(frames)
    warning =
      request.unit == .seconds && end > Double(frames) * Self.mostTimesTooLong
      ? "the time map goes on far beyond the end of the audio; times in frames have an f behind them"
      : nil
  }

  /// The map up to the end of the source, without points that are less than a frame from the one before.
  private static func settled(_ points: [TimeMap.Point], frames: Double) -> TimeMap? {
    guard let whole = TimeMap(points: points) else { return nil }
    let end = TimeMap.Point(source: frames, output: whole.output(at: frames))
    var kept = [points[0]]
    for point in points.dropFirst() {
      guard isApart(point, from: end) else { break }
      if isApart(kept[kept.count - 1], from: point) { kept.append(point) }
    }
    return TimeMap(points: kept + [end])
  }

  /// Whether a point lies at least a frame before another, in source and output.
  private static func isApart(_ point: TimeMap.Point, from later: TimeMap.Point) -> Bool {
    later.source - point.source >= 1 && later.output - point.output >= 1
  }
}

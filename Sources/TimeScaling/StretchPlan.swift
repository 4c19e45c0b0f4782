#if RubberBand
  internal import AudioModel

  /// What is settled about a stretch before it begins.
  struct StretchPlan {
    /// Whether every frame goes through as it is, because neither length nor pitch is to change.
    let isIdentity: Bool
    let padding: StretchPadding
    /// Frames that the library is given: the source and the silence around it.
    let totalFrames: Int
    /// Where frames of all those go, by a map; none without one.
    let keyFrames: [(source: UInt32, output: UInt32)]

    /// Output frames / input frames, with silence on both sides.
    private let ratio: Double
    private let channelCount: Int
    private let sampleRate: Int
    private let settings: StretchSettings

    init(
      inputFrames: Int, outputFrames: Int, channelCount: Int, sampleRate: Int,
      settings: StretchSettings, map: TimeMap?
    ) throws(ScalingError) {
      self.channelCount = channelCount
      self.sampleRate = sampleRate
      self.settings = settings
      try settings.checkPitch()
      let points =
        outputFrames == 0
        ? [] : Self.points(map, inputFrames: inputFrames, outputFrames: outputFrames)
      for (one, next) in zip(points, points.dropFirst()) { try Self.checkSlope(one, next) }
      isIdentity = settings.semitones == 0 && points.allSatisfy { $0.source == $0.output }

      padding = StretchPadding(
        sampleRate: sampleRate, settings: settings,
        firstRatio: points.count < 2 ? 1 : Self.slope(points[0], points[1]))
      let (before, after) = (padding.before, padding.after)
      guard inputFrames < Int.max / 2 else { throw .outOfRange("the audio is too long") }
      totalFrames = before + inputFrames + after
      let padded = Self.padded(points, before: Double(before), after: Double(after))
      ratio = padded.last.map { $0.output / $0.source } ?? 1
      keyFrames =
        map == nil
        ? [] : try Self.keyFrames(of: Self.delayed(padded, settings, sampleRate: sampleRate))
    }

    func makeStretcher() -> Stretcher {
      Stretcher(
        ratio: ratio, channelCount: channelCount, sampleRate: sampleRate, settings: settings)
    }

    /// Where the first frame goes, where the end does, and the points of a map between.
    private static func points(
      _ map: TimeMap?, inputFrames: Int, outputFrames: Int
    ) -> [TimeMap.Point] {
      let end = TimeMap.Point(source: Double(inputFrames), output: Double(outputFrames))
      let points = map?.points ?? [TimeMap.Point(source: 0, output: 0)]
      return points.filter { $0.source <= end.source - 1 && $0.output <= end.output - 1 } + [end]
    }

    /// The points with silence before and after them, which is stretched as what is next to it.
    private static func padded(
      _ points: [TimeMap.Point], before: Double, after: Double
    ) -> [TimeMap.Point] {
      guard points.count >= 2, let end = points.last else { return [] }
      let start = before * slope(points[0], points[1])
      let tail = after * slope(points[points.count - 2], end)
      return points.map { TimeMap.Point(source: $0.source + before, output: $0.output + start) } + [
        TimeMap.Point(
          source: before + end.source + after, output: start + end.output + tail)
      ]
    }

    /// The points, each as much later than the first as attacks there come earlier.
    private static func delayed(
      _ points: [TimeMap.Point], _ settings: StretchSettings, sampleRate: Int
    ) -> [TimeMap.Point] {
      guard points.count >= 2 else { return points }
      let slopes = zip(points, points.dropFirst()).map { slope($0, $1) }
      let leads = ([slopes[0]] + slopes).map {
        settings.lead(ofAttacksAt: $0, sampleRate: sampleRate)
      }
      var delayed: [TimeMap.Point] = []
      for (point, lead) in zip(points, leads) {
        var point = point
        // Never before the point that comes before it.
        point.output = max(point.output + lead - leads[0], (delayed.last?.output ?? -1) + 1)
        delayed.append(point)
      }
      return delayed
    }

    private static func keyFrames(
      of points: [TimeMap.Point]
    ) throws(ScalingError) -> [(source: UInt32, output: UInt32)] {
      var frames: [(source: UInt32, output: UInt32)] = []
      for point in points.dropLast() {
        guard let source = UInt32(exactly: point.source.rounded()),
          let output = UInt32(exactly: point.output.rounded())
        else {
          throw .outOfRange(
            "a time map reaches as far as frame 4,294,967,295, which is 27 hours at 44.1 kHz; "
              + "cut the file, or leave the map out")
        }
        if source > 0 { frames.append((source, output)) }
      }
      return frames
    }

    private static func slope(_ one: TimeMap.Point, _ next: TimeMap.Point) -> Double {
      (next.output - one.output) / (next.source - one.source)
    }

    /// Checks a stretch of the map; lengths are whole frames, so that one more or less may belong to a
    /// factor within the range.
    private static func checkSlope(
      _ one: TimeMap.Point, _ next: TimeMap.Point
    ) throws(ScalingError) {
      let (frames, made) = (next.source - one.source, next.output - one.output)
      let range = StretchSettings.factorRange
      guard made + 1 >= range.lowerBound * frames, made - 1 <= range.upperBound * frames else {
        throw StretchSettings.outOfRange(factor: made / frames)
      }
    }
  }
#endif

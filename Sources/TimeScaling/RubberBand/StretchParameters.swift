#if RubberBand
  internal import AudioModel

  /// The parameters of a stretch.
  struct StretchParameters {
    /// True when frames pass through unchanged, because neither length nor pitch changes.
    let isIdentity: Bool
    /// The silence around the source.
    let padding: StretchPadding
    /// The number of frames for the library: the source and the silence around it.
    let totalFrames: Int
    /// The positions in the output of frames among those, from a map; empty without one.
    let keyFrames: [(source: UInt32, output: UInt32)]

    /// Output frames / input frames, including the silence.
    private let ratio: Double
    private let minimumRatio: Double
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
      minimumRatio = zip(padded, padded.dropFirst()).map { Self.slope($0, $1) }.min() ?? 1
      ratio = padded.last.map { $0.output / $0.source } ?? 1
      keyFrames =
        map == nil
        ? [] : try Self.keyFrames(of: Self.delayed(padded, settings, sampleRate: sampleRate))
    }

    func makeStretcher() -> Stretcher {
      Stretcher(
        ratio: ratio, minimumRatio: minimumRatio, channelCount: channelCount,
        sampleRate: sampleRate,
        settings: settings)
    }

    /// The positions of the first frame and the end in the output, and the points of a map between them.
    private static func points(
      _ map: TimeMap?, inputFrames: Int, outputFrames: Int
    ) -> [TimeMap.Point] {
      let end = TimeMap.Point(source: Double(inputFrames), output: Double(outputFrames))
      let points = map?.points ?? [TimeMap.Point(source: 0, output: 0)]
      return points.filter { $0.source <= end.source - 1 && $0.output <= end.output - 1 } + [end]
    }

    /// The points with silence before and after them, which has the same ratio as the adjacent segment.
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

    /// The points, delayed to compensate for early attacks, relative to the first.
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
        // Points keep their order.
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
            "a time map can have at most 4,294,967,295 frames, which is 27 hours at 44.1 kHz; "
              + "split the file, or omit the map")
        }
        if source > 0 { frames.append((source, output)) }
      }
      return frames
    }

    private static func slope(_ one: TimeMap.Point, _ next: TimeMap.Point) -> Double {
      (next.output - one.output) / (next.source - one.source)
    }

    /// Checks a segment of the map. Lengths are rounded to frames, so one frame more or less is accepted.
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

  /// The silence before and after a source, which preserves its first and last attacks, and the output of
  /// that silence, which is skipped.
  ///
  /// Without it, the R3 engine of Rubber Band 3.1.2 makes the first 23 ms too soft (-2.5 dB at frame 0, where
  /// fewer windows overlap). R3 also resets phases where a window first meets an attack, before its middle:
  /// if the audio becomes longer, attacks come early by 6 ms * (ratio - 1) (measured on clicks, castanets
  /// and noise bursts, at 44.1 and 48 kHz, for ratios up to 3: 2.8 ms at 1.5, 5.8 ms at 2). The skipped
  /// output is shorter by that time. At a ratio of 2, other rates were measured off by 1 ms (96 and
  /// 192 kHz), -2 to -2.5 ms (22.05 and 32 kHz) and -10 ms (16 kHz); these are not corrected.
  struct StretchPadding {
    /// The number of silent frames before the source.
    let before: Int
    /// The number of silent frames after the source.
    let after: Int
    /// The number of output frames to skip at the beginning.
    let outputBefore: Int

    /// The padding of a source whose first part is stretched by `firstRatio`.
    init(sampleRate: Int, settings: StretchSettings, firstRatio: Double) {
      // More than half of the longest window.
      let frames = max(Self.minimumFrames, Int(Double(min(sampleRate, 192_000)) * Self.seconds))
      after = frames
      before = frames
      outputBefore = max(
        0,
        Int(
          (Double(before) * firstRatio
            - settings.lead(ofAttacksAt: firstRatio, sampleRate: sampleRate)).rounded()))
    }

    private static var seconds: Double { 0.1 }
    private static var minimumFrames: Int { 2048 }
  }

  extension StretchSettings {
    /// The time by which attacks come early at a ratio of lengths, in output frames.
    func lead(ofAttacksAt ratio: Double, sampleRate: Int) -> Double {
      guard (44_100...48_000).contains(sampleRate) else { return 0 }
      // Pitch is shifted by stretching more, or less, and resampling the result.
      let stretch = ratio * pitchScale
      guard stretch > 1 else { return 0 }
      return 0.006 * Double(sampleRate) * (min(stretch, 3) - 1) / pitchScale
    }
  }
#endif

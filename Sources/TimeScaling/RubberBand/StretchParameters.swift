#if RubberBand
  internal import AudioModel
  import Glibc

  /// The parameters of a stretch.
  struct StretchParameters {
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

    /// - Parameters:
    ///   - inputFrames: The number of frames of the source, and of the silence before it that was resampled with it.
    ///   - leadIn: The length of that silence, in frames; 0 if there is none.
    ///   - sourceRate: The sample rate of the source before it was resampled to `sampleRate`.
    init(
      inputFrames: Int, leadIn: Double, points: [TimeMap.Point], isMapped: Bool, channelCount: Int,
      sampleRate: Int, sourceRate: Int, settings: StretchSettings
    ) throws(ScalingError) {
      self.channelCount = channelCount
      self.sampleRate = sampleRate
      self.settings = settings
      padding = StretchPadding(
        sampleRate: sampleRate, sourceRate: sourceRate, leadIn: leadIn, settings: settings,
        firstRatio: points.count < 2 ? 1 : Self.slope(points[0], points[1]))
      let (before, after) = (padding.before, padding.after)
      totalFrames = before + inputFrames + after
      let padded = Self.padded(points, before: Double(before) + leadIn, after: Double(after))
      minimumRatio = zip(padded, padded.dropFirst()).map { Self.slope($0, $1) }.min() ?? 1
      ratio = padded.last.map { $0.output / $0.source } ?? 1
      keyFrames =
        !isMapped
        ? []
        : try Self.keyFrames(
          of: Self.onHops(
            Self.delayed(padded, settings, sampleRate: sampleRate, sourceRate: sourceRate),
            settings, isShort: settings.isShort(minimumRatio: minimumRatio)))
    }

    /// The hop of R3's analysis at a ratio that counts the pitch, in frames; it calculates the same, for 44.1 kHz.
    ///
    /// - Parameter isShort: True if it is restricted to its short window.
    static func hop(atRatio ratio: Double, isShort: Bool = false) -> Double {
      let output =
        ratio > 1.5
        ? exp2(8 + 2 * log10(ratio - 0.5)) : ratio < 1 ? exp2(8 + 2 * log10(ratio)) : 256
      let preferred = isShort ? min(max(2 * output, 256), 640) : min(max(output, 128), 512)
      return min(max(1, (preferred / ratio).rounded(.down)), isShort ? 1536 : 1024)
    }

    func makeStretcher() -> Stretcher {
      Stretcher(
        ratio: ratio, minimumRatio: minimumRatio, channelCount: channelCount,
        sampleRate: sampleRate,
        settings: settings)
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
      _ points: [TimeMap.Point], _ settings: StretchSettings, sampleRate: Int, sourceRate: Int
    ) -> [TimeMap.Point] {
      guard points.count >= 2 else { return points }
      let slopes = zip(points, points.dropFirst()).map { slope($0, $1) }
      let leads = slopes.map {
        settings.lead(ofAttacksAt: $0, sampleRate: sampleRate, sourceRate: sourceRate)
      }
      var delayed: [TimeMap.Point] = []
      func add(_ source: Double, _ output: Double) {
        // Points keep their order.
        let output = max(output, (delayed.last?.output ?? -1) + 1)
        delayed.append(TimeMap.Point(source: source, output: output))
      }
      for (index, point) in points.enumerated() {
        let before = leads[max(0, index - 1)] - leads[0]
        add(point.source, point.output + before)
        guard index > 0, index < slopes.count, case let after = leads[index] - leads[0],
          after != before
        else { continue }
        // The delay of the next part is there soon after its start.
        let length = points[index + 1].source - point.source
        let step = min(Double(sampleRate) * Self.settlingSeconds, length / 2)
        add(point.source + step, point.output + step * slopes[index] + after)
      }
      return delayed
    }

    /// The points moved to where R3 can change its ratio: at the first hop that begins at a point or after it, from which
    /// on it keeps the distance to the next point, and so the error of a change that came late.
    ///
    /// The positions of the hops before and after each point are on the line through the points.
    private static func onHops(
      _ points: [TimeMap.Point], _ settings: StretchSettings, isShort: Bool
    ) -> [TimeMap.Point] {
      // Hops are counted from the first frame, before which there is nothing.
      let first = TimeMap.Point(source: 0, output: 0)
      let points = [first] + points.filter { $0.source > 0 }
      guard points.count > 2, let last = points.last else { return points }
      func hop(_ slope: Double) -> Double {
        Self.hop(atRatio: slope * settings.pitchScale, isShort: isShort)
      }
      var index = 0
      /// The output of a source position that is not before an earlier one.
      func output(at source: Double) -> Double {
        while index + 2 < points.count, points[index + 1].source <= source { index += 1 }
        let (one, next) = (points[index], points[index + 1])
        return one.output + (source - one.source) * Self.slope(one, next)
      }
      var result = [first]
      func add(_ source: Double) {
        let output = output(at: source)
        if source > result[result.count - 1].source, output > result[result.count - 1].output {
          result.append(TimeMap.Point(source: source, output: output))
        }
      }
      var position = 0.0
      while true {
        _ = output(at: position)
        let (one, next) = (points[index], points[index + 1])
        if index + 2 >= points.count { break }
        let slope = Self.slope(one, next)
        let before = position + ((next.source - position) / hop(slope)).rounded(.down) * hop(slope)
        add(before)
        // The hops that cross the point have the ratio between the positions before and after it.
        var (after, ratio) = (before, slope)
        let start = output(at: before)
        for _ in 0..<8 {
          let step = hop(ratio)
          after = before + max(1, ((next.source - before) / step).rounded(.up)) * step
          if after >= last.source { return result + [last] }
          let kept = index
          let crossing = (output(at: after) - start) / (after - before)
          index = kept
          if hop(crossing) == step { break }
          ratio = crossing
        }
        add(after)
        position = after
      }
      return result + [last]
    }

    /// The time in which the delay of one part becomes that of the next.
    private static var settlingSeconds: Double { 0.02 }

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
  }

  /// The silence before and after a source, which preserves its first and last attacks, and the output of
  /// that silence, which is skipped.
  ///
  /// Without it, the R3 engine of Rubber Band 3.1.2 makes the first 23 ms too soft (-2.5 dB at frame 0, where
  /// fewer windows overlap). R3 also resets phases where a window first meets an attack, before its middle:
  /// if the audio becomes longer, attacks come early by 6 ms * (ratio - 1) (measured on clicks, castanets
  /// and noise bursts, at 44.1 and 48 kHz, for ratios up to 3: 2.8 ms at 1.5, 5.8 ms at 2). The skipped
  /// output is shorter by that time. Where the source has no high frequencies because of its sample rate, the longer
  /// windows of the lower bands decide, and attacks move by (ratio - 1) times 1.5 ms for each octave below 44.1 kHz, or
  /// 5 ms below 16 kHz, also if the audio becomes shorter.
  struct StretchPadding {
    /// The number of silent frames before the source; 0 if it has its own silence.
    let before: Int
    /// The number of silent frames after the source.
    let after: Int
    /// The number of output frames to skip at the beginning.
    let outputBefore: Int

    /// The padding of a source whose first part is stretched by `firstRatio`.
    ///
    /// - Parameter leadIn: The length of the silence before the source that was resampled with it, in frames.
    init(
      sampleRate: Int, sourceRate: Int, leadIn: Double, settings: StretchSettings,
      firstRatio: Double
    ) {
      // More than half of the longest window.
      let frames = Int(Double(sampleRate) * Self.seconds)
      after = frames
      before = leadIn > 0 ? 0 : frames
      outputBefore = max(
        0,
        Int(
          ((Double(before) + leadIn) * firstRatio
            - settings.lead(
              ofAttacksAt: firstRatio, sampleRate: sampleRate, sourceRate: sourceRate)).rounded()))
    }

    static var seconds: Double { 0.1 }
  }

  extension StretchSettings {
    /// The time by which attacks come early at a ratio of lengths, in output frames.
    func lead(ofAttacksAt ratio: Double, sampleRate: Int, sourceRate: Int) -> Double {
      // Pitch is shifted by stretching more, or less, and resampling the result.
      let stretch = min(ratio * pitchScale, 3)
      let octaves = max(0, log2(44_100 / Double(sourceRate)))
      let seconds = (stretch > 1 ? 0.006 : 0) + (sourceRate < 16_000 ? 0.005 : 0.0015 * octaves)
      return seconds * Double(sampleRate) * (stretch - 1) / pitchScale
    }
  }
#endif

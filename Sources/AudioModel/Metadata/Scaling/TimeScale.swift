/// From the time of a source to that of what is made of it.
///
/// A moment `t` of the source becomes `t * factor`, or what the map makes of it, rounded to the nearest
/// unit that can be written, and never lies beyond the end of the output.
package struct TimeScale: Hashable, Sendable {
  /// Output length / input length, as asked.
  package let factor: Double
  /// Frames of the source.
  package let inputFrames: Int
  /// Frames of the output.
  package let outputFrames: Int
  /// In Hz; that of both.
  package let sampleRate: Int
  /// Where each moment goes, in frames; `nil` for one factor all through.
  package let map: TimeMap?

  /// The change from `inputFrames` to `outputFrames` frames by `factor`, or, from moment to moment, by a
  /// map.
  package init(
    factor: Double, inputFrames: Int, outputFrames: Int, sampleRate: Int, map: TimeMap? = nil
  ) {
    self.factor = factor
    self.inputFrames = inputFrames
    self.outputFrames = outputFrames
    self.sampleRate = sampleRate
    self.map = map
  }

  /// The length of the output, in seconds.
  package var outputSeconds: Double { Double(outputFrames) / Double(max(1, sampleRate)) }

  /// The frame of the output for a moment of the source, in frames; from 0 to the output's length.
  package func frame(_ moment: Double) -> Double {
    let scaled = (map?.output(at: moment) ?? moment * factor).rounded()
    // A NaN becomes 0.
    return scaled > 0 ? min(scaled, Double(outputFrames)) : 0
  }

  /// A stretch of the output for one of the source, in frames.
  ///
  /// Neither becomes longer than the output; a stretch that had a length keeps one of a frame at
  /// least, where there is a frame.
  package func stretch(from start: Double, to end: Double) -> (start: Double, end: Double) {
    let (first, last) = (frame(start), max(frame(start), frame(end)))
    guard end > start, first == last, outputFrames > 0 else { return (first, last) }
    let begin = min(first, Double(outputFrames - 1))
    return (begin, begin + 1)
  }

  /// A time of the output for one of the source, both counted in units of 1 / `resolution` s.
  ///
  /// It is the last unit within the output's length where the nearest would lie beyond it.
  package func time(_ units: Int, resolution: Int) -> Int {
    let last = (outputSeconds * Double(resolution)).rounded(.down)
    return Int(exactly: min(position(units, resolution: resolution), last)) ?? 0
  }

  private func position(_ units: Int, resolution: Int) -> Double {
    guard let map, sampleRate > 0, resolution > 0 else { return duration(units) }
    let framesPerUnit = Double(sampleRate) / Double(resolution)
    return (map.output(at: Double(units) * framesPerUnit) / framesPerUnit).rounded()
  }

  /// A duration that need not lie within the audio, scaled by the factor and rounded to the nearest unit.
  package func duration(_ units: Int) -> Double { (Double(units) * factor).rounded() }
}

internal import AudioModel

/// Scales a part of audio that continues, unscaled, on either side of it: leaves out what a scaler makes of the audio
/// before and after the part, and fades between the part and the frames that it replaces.
///
/// The fades are within the part. They are for scalers that do not keep the phase.
package struct JointScaler<Scaler: TimeScaler>: TimeScaler
where Scaler.Sample: BinaryFloatingPoint {
  /// The sample type of input and output.
  package typealias Sample = Scaler.Sample

  private var scaler: Scaler
  /// Frames of the scaler's output before the part, and in it.
  private let framesBefore, frameCount: Int
  /// The first and the last frames of the part as they are, interleaved; empty for no fade.
  private let first, last: [Double]
  private var skipped = 0
  private var produced = 0
  /// Memory for frames that are left out.
  private var scratch: [Sample]

  private static var scratchFrames: Int { 4096 }

  /// A scaler of the part that begins at output frame `framesBefore` of `scaler`.
  package init(
    _ scaler: Scaler, framesBefore: Int, frameCount: Int, first: [Double] = [], last: [Double] = []
  ) {
    self.scaler = scaler
    self.framesBefore = framesBefore
    self.frameCount = frameCount
    self.first = first
    self.last = last
    scratch = Array(repeating: 0, count: Self.scratchFrames * scaler.channelCount)
  }

  /// The number of channels.
  package var channelCount: Int { scaler.channelCount }
  /// True if the scaler must study all of its input first.
  package var needsStudy: Bool { scaler.needsStudy }

  /// Analyzes the next frames of the input.
  package mutating func study(_ input: Span<Sample>) throws(ScalingError) {
    try scaler.study(input)
  }

  /// Consumes frames of `input` and writes frames to `output`.
  package mutating func process(
    _ input: Span<Sample>, into output: inout MutableSpan<Sample>
  ) throws(ScalingError) -> ScalingProgress {
    var consumed = 0
    let available = input.count / channelCount
    var frames = takeScratch()
    defer { scratch = frames }
    while skipped < framesBefore {
      let capacity = min(Self.scratchFrames, framesBefore - skipped) * channelCount
      var span = frames.mutableSpan
      var target = span._mutatingExtracting(0..<capacity)
      let progress = try scaler.process(
        input.extracting(consumed * channelCount..<available * channelCount), into: &target)
      consumed += progress.consumed
      skipped += progress.produced
      if consumed == available || progress == ScalingProgress(consumed: 0, produced: 0) {
        return ScalingProgress(consumed: consumed, produced: 0)
      }
    }
    if produced == frameCount { return ScalingProgress(consumed: available, produced: 0) }
    let capacity = min(output.count / channelCount, frameCount - produced)
    var target = output._mutatingExtracting(0..<capacity * channelCount)
    let progress = try scaler.process(
      input.extracting(consumed * channelCount..<available * channelCount), into: &target)
    fade(&target, progress.produced)
    return ScalingProgress(
      consumed: consumed + progress.consumed, produced: progress.produced)
  }

  /// Writes the remaining frames, and returns their number.
  package mutating func finish(
    into output: inout MutableSpan<Sample>
  ) throws(ScalingError) -> Int {
    var frames = takeScratch()
    defer { scratch = frames }
    while skipped < framesBefore {
      let capacity = min(Self.scratchFrames, framesBefore - skipped) * channelCount
      var span = frames.mutableSpan
      var target = span._mutatingExtracting(0..<capacity)
      let made = try scaler.finish(into: &target)
      if made == 0 { return 0 }
      skipped += made
    }
    let capacity = min(output.count / channelCount, frameCount - produced)
    if capacity == 0 { return 0 }
    var target = output._mutatingExtracting(0..<capacity * channelCount)
    let made = try scaler.finish(into: &target)
    fade(&target, made)
    return made
  }

  /// The memory, which belongs to one owner at a time, so that it is not copied.
  private mutating func takeScratch() -> [Sample] {
    var taken: [Sample] = []
    swap(&taken, &scratch)
    return taken
  }

  /// Returns to the state of a new scaler.
  package mutating func reset() {
    scaler.reset()
    (skipped, produced) = (0, 0)
  }

  /// Fades the next `count` frames, and counts them.
  private mutating func fade(_ frames: inout MutableSpan<Sample>, _ count: Int) {
    let (fadeIn, fadeOut) = (first.count / channelCount, last.count / channelCount)
    for index in 0..<count {
      let place = produced + index
      if place < fadeIn {
        mix(
          &frames, index, with: first, at: place, share: Self.share(fadeIn - 1 - place, of: fadeIn))
      }
      let end = place - (frameCount - fadeOut)
      if end >= 0 { mix(&frames, index, with: last, at: end, share: Self.share(end, of: fadeOut)) }
    }
    produced += count
  }

  private func mix(
    _ frames: inout MutableSpan<Sample>, _ index: Int, with others: [Double], at place: Int,
    share: Double
  ) {
    for channel in 0..<channelCount {
      let own = Double(frames[index * channelCount + channel])
      let other = others[place * channelCount + channel]
      frames[index * channelCount + channel] = Sample(own + share * (other - own))
    }
  }

  /// The share of the frames as they are, which rises smoothly over a fade.
  private static func share(_ place: Int, of count: Int) -> Double {
    let t = (Double(place) + 0.5) / Double(count)
    return t * t * (3 - 2 * t)
  }
}

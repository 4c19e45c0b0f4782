/// The output of a vocoder that was not played yet: interleaved frames from ``first`` to ``end``.
final class StretchedFrames {
  let channelCount: Int
  private(set) var first = 0
  var end: Int { first + samples.count / channelCount }
  private var samples: [Float] = []

  /// Frames that stay behind what is heard, from which a resampler begins.
  static let historyFrames = 1024

  init(channelCount: Int) { self.channelCount = channelCount }

  /// Appends the block that a vocoder has completed, from a frame on; frames before the first are left out.
  func append(_ vocoder: Vocoder, from start: Int) {
    let first = max(0, -start)
    guard first < vocoder.blockFrames else { return }
    let place = samples.count
    samples.append(
      contentsOf: repeatElement(0, count: (vocoder.blockFrames - first) * channelCount))
    samples.withUnsafeMutableBufferPointer { buffer in
      if let base = buffer.baseAddress {
        vocoder.copyBlock(first..<vocoder.blockFrames, to: base + place)
      }
    }
  }

  /// Drops frames that are further back than the history before a place.
  func trim(before place: Double) {
    let count = min(Int(place) - Self.historyFrames, end) - first
    // Rarely, because what stays is moved.
    guard count > 8 * Self.historyFrames else { return }
    samples.removeFirst(count * channelCount)
    first += count
  }

  /// Reads the samples of frames that are present.
  func read(_ frames: Range<Int>, _ body: (UnsafeBufferPointer<Float>) -> Void) {
    let range =
      (frames.lowerBound - first) * channelCount..<(frames.upperBound - first) * channelCount
    samples.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
  }
}

/// Stretched frames at a spacing of their own, which shifts the pitch.
final class PitchedFrames {
  /// Stretched frames / output frames.
  let pitch: Double

  private let frames: StretchedFrames
  /// `nil` where every output frame is a stretched one.
  private let resampler: Resampler<Double>?
  /// The stretched frame of output frame 0, and the next one that the resampler gets.
  private let origin: Int
  private var fed: Int
  /// Output frames that were taken, or left out.
  private var done: Int
  /// Output frames to leave out, and those made, interleaved, from `taken` on.
  private var toSkip: Int
  private var ready: [Double] = []
  private var taken = 0
  private var output: [Double]

  private static let blockFrames = 512

  /// The frames from one on.
  convenience init(
    of frames: StretchedFrames, pitch: Double, from origin: Int
  ) throws(ScalingError) {
    try self.init(frames, pitch, origin: origin, leaving: 0)
  }

  /// The frames from the one nearest to a place on, with history for the resampler's filters.
  convenience init(
    of frames: StretchedFrames, pitch: Double, near place: Double
  ) throws(ScalingError) {
    if pitch == 1 {
      try self.init(frames, pitch, origin: Int(place.rounded()), leaving: 0)
      return
    }
    // Output frames lie a multiple of the spacing after a whole frame; some multiple comes nearest to the place.
    let least = Int((0.5 * Double(StretchedFrames.historyFrames) / pitch).rounded(.down))
    func distance(_ count: Int) -> Double {
      let start = place - Double(count) * pitch
      return abs(start - start.rounded())
    }
    let count = (max(1, least - 64)...max(1, least)).min { distance($0) < distance($1) } ?? 1
    let origin = max(frames.first, Int((place - Double(count) * pitch).rounded()))
    try self.init(frames, pitch, origin: origin, leaving: count)
  }

  private init(
    _ frames: StretchedFrames, _ pitch: Double, origin: Int, leaving count: Int
  ) throws(ScalingError) {
    (self.frames, self.pitch, self.origin) = (frames, pitch, origin)
    (fed, done, toSkip) = (origin, count, count)
    let channels = frames.channelCount
    resampler =
      pitch == 1
      ? nil : try Resampler<Double>(ratio: 1 / pitch, channelCount: channels, quality: .high)
    output = Array(repeating: 0, count: resampler == nil ? 0 : Self.blockFrames * channels)
  }

  /// The stretched frame where the next output frame lies.
  var place: Double { Double(origin) + Double(done) * pitch }

  /// The number of output frames that can be taken.
  var available: Int {
    resampler == nil
      ? max(0, frames.end - origin - done) : (ready.count - taken) / frames.channelCount
  }

  /// Resamples all that is there.
  func pull() {
    guard let resampler, fed < frames.end else { return }
    var input = [Double]()
    frames.read(fed..<frames.end) { input = $0.map { Double($0) } }
    fed = frames.end
    var start = 0
    while start < input.count {
      var room = output.mutableSpan
      let progress = try? resampler.process(
        input.span.extracting(start..<input.count), into: &room, capacity: Self.blockFrames)
      guard let progress, progress.consumed + progress.produced > 0 else { return }
      start += progress.consumed * frames.channelCount
      let skipped = min(toSkip, progress.produced)
      toSkip -= skipped
      ready += output[skipped * frames.channelCount..<progress.produced * frames.channelCount]
    }
  }

  /// Writes the next frames, at most those available.
  func take(_ count: Int, into target: UnsafeMutablePointer<Float>) {
    forEach(count) { index, sample in target[index] = sample }
  }

  /// Fades from what `target` has to the next frames: they begin `faded` frames after the begin of a fade of
  /// `fadeFrames`.
  func blend(
    _ count: Int, into target: UnsafeMutablePointer<Float>, from faded: Int, of fadeFrames: Int
  ) {
    let channels = frames.channelCount
    forEach(count) { index, sample in
      let weight = (Float(faded + index / channels) + 0.5) / Float(fadeFrames)
      target[index] += (sample - target[index]) * weight
    }
  }

  private func forEach(_ count: Int, _ body: (Int, Float) -> Void) {
    let channels = frames.channelCount
    if resampler == nil {
      let first = origin + done
      frames.read(first..<first + count) { samples in
        for index in samples.indices { body(index, samples[index]) }
      }
    } else {
      ready.withUnsafeBufferPointer { samples in
        for index in 0..<count * channels { body(index, Float(samples[taken + index])) }
      }
      taken += count * channels
      if taken > 8192 * channels {
        ready.removeFirst(taken)
        taken = 0
      }
    }
    done += count
  }
}

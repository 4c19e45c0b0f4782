internal import TimeScaling

/// Turns a sequence of tracks into samples of an output: at the rate that is set, and at the sample rate of the output.
final class Renderer {
  private let sequence: TrackSequence
  private let live: LiveRate
  /// Output frames / frames at the rate that is set.
  private let ratio: Double
  private let resampler: Resampler<Double>?
  private let channelCount: Int
  /// The place in the output of the first frame; frames made before and after resampling.
  private let firstOutput: Double
  private var made = 0
  private var resampled = 0
  /// The map from frames of the output to frames of the files.
  var table: PositionTable
  /// The sound that this one fades from, and the number of its samples that were used.
  private var fade: [Float]
  private var faded = 0
  /// Samples on their way to the queue, and how many of them are there already.
  private var pending: [Float] = []
  private var pendingStart = 0
  private var block: [Float]
  private var wide: [Double] = []
  private var hasFinished = false
  private let match: LevelMatch?
  /// True while the source is played in place of its result, which is not measured then.
  private var hearsSource: Bool
  /// True if the block that is made has frames between the rounds of a loop, which have no level of the file.
  private var isBetween = false
  /// The factor of the sound, and what it becomes within 10 ms.
  private var level: Float
  private var targetLevel: Float
  private let levelStep: Float

  private static var blockFrames: Int { 512 }

  /// A renderer whose first frame is `firstOutput` of the output, maybe in place of another.
  init(
    _ sequence: TrackSequence, rate: Double, semitones: Double, engine: StretchSettings.Engine,
    outputRate: Int,
    firstOutput: Int, splice: Splice? = nil, level: Float = 1, hearsSource: Bool = false,
    match: LevelMatch? = nil
  ) {
    self.sequence = sequence
    table = splice?.table ?? PositionTable()
    fade = splice?.samples ?? []
    channelCount = sequence.spec.channelCount
    live = LiveRate(sequence, rate: rate, semitones: semitones, engine: engine)
    ratio = Double(outputRate) / Double(sequence.spec.sampleRate)
    resampler =
      ratio == 1
      ? nil : try? Resampler(ratio: ratio, channelCount: channelCount, quality: .high)
    self.firstOutput = Double(firstOutput)
    (self.level, targetLevel, self.match) = (level, level, match)
    self.hearsSource = hearsSource
    levelStep = 1 / Float(max(1, outputRate / 100))
    block = Array(repeating: 0, count: Self.blockFrames * channelCount)
  }

  /// Changes the factor of the sound, within 10 ms; notes whether the source is played from now on.
  func set(level: Float, hearsSource: Bool) {
    targetLevel = level
    self.hearsSource = hearsSource
  }

  func set(rate: Double, semitones: Double) { live.set(rate: rate, semitones: semitones) }

  /// True when the queue has everything.
  var isAtEnd: Bool { hasFinished && pendingStart == pending.count }

  /// Makes the first frames, as many as a fade takes.
  func prepare() {
    let seconds = SoundQueue.fadeSeconds * ratio
    let count = Int((seconds * Double(sequence.spec.sampleRate)).rounded()) * channelCount
    while pending.count < count, !hasFinished { makeBlock() }
  }

  /// Fades from other sound to that of this renderer, which is prepared.
  func fade(from samples: [Float]) {
    (fade, faded) = (samples, 0)
    applyFade(from: 0)
  }

  /// The blocks made in one go, so that a player slower than its output still takes commands.
  private static var maximumBlocks: Int { 16 }

  /// Makes frames until the queue is full; returns whether it has room for more.
  @discardableResult
  func fill(_ queue: SoundQueue?) -> Bool {
    guard let queue else { return false }
    for _ in 0..<Self.maximumBlocks {
      let written = pending.withUnsafeBufferPointer { samples in
        queue.write(UnsafeBufferPointer(rebasing: samples[pendingStart...]))
      }
      pendingStart += written * channelCount
      if pendingStart < pending.count || hasFinished { return false }
      pending.removeAll(keepingCapacity: true)
      pendingStart = 0
      makeBlock()
    }
    return true
  }

  /// Returns the state that another renderer needs to continue at an output frame, the next one of
  /// this renderer.
  func splice(at output: Int) -> Splice {
    let count = Int(0.01 * ratio * Double(sequence.spec.sampleRate)) * channelCount
    while pending.count - pendingStart < count, !hasFinished { makeBlock() }
    table.truncate(from: output)
    return Splice(table: table, samples: Array(pending[pendingStart...].prefix(count)))
  }

  private func makeBlock() {
    let start = pending.count
    isBetween = false
    makeSamples()
    applyLevel(from: start)
    applyFade(from: start)
  }

  private func applyLevel(from start: Int) {
    if level == 1, targetLevel == 1 {
      if hearsSource || isBetween { return }
      let rate = Int(ratio * Double(sequence.spec.sampleRate))
      match?.result.add(pending[start...], channelCount: channelCount, sampleRate: rate)
      return
    }
    for frame in stride(from: start, to: pending.count, by: channelCount) {
      if level != targetLevel {
        level =
          level < targetLevel
          ? min(level + levelStep, targetLevel) : max(level - levelStep, targetLevel)
      }
      for index in frame..<frame + channelCount { pending[index] *= level }
    }
  }

  private func applyFade(from start: Int) {
    for index in start..<pending.count where faded < fade.count {
      let part = (Float(faded / channelCount) + 0.5) / Float(fade.count / channelCount)
      pending[index] = fade[faded] + (pending[index] - fade[faded]) * part
      faded += 1
    }
  }

  private func makeSamples() {
    let piece = block.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { live.produce(Self.blockFrames, into: $0) }
    }
    guard let piece else {
      hasFinished = true
      finish()
      return
    }
    place(piece)
    made += piece.frameCount
    let samples = piece.frameCount * channelCount
    if resampler == nil {
      pending.append(contentsOf: block[..<samples])
    } else {
      resample(block[..<samples])
    }
  }

  /// Adds a piece to the table.
  private func place(_ piece: LiveRate.Piece) {
    let first = Int(piece.start)
    let last = Int(piece.start + Double(piece.frameCount - 1) * piece.step)
    for (index, span) in sequence.spans(in: first..<last + 1).enumerated() {
      if span.isStill { isBetween = true }
      // The first span begins between frames, as the piece does.
      let offset = index == 0 ? 0 : (Double(span.start) - piece.start) / piece.step
      let isInside = index == 0 && !span.isStill
      let frame = Double(span.frame) + (isInside ? piece.start - Double(first) : 0)
      table.append(
        output: firstOutput + (Double(made) + offset) * ratio, track: span.track, frame: frame,
        step: span.isStill ? 0 : piece.step / ratio, round: span.round)
    }
  }

  private func resample(_ samples: ArraySlice<Float>) {
    guard let resampler else { return }
    let input = samples.map { Double($0) }
    var start = 0
    let room = Int(Double(Self.blockFrames) * ratio) + 64
    wide = Array(repeating: 0, count: room * channelCount)
    while start < input.count {
      var output = wide.mutableSpan
      let progress = try? resampler.process(
        input.span.extracting(start..<input.count), into: &output, capacity: room)
      guard let progress, progress.consumed + progress.produced > 0 else { return }
      start += progress.consumed * channelCount
      take(progress.produced)
    }
  }

  /// Makes the frames that the resampler has not delivered yet.
  private func finish() {
    guard let resampler else { return }
    let wanted = Int((Double(made) * ratio).rounded())
    let room = 512
    wide = Array(repeating: 0, count: room * channelCount)
    while resampled < wanted {
      var output = wide.mutableSpan
      guard let count = try? resampler.flush(into: &output, capacity: min(room, wanted - resampled))
      else { return }
      take(count)
    }
  }

  private func take(_ count: Int) {
    pending.append(contentsOf: wide.prefix(count * channelCount).lazy.map { Float($0) })
    resampled += count
  }
}

/// The point at which one renderer follows another without a gap.
struct Splice {
  /// The map of the frames rendered so far.
  let table: PositionTable
  /// Samples that would have followed, from which the next renderer fades.
  let samples: [Float]
}

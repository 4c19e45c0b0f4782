public import AudioModel

/// Scales time by band-limited interpolation: resampling, played at the original rate.
///
/// Output frame `i` is at exactly `i / factor` of the source: a tone of `f` becomes one of `f / factor`.
/// ``ControlPoints`` differ, and put the last frame on the last. The source is silent outside its range. If
/// audio begins at full level, its first four frames are up to 13 % off, because libsoxr's later filter stages
/// have no samples before them. The phase is linear, and the delay of the filters is compensated. At a factor
/// of 1, every sample keeps its bits.
///
/// Samples are `Float` or `Double`. Except with ``ScalingQuality/best``, libsoxr computes in single precision, and
/// the results in both types are equal.
///
/// Copies of a scaler share one resampler, so use only one of them.
///
/// Source: the SoX Resampler library, libsoxr, by Rob Sykes.
public struct SincScaler<Sample: PCMSample & BinaryFloatingPoint>: TimeScaler {
  /// The number of channels, at least 1.
  public let channelCount: Int
  /// The number of input frames, at least 0.
  public let inputFrames: Int
  /// The number of output frames, at least 0.
  public let outputFrames: Int

  private let work: Work
  private var consumed = 0
  private var produced = 0
  /// The first frame, for ``Work/hold``.
  private var first: [Sample]
  /// Output frames to leave out, and memory for them.
  private var leadIn = 0
  private var scratch: [Sample] = []
  /// Output frames for each input frame.
  private let ratio: Double

  /// The way to compute output frames.
  private enum Work {
    /// One side has at most one frame: every output frame is the first input frame.
    case hold
    /// Every output frame is the input frame of the same number.
    case copy
    /// The ratio is resampled.
    case resample(Resampler<Sample>)
  }

  /// A scaler for fixed lengths.
  ///
  /// - Parameters:
  ///   - inputFrames: The number of input frames, at least 0.
  ///   - outputFrames: The number of output frames, at least 0.
  ///   - factor: Output frames for each input frame, within 1/65536 to 65536; `nil` for
  ///     `outputFrames / inputFrames`. It decides where frames are, `outputFrames` only how many are made.
  ///   - channelCount: The number of samples in a frame, at least 1.
  ///   - quality: The filter of libsoxr.
  /// - Throws: ``ScalingError/outOfRange(_:remedy:)`` for another factor, and ``ScalingError/failed(_:)`` if
  ///   libsoxr cannot create a resampler.
  public init(
    inputFrames: Int, outputFrames: Int, factor: Double? = nil, channelCount: Int,
    quality: ScalingQuality
  ) throws(ScalingError) {
    self.channelCount = max(1, channelCount)
    self.inputFrames = max(0, inputFrames)
    self.outputFrames = self.inputFrames == 0 ? 0 : max(0, outputFrames)
    ratio = factor ?? Double(self.outputFrames) / Double(max(1, self.inputFrames))
    if self.inputFrames <= 1 || self.outputFrames <= 1 {
      work = .hold
    } else if ratio == 1 {
      work = .copy
    } else {
      work = .resample(
        try Resampler(ratio: ratio, channelCount: self.channelCount, quality: quality))
    }
    first = Array(repeating: 0, count: self.channelCount)
  }

  /// Consumes frames of `input` and writes frames to `output`.
  public mutating func process(
    _ input: Span<Sample>, into output: inout MutableSpan<Sample>
  ) throws(ScalingError) -> ScalingProgress {
    let available = min(input.count / channelCount, inputFrames - consumed)
    let capacity = min(output.count / channelCount, outputFrames - produced)
    let moved: ScalingProgress
    if produced == outputFrames {
      moved = ScalingProgress(consumed: available, produced: 0)
    } else {
      moved = try move(
        input.extracting(0..<available * channelCount), into: &output, capacity: capacity)
    }
    consumed += moved.consumed
    produced += moved.produced
    return moved
  }

  /// Begins at an output frame, after a lead-in of the filter. This is possible where a frame shortly before it is at a
  /// whole frame of the input, as it is with every factor that is a short fraction.
  ///
  /// Output frames differ from those of a run from the start because libsoxr adds in another order: by less than 2e-6
  /// of full scale, with ``ScalingQuality/fast`` 2e-5, with ``ScalingQuality/best``, which alone computes in double precision,
  /// 1e-8.
  public mutating func begin(atOutput frame: Int) -> Int? {
    let frame = min(max(0, frame), outputFrames)
    switch work {
    case .hold: consumed = 0
    case .copy: consumed = min(frame, inputFrames)
    case .resample:
      guard let start = SincStart(before: frame, ratio: ratio) else { return nil }
      consumed = min(start.input, inputFrames)
      leadIn = frame - start.output
      if scratch.isEmpty { scratch = Array(repeating: 0, count: 4096 * channelCount) }
    }
    produced = frame
    return consumed
  }

  /// Leaves out frames of the lead-in; returns how many input frames that took, and whether it is over.
  private mutating func passLeadIn(
    _ resampler: Resampler<Sample>, _ input: Span<Sample>
  ) throws(ScalingError) -> (consumed: Int, isOver: Bool) {
    let available = input.count / channelCount
    var taken = 0
    var frames: [Sample] = []
    swap(&frames, &scratch)
    defer { swap(&frames, &scratch) }
    var span = frames.mutableSpan
    while leadIn > 0 {
      let moved = try resampler.process(
        input.extracting(taken * channelCount..<available * channelCount), into: &span,
        capacity: min(leadIn, 4096))
      taken += moved.consumed
      leadIn -= moved.produced
      if moved.consumed == 0 && moved.produced == 0 { return (taken, false) }
    }
    return (taken, true)
  }

  private mutating func move(
    _ input: Span<Sample>, into output: inout MutableSpan<Sample>, capacity: Int
  ) throws(ScalingError) -> ScalingProgress {
    let available = input.count / channelCount
    switch work {
    case .hold:
      if consumed == 0 && available > 0 {
        for channel in first.indices { first[channel] = input[channel] }
      }
      return ScalingProgress(consumed: available, produced: 0)
    case .copy:
      let count = min(available, capacity)
      for i in 0..<count * channelCount { output[i] = input[i] }
      return ScalingProgress(consumed: count, produced: count)
    case .resample(let resampler):
      if leadIn == 0 { return try resampler.process(input, into: &output, capacity: capacity) }
      let passed = try passLeadIn(resampler, input)
      if !passed.isOver { return ScalingProgress(consumed: passed.consumed, produced: 0) }
      let rest = input.extracting(passed.consumed * channelCount..<available * channelCount)
      let moved = try resampler.process(rest, into: &output, capacity: capacity)
      return ScalingProgress(
        consumed: passed.consumed + moved.consumed, produced: moved.produced)
    }
  }

  /// Writes the remaining frames, and returns their number.
  public mutating func finish(into output: inout MutableSpan<Sample>) throws(ScalingError) -> Int {
    let capacity = min(output.count / channelCount, outputFrames - produced)
    guard capacity > 0 else { return 0 }
    let made: Int
    switch work {
    case .hold:
      for i in 0..<capacity * channelCount { output[i] = first[i % channelCount] }
      made = capacity
    case .copy:
      for i in 0..<capacity * channelCount { output[i] = 0 }
      made = capacity
    case .resample(let resampler):
      if leadIn > 0 { try flushLeadIn(resampler) }
      made = try resampler.flush(into: &output, capacity: capacity)
    }
    produced += made
    return made
  }

  private mutating func flushLeadIn(_ resampler: Resampler<Sample>) throws(ScalingError) {
    var frames: [Sample] = []
    swap(&frames, &scratch)
    defer { swap(&frames, &scratch) }
    var span = frames.mutableSpan
    while leadIn > 0 {
      let made = try resampler.flush(into: &span, capacity: min(leadIn, 4096))
      if made == 0 { return }
      leadIn -= made
    }
  }

  /// Returns to the state of a new scaler.
  public mutating func reset() {
    leadIn = 0
    if case .resample(let resampler) = work { resampler.clear() }
    for channel in first.indices { first[channel] = 0 }
    (consumed, produced) = (0, 0)
  }
}

/// The place from which a resampler may begin and make an output frame as if it had begun at the
/// first.
struct SincStart {
  /// The input frame, and the output frame at the same position.
  let input, output: Int

  /// Input frames that the filters of libsoxr need at a ratio of at least 1.
  private static let leadIn = 4096.0
  /// The longest lead-in, in output frames.
  private static let longest = 1 << 22

  /// The last start that leaves room for the filters; the first frame where there is no room. `nil` if none is near.
  init?(before frame: Int, ratio: Double) {
    let room = Int((Self.leadIn * max(1, ratio)).rounded(.up))
    guard frame > room else {
      (input, output) = (0, 0)
      return
    }
    guard let period = Self.period(ratio) else { return nil }
    let count = (frame - room) / period.output
    let (input, output) = (count * period.input, count * period.output)
    guard frame - output <= max(Self.longest, 2 * room) else { return nil }
    (self.input, self.output) = (input, output)
  }

  /// The least numbers of frames with this ratio, by its continued fraction; `nil` if they are large.
  private static func period(_ ratio: Double) -> (input: Int, output: Int)? {
    var (value, last, current) = (ratio, (above: 1, below: 0), (above: Int(ratio), below: 1))
    for _ in 0..<40 {
      if (Double(current.above) / Double(current.below) - ratio).magnitude <= ratio * 0x1p-52 {
        return current.above > 0 ? (current.below, current.above) : nil
      }
      let rest = value - value.rounded(.down)
      guard rest > 0 else { return nil }
      value = 1 / rest
      guard value < Double(longest) else { return nil }
      let whole = Int(value)
      (last, current) = (
        current, (whole * current.above + last.above, whole * current.below + last.below)
      )
      if max(current.above, current.below) > longest { return nil }
    }
    return nil
  }
}

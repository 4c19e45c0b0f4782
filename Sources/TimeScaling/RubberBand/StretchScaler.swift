#if RubberBand
  public import AudioModel

  /// Changes the length and keeps the pitch, or shifts it independently.
  ///
  /// Source position `t`, in frames, is at `t * L / N` of the output, or where a map puts it; attacks are
  /// there within a few milliseconds. If neither length nor pitch changes, frames pass
  /// through unchanged. Otherwise samples are processed as `Float`, and NaN becomes silence. The whole
  /// source must be studied first.
  ///
  /// Rubber Band works at 44.1 kHz. A source of a lower rate is resampled to that and back. In one of a
  /// higher rate, this is done with what the lower rate can hold; the frequencies above it, which nobody hears, are
  /// stretched beside that, in windows that are shorter in time.
  ///
  /// Source: the Rubber Band Library, by Particular Programs Ltd., which is licensed under the GPL,
  /// version 2 or later; its R3 engine.
  public struct StretchScaler: TimeScaler {
    /// The sample type of input and output.
    public typealias Sample = Double

    /// The number of channels, at least 1.
    public let channelCount: Int
    /// The number of input frames, at least 0.
    public let inputFrames: Int
    /// The number of output frames, at least 0.
    public let outputFrames: Int

    /// The scaler of the source; `nil` if frames pass through unchanged.
    private var scaler: (any TimeScaler<Double>)?
    /// The number of frames that passed through.
    private var passed = 0

    /// A scaler for fixed lengths.
    ///
    /// - Parameters:
    ///   - inputFrames: The number of input frames, at least 0.
    ///   - outputFrames: The number of output frames, at least 0.
    ///   - channelCount: The number of samples in a frame, at least 1.
    ///   - sampleRate: In Hz. Rates outside 8 to 192 kHz are treated as the nearest rate within.
    ///   - settings: The pitch shift, and the treatment of formants.
    ///   - map: The positions in the output, in frames, at most 2^32 - 1 on either side; `nil` for a
    ///     constant factor.
    /// - Throws: ``ScalingError/outOfRange(_:remedy:)`` if the settings or the lengths are out of range.
    public init(
      inputFrames: Int, outputFrames: Int, channelCount: Int, sampleRate: Int,
      settings: StretchSettings, map: TimeMap? = nil
    ) throws(ScalingError) {
      self.channelCount = max(1, channelCount)
      self.inputFrames = max(0, inputFrames)
      self.outputFrames = self.inputFrames == 0 ? 0 : max(0, outputFrames)
      try settings.checkPitch()
      guard self.inputFrames < Int.max / 16, self.outputFrames < Int.max / 16 else {
        throw .outOfRange("the audio is too long")
      }
      guard self.outputFrames > 0 else { return }
      let corners = StretchMap(
        inputFrames: self.inputFrames, outputFrames: self.outputFrames, map: map, scale: 1)
      try corners.checkSlopes(of: .r3)
      if settings.semitones == 0, corners.isIdentity { return }
      scaler = try StretchedBands(
        inputFrames: self.inputFrames, outputFrames: self.outputFrames,
        points: corners.corners.map { TimeMap.Point(source: $0.source, output: $0.output) },
        isMapped: map != nil, channelCount: self.channelCount, sampleRate: sampleRate,
        settings: settings
      ).scaler()
    }

    /// True when the length or the pitch changes.
    public var needsStudy: Bool { scaler != nil }

    /// Analyzes the next frames of the input.
    public mutating func study(_ input: Span<Double>) throws(ScalingError) {
      try scaler?.study(input)
    }

    /// Consumes frames of `input` and writes frames to `output`.
    public mutating func process(
      _ input: Span<Double>, into output: inout MutableSpan<Double>
    ) throws(ScalingError) -> ScalingProgress {
      if let progress = try scaler?.process(input, into: &output) { return progress }
      let count = min(min(input.count, output.count) / channelCount, outputFrames - passed)
      for i in 0..<count * channelCount { output[i] = input[i] }
      passed += count
      return ScalingProgress(consumed: count, produced: count)
    }

    /// Writes the remaining frames, and returns their number.
    public mutating func finish(
      into output: inout MutableSpan<Double>
    ) throws(ScalingError) -> Int {
      try scaler?.finish(into: &output) ?? 0
    }

    /// Returns to the state of a new scaler.
    public mutating func reset() {
      scaler?.reset()
      passed = 0
    }
  }

  /// The bands of a source, each stretched at a rate that suits Rubber Band.
  private struct StretchedBands {
    let inputFrames, outputFrames: Int
    let points: [TimeMap.Point]
    let isMapped: Bool
    let channelCount: Int
    let sampleRate: Int
    let settings: StretchSettings

    /// The rate whose windows and hops suit R3, and those that are not treated as the nearest one.
    ///
    /// R3 counts its windows in frames, so that they are shorter in time at higher rates, where they do not keep the
    /// harmonics of low voices apart: energy between those of 105 Hz is -16 dB at 48 kHz and -30 dB at 44.1 kHz.
    private static let (engine, supported) = (44_100, 8_000...192_000)

    func scaler() throws(ScalingError) -> any TimeScaler<Double> {
      let rate = min(max(sampleRate, Self.supported.lowerBound), Self.supported.upperBound)
      let engine = Self.engine
      if rate == engine { return try stretched(at: rate) }
      let low = try resampled(by: Double(engine) / Double(rate), to: engine)
      if rate < engine { return low }
      let high = try HighPass(
        frames: inputFrames, factor: Double(engine) / Double(rate), channelCount: channelCount)
      return SummedScalers(
        low, SuccessiveScalers(high, try stretched(at: engine), inputFrames: inputFrames),
        inputFrames: inputFrames)
    }

    /// The scaler of all frames, whatever their rate, in windows for `rate`.
    private func stretched(at rate: Int) throws(ScalingError) -> R3Scaler {
      try R3Scaler(
        inputFrames: inputFrames, outputFrames: outputFrames, points: points, isMapped: isMapped,
        channelCount: channelCount, sampleRate: rate, sourceRate: rate, settings: settings)
    }

    /// The scaler by way of `factor` times as many frames.
    ///
    /// Silence before the source goes the same way: R3 places an attack by what precedes it, and resampling spreads it.
    private func resampled(
      by factor: Double, to rate: Int
    ) throws(ScalingError) -> some TimeScaler<Double> {
      let sourceRate = Double(rate) / factor
      let hop = StretchParameters.hop(
        atRatio: (points[1].output - points[0].output) / (points[1].source - points[0].source)
          * settings.pitchScale)
      let hops = (Double(rate) * StretchPadding.seconds / hop).rounded(.up)
      let leadIn = Int((hops * hop / factor).rounded())
      // The shorter filter spreads attacks less; below 16 kHz, the steeper one leaves more of the band.
      let quality = sourceRate < 16_000 ? ScalingQuality.best : .high
      let frames = Int((Double(leadIn + inputFrames) * factor).rounded(.up))
      let made = Int((Double(outputFrames) * factor).rounded(.up))
      let there = try SincScaler<Double>(
        inputFrames: leadIn + inputFrames, outputFrames: frames, factor: factor,
        channelCount: channelCount, quality: quality)
      let stretch = try R3Scaler(
        inputFrames: frames, leadIn: Double(leadIn) * factor, outputFrames: made,
        points: points.map {
          TimeMap.Point(source: $0.source * factor, output: $0.output * factor)
        },
        isMapped: isMapped, channelCount: channelCount, sampleRate: rate,
        sourceRate: min(rate, Int(sourceRate)), settings: settings)
      let back = try SincScaler<Double>(
        inputFrames: made, outputFrames: outputFrames, factor: 1 / factor,
        channelCount: channelCount, quality: quality)
      let silence = LeadIn(silentFrames: leadIn, channelCount: channelCount)
      return SuccessiveScalers(
        SuccessiveScalers(
          SuccessiveScalers(silence, there, inputFrames: inputFrames), stretch,
          inputFrames: inputFrames), back, inputFrames: inputFrames)
    }
  }

  /// Puts silence before the frames.
  private struct LeadIn: TimeScaler {
    let silentFrames: Int
    let channelCount: Int
    /// The number of silent frames that were made.
    private var made = 0

    init(silentFrames: Int, channelCount: Int) {
      (self.silentFrames, self.channelCount) = (silentFrames, channelCount)
    }

    mutating func process(
      _ input: Span<Double>, into output: inout MutableSpan<Double>
    ) throws(ScalingError) -> ScalingProgress {
      let capacity = output.count / channelCount
      if made < silentFrames {
        let count = min(capacity, silentFrames - made)
        for i in 0..<count * channelCount { output[i] = 0 }
        made += count
        return ScalingProgress(consumed: 0, produced: count)
      }
      let count = min(capacity, input.count / channelCount)
      for i in 0..<count * channelCount { output[i] = input[i] }
      return ScalingProgress(consumed: count, produced: count)
    }

    mutating func finish(into output: inout MutableSpan<Double>) throws(ScalingError) -> Int { 0 }

    mutating func reset() { made = 0 }
  }
#endif

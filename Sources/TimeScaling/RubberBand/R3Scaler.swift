#if RubberBand
  public import AudioModel

  /// Changes the length and keeps the pitch, or shifts it independently.
  ///
  /// Source position `t`, in frames, is at `t * L / N` of the output, or where a map puts it; attacks are
  /// there within a few milliseconds. If neither length nor pitch changes, frames pass
  /// through unchanged. Otherwise samples are processed as `Float`, and NaN becomes silence. The whole
  /// source must be studied first.
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

    private let parameters: StretchParameters
    /// Created when it is first needed; `nil` while frames pass through unchanged.
    private var stretcher: Stretcher?
    /// The numbers of frames studied and consumed, including the padding before the source.
    private var studied = 0
    private var taken = 0
    /// The numbers of frames written, and of frames skipped because they come from the padding.
    private var produced = 0
    private var skipped = 0

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
      parameters = try StretchParameters(
        inputFrames: self.inputFrames, outputFrames: self.outputFrames,
        channelCount: self.channelCount, sampleRate: sampleRate, settings: settings, map: map)
    }

    /// True when the length or the pitch changes.
    public var needsStudy: Bool { !parameters.isIdentity }

    /// Analyzes the next frames of the input.
    public mutating func study(_ input: Span<Double>) throws(ScalingError) {
      if parameters.isIdentity { return }
      let stretcher = ready()
      while studied < parameters.padding.before {
        let count = min(stretcher.room, parameters.padding.before - studied)
        stretcher.putSilence(count)
        studied += count
        stretcher.study(isLast: false)
      }
      var start = 0
      let frames = min(
        input.count / channelCount, parameters.padding.before + inputFrames - studied)
      while start < frames {
        let count = min(stretcher.room, frames - start)
        stretcher.put(input, from: start, count: count)
        start += count
        studied += count
        stretcher.study(isLast: false)
      }
    }

    /// Consumes frames of `input` and writes frames to `output`.
    public mutating func process(
      _ input: Span<Double>, into output: inout MutableSpan<Double>
    ) throws(ScalingError) -> ScalingProgress {
      let available = min(input.count / channelCount, inputFrames - sourceTaken)
      let capacity = min(output.count / channelCount, outputFrames - produced)
      if parameters.isIdentity {
        let count = min(available, capacity)
        for i in 0..<count * channelCount { output[i] = input[i] }
        taken += count
        produced += count
        return ScalingProgress(consumed: count, produced: count)
      }
      if available == 0, stretcher == nil { return ScalingProgress(consumed: 0, produced: 0) }
      let stretcher = try studiedStretcher()
      var progress = ScalingProgress(consumed: 0, produced: 0)
      while true {
        if stretcher.available > 0 {
          if !drain(stretcher, into: &output, capacity, &progress.produced) { return progress }
        } else if taken < parameters.padding.before {
          takeSilence(stretcher, upTo: parameters.padding.before)
        } else if progress.consumed < available {
          let count = min(stretcher.lacking, available - progress.consumed)
          stretcher.put(input, from: progress.consumed, count: count)
          progress.consumed += count
          taken += count
          processIfReady(stretcher)
        } else {
          return progress
        }
      }
    }

    /// Writes the remaining frames, and returns their number.
    public mutating func finish(
      into output: inout MutableSpan<Double>
    ) throws(ScalingError) -> Int {
      let capacity = min(output.count / channelCount, outputFrames - produced)
      if parameters.isIdentity || capacity <= 0 { return 0 }
      let stretcher = try studiedStretcher()
      var made = 0
      while made < capacity {
        if stretcher.available > 0 {
          _ = drain(stretcher, into: &output, capacity, &made)
        } else if taken < parameters.totalFrames {
          takeSilence(stretcher, upTo: parameters.totalFrames)
        } else {
          // The padding is long enough that this is never reached, but the length must be exact.
          for i in made * channelCount..<capacity * channelCount { output[i] = 0 }
          produced += capacity - made
          made = capacity
        }
      }
      return made
    }

    /// Returns to the state of a new scaler.
    public mutating func reset() {
      stretcher = nil
      (studied, taken, produced, skipped) = (0, 0, 0, 0)
    }

    /// The number of source frames consumed.
    private var sourceTaken: Int {
      parameters.isIdentity ? taken : max(0, taken - parameters.padding.before)
    }

    private mutating func ready() -> Stretcher {
      if let stretcher { return stretcher }
      let made = parameters.makeStretcher()
      stretcher = made
      return made
    }

    /// The stretcher. Before the first frame is processed, ends its study with the silence after the source.
    private mutating func studiedStretcher() throws(ScalingError) -> Stretcher {
      let stretcher = ready()
      if studied == parameters.totalFrames { return stretcher }
      guard studied == parameters.padding.before + inputFrames else {
        throw .failed("Rubber Band cannot process audio before it has studied all of it")
      }
      while studied < parameters.totalFrames {
        let count = min(stretcher.room, parameters.totalFrames - studied)
        stretcher.putSilence(count)
        studied += count
        stretcher.study(isLast: studied == parameters.totalFrames)
      }
      if !parameters.keyFrames.isEmpty { stretcher.map(parameters.keyFrames) }
      return stretcher
    }

    /// Processes silence up to a frame of the padded source, as much as the library requires.
    private mutating func takeSilence(_ stretcher: Stretcher, upTo end: Int) {
      let count = min(stretcher.lacking, end - taken)
      stretcher.putSilence(count)
      taken += count
      processIfReady(stretcher)
    }

    private func processIfReady(_ stretcher: Stretcher) {
      let isLast = taken == parameters.totalFrames
      if isLast || stretcher.lacking == 0 { stretcher.process(isLast: isLast) }
    }

    /// Retrieves finished frames; returns whether there were any and `output` had room.
    private mutating func drain(
      _ stretcher: Stretcher, into output: inout MutableSpan<Double>, _ capacity: Int,
      _ made: inout Int
    ) -> Bool {
      if skipped < parameters.padding.outputBefore {
        skipped += stretcher.skip(
          min(stretcher.available, parameters.padding.outputBefore - skipped))
        return true
      }
      let count = stretcher.retrieve(
        min(stretcher.available, capacity - made), into: &output, at: made)
      made += count
      produced += count
      return count > 0
    }
  }
#endif

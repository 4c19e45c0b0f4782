#if RubberBand
  public import AudioModel

  /// Changes duration and leaves the pitch, or moves it on its own.
  ///
  /// A moment `t` of the source, in frames, comes at `t * L / N` of the output, or where a map puts it;
  /// attacks do within a few milliseconds (``StretchPadding``). Where neither the length nor the pitch
  /// is to change, every frame goes through as it is. Otherwise samples are reckoned with in `Float`,
  /// and what is no number is taken for silence. The whole source must be studied first.
  ///
  /// Source: the Rubber Band Library, by Particular Programs Ltd., which is licensed under the GPL,
  /// version 2 or later; its R3 engine, or for ``ScalingQuality/fast`` its R2 engine.
  public struct StretchScaler: TimeScaler {
    public typealias Sample = Double

    public let channelCount: Int
    public let inputFrames: Int
    public let outputFrames: Int

    private let plan: StretchPlan
    /// Made when it is first needed; `nil` before that, and where frames go through as they are.
    private var stretcher: Stretcher?
    /// Frames of the source studied and taken, those of the padding before it included.
    private var studied = 0
    private var taken = 0
    /// Frames made, without those that come of the padding, which are left out.
    private var produced = 0
    private var skipped = 0

    /// A scaler from `inputFrames` to `outputFrames` frames of `channelCount` samples, at least 1.
    ///
    /// - Parameters:
    ///   - sampleRate: In Hz; beyond 8 to 192 kHz, audio is treated like that of the nearest rate.
    ///   - settings: The engine, and what becomes of pitch, formants and attacks.
    ///   - map: Where moments of the source go, in frames; `nil` for all in proportion. At most 2^32 - 1
    ///     frames long on either side.
    /// - Throws: ``ScalingError/outOfRange(_:)`` where the settings or the lengths are.
    public init(
      inputFrames: Int, outputFrames: Int, channelCount: Int, sampleRate: Int,
      settings: StretchSettings, map: TimeMap? = nil
    ) throws(ScalingError) {
      self.channelCount = max(1, channelCount)
      self.inputFrames = max(0, inputFrames)
      self.outputFrames = self.inputFrames == 0 ? 0 : max(0, outputFrames)
      plan = try StretchPlan(
        inputFrames: self.inputFrames, outputFrames: self.outputFrames,
        channelCount: self.channelCount, sampleRate: sampleRate, settings: settings, map: map)
    }

    public var needsStudy: Bool { !plan.isIdentity }

    public mutating func study(_ input: Span<Double>) throws(ScalingError) {
      if plan.isIdentity { return }
      let stretcher = ready()
      while studied < plan.padding.before {
        let count = min(stretcher.room, plan.padding.before - studied)
        stretcher.putSilence(count)
        studied += count
        stretcher.study(isLast: false)
      }
      var start = 0
      let frames = min(input.count / channelCount, plan.padding.before + inputFrames - studied)
      while start < frames {
        let count = min(stretcher.room, frames - start)
        stretcher.put(input, from: start, count: count)
        start += count
        studied += count
        stretcher.study(isLast: false)
      }
    }

    public mutating func process(
      _ input: Span<Double>, into output: inout MutableSpan<Double>
    ) throws(ScalingError) -> ScalingProgress {
      let available = min(input.count / channelCount, inputFrames - sourceTaken)
      let capacity = min(output.count / channelCount, outputFrames - produced)
      if plan.isIdentity {
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
        } else if taken < plan.padding.before {
          takeSilence(stretcher, upTo: plan.padding.before)
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

    public mutating func finish(
      into output: inout MutableSpan<Double>
    ) throws(ScalingError) -> Int {
      let capacity = min(output.count / channelCount, outputFrames - produced)
      if plan.isIdentity || capacity <= 0 { return 0 }
      let stretcher = try studiedStretcher()
      var made = 0
      while made < capacity {
        if stretcher.available > 0 {
          _ = drain(stretcher, into: &output, capacity, &made)
        } else if taken < plan.totalFrames {
          takeSilence(stretcher, upTo: plan.totalFrames)
        } else {
          // The padding is long enough that this is never reached; lengths are exact all the same.
          for i in made * channelCount..<capacity * channelCount { output[i] = 0 }
          produced += capacity - made
          made = capacity
        }
      }
      return made
    }

    public mutating func reset() {
      stretcher = nil
      (studied, taken, produced, skipped) = (0, 0, 0, 0)
    }

    /// Frames of the source that were taken.
    private var sourceTaken: Int {
      plan.isIdentity ? taken : max(0, taken - plan.padding.before)
    }

    private mutating func ready() -> Stretcher {
      if let stretcher { return stretcher }
      let made = plan.makeStretcher()
      stretcher = made
      return made
    }

    /// The stretcher, whose study is ended with the silence after the source before anything is taken.
    private mutating func studiedStretcher() throws(ScalingError) -> Stretcher {
      let stretcher = ready()
      if studied == plan.totalFrames { return stretcher }
      guard studied == plan.padding.before + inputFrames else {
        throw .failed("Rubber Band was to stretch what it had not studied")
      }
      while studied < plan.totalFrames {
        let count = min(stretcher.room, plan.totalFrames - studied)
        stretcher.putSilence(count)
        studied += count
        stretcher.study(isLast: studied == plan.totalFrames)
      }
      if !plan.keyFrames.isEmpty { stretcher.map(plan.keyFrames) }
      return stretcher
    }

    /// Takes silence up to a frame of the padded source, as far as the library asks for it.
    private mutating func takeSilence(_ stretcher: Stretcher, upTo end: Int) {
      let count = min(stretcher.lacking, end - taken)
      stretcher.putSilence(count)
      taken += count
      processIfReady(stretcher)
    }

    private func processIfReady(_ stretcher: Stretcher) {
      let isLast = taken == plan.totalFrames
      if isLast || stretcher.lacking == 0 { stretcher.process(isLast: isLast) }
    }

    /// Moves what the library has made; whether anything could be moved.
    private mutating func drain(
      _ stretcher: Stretcher, into output: inout MutableSpan<Double>, _ capacity: Int,
      _ made: inout Int
    ) -> Bool {
      if skipped < plan.padding.outputBefore {
        skipped += stretcher.skip(
          min(stretcher.available, plan.padding.outputBefore - skipped))
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

#if RubberBand
  internal import AudioModel

  /// Stretches by Rubber Band's R3 engine, at a rate that suits it.
  ///
  /// R3 counts its hops in frames, and decides by them where an attack is. At 44.1 kHz, attacks come where
  /// ``StretchPadding`` puts them. The whole input must be studied first.
  struct R3Scaler: TimeScaler {
    let channelCount: Int
    private let inputFrames: Int
    private let outputFrames: Int

    private let parameters: StretchParameters
    /// Created when it is first needed.
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
    ///   - inputFrames: The number of frames of the source, and of the silence before it, at least 1.
    ///   - leadIn: The length of that silence, in frames; 0 if there is none.
    ///   - points: The positions of the first frame, of points between and of the end, in frames.
    ///   - isMapped: True if the factor changes at the points between.
    ///   - sampleRate: The rate for which R3 chooses its windows, in Hz.
    ///   - sourceRate: The rate of the source before it was resampled to that one, in Hz.
    init(
      inputFrames: Int, leadIn: Double = 0, outputFrames: Int, points: [TimeMap.Point],
      isMapped: Bool,
      channelCount: Int, sampleRate: Int, sourceRate: Int, settings: StretchSettings
    ) throws(ScalingError) {
      (self.inputFrames, self.outputFrames) = (inputFrames, outputFrames)
      self.channelCount = channelCount
      parameters = try StretchParameters(
        inputFrames: inputFrames, leadIn: leadIn, points: points, isMapped: isMapped,
        channelCount: channelCount,
        sampleRate: sampleRate, sourceRate: sourceRate, settings: settings)
    }

    var needsStudy: Bool { true }

    /// Analyzes the next frames of the input.
    mutating func study(_ input: Span<Double>) throws(ScalingError) {
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
    mutating func process(
      _ input: Span<Double>, into output: inout MutableSpan<Double>
    ) throws(ScalingError) -> ScalingProgress {
      let available = min(input.count / channelCount, inputFrames - sourceTaken)
      let capacity = min(output.count / channelCount, outputFrames - produced)
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
    mutating func finish(
      into output: inout MutableSpan<Double>
    ) throws(ScalingError) -> Int {
      let capacity = min(output.count / channelCount, outputFrames - produced)
      if capacity <= 0 { return 0 }
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
    mutating func reset() {
      stretcher = nil
      (studied, taken, produced, skipped) = (0, 0, 0, 0)
    }

    /// The number of source frames consumed.
    private var sourceTaken: Int { max(0, taken - parameters.padding.before) }

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

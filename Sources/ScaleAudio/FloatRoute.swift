/// Moves one file's frames from its reader to its writer in floating point, in as many passes as it
/// takes: by methods that work so, and by all where the level of the whole file decides.
struct FloatRoute {
  let reader: any AudioFileReader
  let writer: any AudioFileWriter
  let plan: ScalingPlan
  /// What errors of the scaler name.
  let path: FilePath

  /// Moves everything.
  ///
  /// `onBlock` is told the input frames done so far, of all passes together in proportion, and may stop
  /// the work. `reopen` gives the source from its beginning.
  func run(
    onBlock: (Int) throws(ConversionError) -> Void,
    reopen: () throws(ConversionError) -> any AudioFileReader
  ) throws(ConversionError) -> RouteOutcome {
    switch plan.method {
    case .sinc(let quality):
      var scalers = try sincScalers(quality)
      return try run(&scalers, onBlock, reopen)
    case .stretch(let settings):
      #if RubberBand
        var scalers = [
          try scaling(path) { () throws(ScalingError) in
            try StretchScaler(
              inputFrames: plan.inputFrames, outputFrames: plan.output.frameCount,
              channelCount: plan.output.spec.channelCount,
              sampleRate: plan.output.spec.sampleRate, settings: settings, map: plan.timeMap)
          }
        ]
        return try run(&scalers, onBlock, reopen)
      #else
        // `ScalingPlan` has refused it already.
        _ = settings
        try scaling(path) { () throws(ScalingError) in try plan.method.check(factor: plan.factor) }
        return RouteOutcome()
      #endif
    case .smoothstep:
      var scalers = [InterpolatingScaler<Double>(plan, .smoothstep)]
      return try run(&scalers, onBlock, reopen)
    case .linear:
      var scalers = [InterpolatingScaler<Double>(plan, .linear)]
      return try run(&scalers, onBlock, reopen)
    }
  }

  /// The scalers of this method, which works on every channel by itself: one for each core, as far as there
  /// are channels and other threads could help.
  private func sincScalers(
    _ quality: ScalingQuality
  ) throws(ConversionError) -> [SincScaler] {
    let channels = plan.output.spec.channelCount
    let isShort = BlockPump<SincScaler>.isShort(
      plan.inputFrames, channels: reader.source.spec.channelCount)
    let count = isShort ? 1 : min(channels, CoreBudget.shared.cores)
    var scalers: [SincScaler] = []
    for index in 0..<count {
      let first = channels * index / count
      let end = channels * (index + 1) / count
      scalers.append(
        try scaling(path) { () throws(ScalingError) in
          try SincScaler(
            inputFrames: plan.inputFrames, outputFrames: plan.output.frameCount,
            channelCount: end - first, quality: quality)
        })
    }
    return scalers
  }

  private func run<Scaler: TimeScaler>(
    _ scalers: inout [Scaler], _ onBlock: (Int) throws(ConversionError) -> Void,
    _ reopen: () throws(ConversionError) -> any AudioFileReader
  ) throws(ConversionError) -> RouteOutcome where Scaler.Sample == Double {
    var passes = Passes(
      (scalers[0].needsStudy ? 2 : 1) * (plan.level == nil ? 1 : 2), frameCount: plan.inputFrames)
    var gain: Double?
    if let level = plan.level {
      gain = try self.gain(level, &scalers, &passes, onBlock, reopen)
      for index in scalers.indices { scalers[index].reset() }
      if gain == nil, let interpolation = plan.method.interpolation {
        let clipping = try SampleRoute(
          reader: reader, writer: writer, plan: plan, interpolation: interpolation, path: path
        ).run { (frames) throws(ConversionError) in try onBlock(passes.progress(frames)) }
        return RouteOutcome(clipping: clipping)
      }
    }
    try study(&scalers, &passes, onBlock, reopen)
    let clipping = try store(&scalers, gain: gain) { (frames) throws(ConversionError) in
      try onBlock(passes.progress(frames))
    }
    return RouteOutcome(clipping: clipping, gain: gain)
  }

  /// Shows the scaler the whole source, where it needs that.
  private func study<Scaler: TimeScaler>(
    _ scalers: inout [Scaler], _ passes: inout Passes,
    _ onBlock: (Int) throws(ConversionError) -> Void,
    _ reopen: () throws(ConversionError) -> any AudioFileReader
  ) throws(ConversionError) where Scaler.Sample == Double {
    guard scalers[0].needsStudy else { return }
    try pump(Scaler.self, read: samples(of: try reopen())) { _ in }.study(with: &scalers[0]) {
      (frames) throws(ConversionError) in try onBlock(passes.progress(frames))
    }
    passes.advance()
  }

  /// Scales everything without writing it, and returns what a rule makes of its peaks.
  private func gain<Scaler: TimeScaler>(
    _ level: LevelRule, _ scalers: inout [Scaler], _ passes: inout Passes,
    _ onBlock: (Int) throws(ConversionError) -> Void,
    _ reopen: () throws(ConversionError) -> any AudioFileReader
  ) throws(ConversionError) -> Double? where Scaler.Sample == Double {
    try study(&scalers, &passes, onBlock, reopen)
    let source = try reopen()
    let channels = source.source.spec.channelCount
    let read = samples(of: source)
    var (peaksRead, peaks) = (PeakMeter(), PeakMeter())
    try pump(Scaler.self) { (buffer) throws(AudioFileError) in
      let frames = try read(&buffer)
      peaksRead.measure(buffer.span.extracting(0..<frames * channels))
      return frames
    } write: { frames in
      peaks.measure(frames)
    }.run(&scalers) { (frames) throws(ConversionError) in try onBlock(passes.progress(frames)) }
    passes.advance()
    let wouldRound = plan.samples.roundsToInt16 && !plan.samples.forcesInt16
    return level.gain(
      for: peaks,
      in: LevelRange(of: plan.samples.stored, dither: plan.samples.ditherOfGain),
      isClippedWhenRead: wouldRound && LevelRange(of: .int16).isExceeded(by: peaksRead))
  }

  /// Stores what the scaler makes, in the samples of a lossless output or as a lossy encoder takes it.
  private func store<Scaler: TimeScaler>(
    _ scalers: inout [Scaler], gain: Double?, _ onBlock: (Int) throws(ConversionError) -> Void
  ) throws(ConversionError) -> Clipping where Scaler.Sample == Double {
    switch plan.samples.stored {
    case .int8: try store(Int8.self, &scalers, gain, onBlock)
    case .int16: try store(Int16.self, &scalers, gain, onBlock)
    case .int24: try store(Int24.self, &scalers, gain, onBlock)
    case .int32: try store(Int32.self, &scalers, gain, onBlock)
    case .float32: try store(Float.self, &scalers, gain, onBlock)
    case .float64, nil: try store(Double.self, &scalers, gain, onBlock)
    }
  }

  private func store<Stored: PCMSample, Scaler: TimeScaler>(
    _: Stored.Type, _ scalers: inout [Scaler], _ gain: Double?,
    _ onBlock: (Int) throws(ConversionError) -> Void
  ) throws(ConversionError) -> Clipping where Scaler.Sample == Double {
    let dither = gain == nil ? plan.samples.dither : plan.samples.ditherOfGain
    var output = QuantizedOutput<Stored>(writer, dither: dither, gain: gain ?? 1)
    try pump(Scaler.self, read: samples(of: reader)) { (frames) throws(AudioFileError) in
      try output.write(frames)
    }.run(&scalers, onBlock: onBlock)
    return output.clipping
  }

  /// Reads a source's samples as they are, or rounded to 16 bits where that was asked for.
  private func samples(
    of reader: any AudioFileReader
  ) -> (inout MutableSpan<Double>) throws(AudioFileError) -> Int {
    if plan.samples.forcesInt16 {
      var rounded = RoundedSource(reader)
      return { (buffer) throws(AudioFileError) in try rounded.read(into: &buffer) }
    }
    return { (buffer) throws(AudioFileError) in try reader.read(into: &buffer) }
  }

  private func pump<Scaler: TimeScaler>(
    _: Scaler.Type,
    read: @escaping (inout MutableSpan<Double>) throws(AudioFileError) -> Int,
    write: @escaping (Span<Double>) throws(AudioFileError) -> Void
  ) -> BlockPump<Scaler> where Scaler.Sample == Double {
    BlockPump<Scaler>(
      plan: plan, sourceChannels: reader.source.spec.channelCount, path: path, read: read,
      write: write)
  }
}

/// Moves one file's frames from its reader to its writer by a method that works in floating point, in
/// as many passes as it takes.
struct FloatRoute {
  let reader: any AudioFileReader
  let writer: any AudioFileWriter
  let plan: ScalingPlan
  /// What errors of the scaler name.
  let path: FilePath

  /// Moves everything; returns how many samples were clamped when they were stored.
  ///
  /// `onBlock` is told the input frames done so far, of all passes together in proportion, and may stop
  /// the work. `reopen` gives the source from its beginning.
  func run(
    onBlock: (Int) throws(ConversionError) -> Void,
    reopen: () throws(ConversionError) -> any AudioFileReader
  ) throws(ConversionError) -> Int {
    switch plan.method {
    case .sinc(let quality):
      var scaler = try scaling { () throws(ScalingError) in
        try SincScaler(
          inputFrames: plan.inputFrames, outputFrames: plan.output.frameCount,
          channelCount: plan.output.spec.channelCount, quality: quality)
      }
      return try run(&scaler, onBlock, reopen)
    case .stretch(let settings):
      #if RubberBand
        var scaler = try scaling { () throws(ScalingError) in
          try StretchScaler(
            inputFrames: plan.inputFrames, outputFrames: plan.output.frameCount,
            channelCount: plan.output.spec.channelCount,
            sampleRate: plan.output.spec.sampleRate, settings: settings)
        }
        return try run(&scaler, onBlock, reopen)
      #else
        // `ScalingPlan` has refused it already.
        _ = settings
        try scaling { () throws(ScalingError) in try plan.method.check(factor: plan.factor) }
        return 0
      #endif
    case .smoothstep, .linear:
      // `SampleRoute` does these.
      return 0
    }
  }

  private func run<Scaler: TimeScaler>(
    _ scaler: inout Scaler, _ onBlock: (Int) throws(ConversionError) -> Void,
    _ reopen: () throws(ConversionError) -> any AudioFileReader
  ) throws(ConversionError) -> Int where Scaler.Sample == Double {
    let passes = scaler.needsStudy ? 2 : 1
    if scaler.needsStudy {
      try pump(from: try reopen(), Scaler.self) { _ in }.study(with: &scaler) {
        (frames) throws(ConversionError) in try onBlock(frames / passes)
      }
    }
    let framesBefore = plan.inputFrames * (passes - 1)
    func report(_ frames: Int) throws(ConversionError) {
      try onBlock((framesBefore + frames) / passes)
    }
    switch plan.samples.stored {
    case .int8: return try store(Int8.self, &scaler, report)
    case .int16: return try store(Int16.self, &scaler, report)
    case .int24: return try store(Int24.self, &scaler, report)
    case .int32: return try store(Int32.self, &scaler, report)
    case .float32: return try store(Float.self, &scaler, report)
    case .float64: return try store(Double.self, &scaler, report)
    case nil:
      let writer = writer
      try pump(from: reader, Scaler.self) { (frames) throws(AudioFileError) in
        try writer.write(frames)
      }.run(&scaler, onBlock: report)
      return 0
    }
  }

  /// Stores what the scaler makes in the samples of a lossless output.
  private func store<Stored: PCMSample, Scaler: TimeScaler>(
    _: Stored.Type, _ scaler: inout Scaler, _ onBlock: (Int) throws(ConversionError) -> Void
  ) throws(ConversionError) -> Int where Scaler.Sample == Double {
    var output = QuantizedOutput<Stored>(writer, dither: plan.samples.dither)
    try pump(from: reader, Scaler.self) { (frames) throws(AudioFileError) in
      try output.write(frames)
    }.run(&scaler, onBlock: onBlock)
    return output.clippedSamples
  }

  private func pump<Scaler: TimeScaler>(
    from reader: any AudioFileReader, _: Scaler.Type,
    _ write: @escaping (Span<Double>) throws(AudioFileError) -> Void
  ) -> BlockPump<Scaler> where Scaler.Sample == Double {
    var rounded = RoundedSource(reader)
    let isRounded = plan.samples.roundsToInt16
    return BlockPump<Scaler>(
      plan: plan, sourceChannels: reader.source.spec.channelCount, path: path,
      read: { (buffer) throws(AudioFileError) in
        isRounded ? try rounded.read(into: &buffer) : try reader.read(into: &buffer)
      },
      write: write)
  }

  private func scaling<Result>(
    _ work: () throws(ScalingError) -> Result
  ) throws(ConversionError) -> Result {
    do throws(ScalingError) {
      return try work()
    } catch {
      throw .cannotScale(path, error)
    }
  }
}

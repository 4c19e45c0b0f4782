/// Moves one file's frames from its reader to its writer by interpolation between neighboring frames,
/// in the types that a plan settled.
struct SampleRoute {
  let reader: any AudioFileReader
  let writer: any AudioFileWriter
  let plan: ScalingPlan
  let interpolation: Interpolation
  /// What errors of the scaler name.
  let path: FilePath

  /// Moves everything; returns which samples were clamped when they were stored.
  ///
  /// `onBlock` is told the input frames done so far, and may stop the work.
  func run(onBlock: (Int) throws(ConversionError) -> Void) throws(ConversionError) -> Clipping {
    if let stored = plan.samples.stored, stored != plan.samples.scaled {
      switch stored {
      case .int8: return try quantize(to: Int8.self, onBlock)
      case .int16: return try quantize(to: Int16.self, onBlock)
      case .int24: return try quantize(to: Int24.self, onBlock)
      case .int32: return try quantize(to: Int32.self, onBlock)
      case .float32: return try quantize(to: Float.self, onBlock)
      case .float64: return try quantize(to: Double.self, onBlock)
      }
    }
    switch plan.samples.scaled {
    case .int8: try keep(Int8.self, onBlock)
    case .int16: try keep(Int16.self, onBlock)
    case .int24: try keep(Int24.self, onBlock)
    case .int32: try keep(Int32.self, onBlock)
    case .float32: try keep(Float.self, onBlock)
    case .float64: try keep(Double.self, onBlock)
    }
    return Clipping()
  }

  /// Scales samples in the type in which they are read and stored.
  private func keep<Sample: PCMSample>(
    _: Sample.Type, _ onBlock: (Int) throws(ConversionError) -> Void
  ) throws(ConversionError) {
    let (reader, writer) = (reader, writer)
    var scalers = [InterpolatingScaler<Sample>(plan, interpolation)]
    try BlockPump<InterpolatingScaler<Sample>>(
      plan: plan, sourceChannels: reader.source.spec.channelCount, path: path,
      read: { (buffer) throws(AudioFileError) in try reader.read(into: &buffer) },
      write: { (frames) throws(AudioFileError) in try writer.write(frames) }
    ).run(&scalers, onBlock: onBlock)
  }

  /// Scales samples in `Double`, into which all others go exactly, and rounds them once.
  private func quantize<Stored: PCMSample>(
    to _: Stored.Type, _ onBlock: (Int) throws(ConversionError) -> Void
  ) throws(ConversionError) -> Clipping {
    let reader = reader
    var rounded = RoundedSource(reader)
    var output = QuantizedOutput<Stored>(writer, dither: plan.samples.dither)
    let isRounded = plan.samples.roundsToInt16
    var scalers = [InterpolatingScaler<Double>(plan, interpolation)]
    try BlockPump<InterpolatingScaler<Double>>(
      plan: plan, sourceChannels: reader.source.spec.channelCount, path: path,
      read: { (buffer) throws(AudioFileError) in
        isRounded ? try rounded.read(into: &buffer) : try reader.read(into: &buffer)
      },
      write: { (frames) throws(AudioFileError) in try output.write(frames) }
    ).run(&scalers, onBlock: onBlock)
    return output.clipping
  }
}

extension InterpolatingScaler {
  /// The scaler that a plan asks for.
  init(_ plan: ScalingPlan, _ interpolation: Interpolation) {
    self.init(
      points: ControlPoints(
        inputFrames: plan.inputFrames, outputFrames: plan.output.frameCount,
        interpolation: interpolation),
      channelCount: plan.output.spec.channelCount)
  }
}

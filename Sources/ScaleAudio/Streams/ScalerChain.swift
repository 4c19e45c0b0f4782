internal import AudioIO
internal import AudioModel
internal import SystemPackage
internal import TimeScaling

/// The scalers of a conversion that samples go through in floating point, one after another.
struct ScalerChain {
  /// The method's scaler, and a scaler that changes the sample rate if the output has another.
  let steps: [any BlockScaler]
  /// True when every output sample can be represented as `Float`.
  let makesFloats: Bool
  /// The type of the output samples.
  var format: SampleFormat { steps.last?.format ?? .float64 }
  /// The number of cores that the scalers themselves offer work to.
  let coresOffered: Int

  /// True when the source must be passed to ``study(_:)`` before it is scaled.
  var needsStudy: Bool { steps.contains(where: \.needsStudy) }

  /// Analyzes the frames of a block of the source.
  func study(_ block: Block) throws(ScalingError) {
    try steps.first?.study(block)
  }

  /// Returns to the state of a fresh chain.
  func reset() {
    for scaler in steps { scaler.reset() }
  }

  /// The chain that a plan requires.
  ///
  /// - Parameters:
  ///   - path: The input, for errors.
  ///   - isShort: True when one thread would end before another could help.
  ///   - edges: The frames into which a piece fades.
  init(
    _ plan: ConversionPlan, path: FilePath, isShort: Bool, edges: PieceEdges = PieceEdges()
  ) throws(ConversionError) {
    let maker = ScalerMaker(plan: plan, isShort: isShort, edges: edges)
    let scaler = try ConversionError.scaling(path, try maker.scaler())
    coresOffered = maker.spareCores == nil ? 0 : 1
    guard let quality = plan.rateQuality else {
      steps = [scaler]
      makesFloats = scaler.needsStudy || scaler.format == .float32
      return
    }
    let last = try ConversionError.scaling(path, try maker.rateScaler(quality))
    steps = [scaler, last]
    makesFloats = last.format == .float32
  }
}

/// Makes the scalers of one conversion, for floating point.
private struct ScalerMaker {
  let plan: ConversionPlan
  let isShort: Bool
  let edges: PieceEdges

  private var channels: Int { plan.output.spec.channelCount }

  /// The scaler of the method.
  func scaler() throws(ScalingError) -> any BlockScaler {
    switch plan.method {
    case .smoothstep: interpolating(.smoothstep)
    case .linear: interpolating(.linear)
    case .sinc(let quality):
      // A change of the sample rate also changes the spacing.
      try resampler(from: plan.inputFrames, factor: plan.factor * plan.rateRatio, quality)
    case .stretch(let settings): try stretching(settings)
    }
  }

  /// The scaler that changes the sample rate of the method's output.
  func rateScaler(_ quality: ScalingQuality) throws(ScalingError) -> any BlockScaler {
    try resampler(from: plan.scaledFrames, factor: plan.rateRatio, quality)
  }

  private func interpolating(_ interpolation: Interpolation) -> any BlockScaler {
    SampleFormat.float64.interpolatingScaler(
      plan.controlPoints(interpolation), channelCount: channels)
  }

  /// A scaler in parts that each scale their own channels: one for each core, up to the number of channels, if other
  /// threads can help.
  private func resampler(
    from inputFrames: Int, factor: Double, _ quality: ScalingQuality
  ) throws(ScalingError) -> any BlockScaler {
    // Where libsoxr computes in single precision, the result is the same, and half of the memory is moved.
    quality == .best
      ? try resampler(Double.self, from: inputFrames, factor: factor, quality)
      : try resampler(Float.self, from: inputFrames, factor: factor, quality)
  }

  private func resampler<Sample: PCMSample & BinaryFloatingPoint>(
    _: Sample.Type, from inputFrames: Int, factor: Double, _ quality: ScalingQuality
  ) throws(ScalingError) -> any BlockScaler {
    let count = isShort ? 1 : min(channels, CoreBudget.shared.cores)
    var scalers: [any BlockScaler] = []
    for index in 0..<count {
      let (first, end) = (channels * index / count, channels * (index + 1) / count)
      let before = plan.context?.outputBefore ?? 0
      let scaler = try SincScaler<Sample>(
        inputFrames: inputFrames, outputFrames: before + plan.output.frameCount,
        factor: factor, channelCount: end - first, quality: quality)
      scalers.append(joined(scaler))
    }
    return scalers.count == 1 ? scalers[0] : ChannelScaler(scalers)
  }

  /// A scaler of the whole source, or of a piece with its context.
  private func joined<Sample: PCMSample & BinaryFloatingPoint>(
    _ scaler: some TimeScaler<Sample>
  ) -> any BlockScaler {
    guard let context = plan.context else { return SampleScaler(scaler) }
    return SampleScaler(
      JointScaler(
        scaler, framesBefore: context.outputBefore, frameCount: plan.output.frameCount,
        first: edges.first, last: edges.last))
  }

  /// The cores that a scaler may offer work to; `nil` for a method that offers none.
  var spareCores: CoreBudget? {
    guard case .stretch(let settings) = plan.method, settings.engine == .vocoder, !isShort,
      CoreBudget.shared.cores > 1
    else { return nil }
    return .shared
  }

  private func stretching(_ settings: StretchSettings) throws(ScalingError) -> any BlockScaler {
    if settings.engine == .vocoder {
      return joined(
        try VocoderScaler(
          inputFrames: plan.inputFrames, outputFrames: plan.scaledFrames, channelCount: channels,
          sampleRate: plan.sourceRate, semitones: settings.semitones,
          formants: settings.formants, map: plan.timeMap,
          cores: spareCores))
    }
    #if RubberBand
      return joined(
        try StretchScaler(
          inputFrames: plan.inputFrames, outputFrames: plan.scaledFrames,
          channelCount: channels, sampleRate: plan.sourceRate, settings: settings,
          map: plan.timeMap))
    #else
      // `ConversionPlan` has already refused the method.
      throw .failed("this build has no Rubber Band")
    #endif
  }
}

extension CoreBudget: SpareCores {}

extension ConversionPlan {
  /// The positions in the source of the frames of the output.
  func controlPoints(_ interpolation: Interpolation) -> ControlPoints {
    ControlPoints(
      inputFrames: inputFrames, outputFrames: scaledFrames, interpolation: interpolation)
  }
}

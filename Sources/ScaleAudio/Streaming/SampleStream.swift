internal import AudioIO
internal import AudioModel
internal import SystemPackage
internal import TimeScaling

/// The samples of one conversion on their way from reader to writer: builds the stages that a plan asks for,
/// and runs them in as many passes through the source as that takes.
struct SampleStream {
  /// The way to report source frames done so far; it may throw to stop the work.
  typealias Progress = (Int) throws(ConversionError) -> Void

  /// What the stream made of the samples.
  struct Result {
    /// Samples that were clamped when they were stored.
    var clipping = Clipping()
    /// The factor of every sample; `nil` where the level stayed as it was.
    var gain: Double?
  }

  /// Samples in a block, over all channels.
  private static let blockSamples = 32768
  /// Blocks between two stages.
  private static let queueLength = 6

  let plan: ConversionPlan
  let reader: any AudioFileReader
  let writer: any AudioFileWriter
  /// The input that scaling errors name.
  let path: FilePath

  private var channels: Int { plan.output.spec.channelCount }
  private var sourceChannels: Int { reader.source.spec.channelCount }
  private var blockFrames: Int { max(16, Self.blockSamples / sourceChannels) }
  /// Whether one thread is done before another could help.
  private var isShort: Bool { plan.inputFrames <= 8 * blockFrames }

  // MARK: - Passes

  /// Moves everything.
  ///
  /// A pass before the last measures the level, if the plan depends on it; for a scaler that must study its
  /// input, another pass comes before each of these.
  ///
  /// - Parameters:
  ///   - onBlock: Called after each block with the source frames done so far, all passes in proportion.
  ///   - reopen: Opens the source at its beginning, for passes before the last.
  func run(
    onBlock: Progress, reopen: () throws(ConversionError) -> any AudioFileReader
  ) throws(ConversionError) -> Result {
    if plan.level == nil, let interpolation = plan.method.interpolation {
      return Result(clipping: try interpolate(interpolation, onBlock))
    }
    let scalers = try makeScalers()
    let needsStudy = scalers[0].needsStudy
    var passes = PassProgress(
      count: (needsStudy ? 2 : 1) * (plan.level == nil ? 1 : 2), frameCount: plan.inputFrames)
    func report(_ frames: Int) throws(ConversionError) {
      try onBlock(passes.frames(whenDone: frames))
    }
    var gain: Double?
    if let level = plan.level {
      if needsStudy {
        try study(try reopen(), with: scalers[0], report)
        passes.advance()
      }
      gain = try self.gain(level, of: try reopen(), scalers, report)
      passes.advance()
      for scaler in scalers { scaler.reset() }
      if gain == nil, let interpolation = plan.method.interpolation {
        return Result(clipping: try interpolate(interpolation, report))
      }
    }
    if needsStudy {
      try study(try reopen(), with: scalers[0], report)
      passes.advance()
    }
    return Result(clipping: try store(scalers, gain: gain, report), gain: gain)
  }

  /// Interpolates between neighboring frames, in the types of sample that the plan settled; returns what
  /// was clamped.
  private func interpolate(
    _ interpolation: Interpolation, _ onBlock: Progress
  ) throws(ConversionError) -> Clipping {
    let formats = plan.samples
    let scaled = formats.scaled
    let scaler = scaled.interpolatingScaler(
      controlPoints(interpolation), channelCount: channels)
    let (input, output): (any BlockReader, any BlockWriter)
    if let stored = formats.stored, stored != scaled {
      // All samples fit into `Double` exactly, and are rounded once.
      input = doubles(of: reader, roundsToInt16: formats.roundsToInt16)
      output = stored.quantizingWriter(writer, channelCount: channels, dither: formats.dither)
    } else {
      input = scaled.blockReader(reader, mergeWeights: plan.mergeWeights)
      output = scaled.blockWriter(writer, channelCount: channels)
    }
    try move(input, through: [scaler], to: output, as: scaled, onBlock)
    return output.clipping
  }

  /// Shows a scaler the whole source.
  private func study(
    _ source: any AudioFileReader, with scaler: any BlockScaler, _ onBlock: Progress
  ) throws(ConversionError) {
    let queue = makeQueue(.float64, channels: sourceChannels)
    let input = doubles(of: source, roundsToInt16: plan.samples.forcesInt16)
    try Pipeline(
      [ReadingStage(input, into: queue), StudyingStage(scaler, from: queue, path: path)],
      isShort: isShort
    ).run(onBlock: onBlock)
  }

  /// Scales everything without writing it, and returns the gain that a rule derives from its peaks.
  private func gain(
    _ level: LevelRule, of source: any AudioFileReader, _ scalers: [any BlockScaler],
    _ onBlock: Progress
  ) throws(ConversionError) -> Double? {
    let formats = plan.samples
    let input = DoubleReader(
      source, mergeWeights: plan.mergeWeights, roundsToInt16: formats.forcesInt16,
      measuresPeaks: formats.roundsToInt16 && !formats.forcesInt16)
    let output = PeakRecorder(channelCount: channels)
    try move(input, through: scalers, to: output, as: .float64, onBlock)
    return level.gain(
      for: output.peaks, in: LevelRange(of: formats.stored, dither: formats.ditherOfGain),
      isClippedWhenRead: input.peaks.map { LevelRange(of: .int16).isExceeded(by: $0) } ?? false)
  }

  /// Stores what floating-point scalers make, as the samples of a lossless output or as a lossy encoder
  /// takes them; returns what was clamped.
  private func store(
    _ scalers: [any BlockScaler], gain: Double?, _ onBlock: Progress
  ) throws(ConversionError) -> Clipping {
    let formats = plan.samples
    let output = (formats.stored ?? .float64).quantizingWriter(
      writer, channelCount: channels,
      dither: gain == nil ? formats.dither : formats.ditherOfGain, gain: gain ?? 1)
    try move(
      doubles(of: reader, roundsToInt16: formats.forcesInt16), through: scalers, to: output,
      as: .float64, onBlock)
    return output.clipping
  }

  private func doubles(of source: any AudioFileReader, roundsToInt16: Bool) -> any BlockReader {
    DoubleReader(source, mergeWeights: plan.mergeWeights, roundsToInt16: roundsToInt16)
  }

  // MARK: - Scalers

  /// The scalers of the method, for `Double`. Each scales the channels that follow those of the one before.
  private func makeScalers() throws(ConversionError) -> [any BlockScaler] {
    switch plan.method {
    case .smoothstep: [floatingPoint(.smoothstep)]
    case .linear: [floatingPoint(.linear)]
    case .sinc(let quality): try ConversionError.scaling(path, sincScalers(quality))
    case .stretch(let settings):
      try ConversionError.scaling(path, [stretchScaler(settings)])
    }
  }

  private func floatingPoint(_ interpolation: Interpolation) -> any BlockScaler {
    SampleFormat.float64.interpolatingScaler(
      controlPoints(interpolation), channelCount: channels)
  }

  private func controlPoints(_ interpolation: Interpolation) -> ControlPoints {
    ControlPoints(
      inputFrames: plan.inputFrames, outputFrames: plan.output.frameCount,
      interpolation: interpolation)
  }

  /// Scalers of channels of their own: one for each core, up to the number of channels, where other threads
  /// could help.
  private func sincScalers(
    _ quality: ScalingQuality
  ) throws(ScalingError) -> [any BlockScaler] {
    let count = isShort ? 1 : min(channels, CoreBudget.shared.cores)
    var scalers: [any BlockScaler] = []
    for index in 0..<count {
      let (first, end) = (channels * index / count, channels * (index + 1) / count)
      scalers.append(
        SampleScaler(
          try SincScaler(
            inputFrames: plan.inputFrames, outputFrames: plan.output.frameCount,
            factor: plan.factor, channelCount: end - first, quality: quality)))
    }
    return scalers
  }

  private func stretchScaler(
    _ settings: StretchSettings
  ) throws(ScalingError) -> any BlockScaler {
    #if RubberBand
      SampleScaler(
        try StretchScaler(
          inputFrames: plan.inputFrames, outputFrames: plan.output.frameCount,
          channelCount: channels, sampleRate: plan.output.spec.sampleRate, settings: settings,
          map: plan.timeMap))
    #else
      // `ConversionPlan` has refused the method already.
      throw .failed("this build has no Rubber Band")
    #endif
  }

  // MARK: - Stages

  /// Moves everything through the stages of one pass.
  ///
  /// Several scalers are alike except for their numbers of channels; each gets a core where one is free.
  private func move(
    _ input: any BlockReader, through scalers: [any BlockScaler], to output: any BlockWriter,
    as format: SampleFormat, _ onBlock: Progress
  ) throws(ConversionError) {
    let source = makeQueue(format, channels: sourceChannels)
    let scaled = makeQueue(format, channels: channels)
    var stages: [any PipelineStage] = []
    if scalers.count == 1 {
      stages = [ScalingStage(scalers[0], from: source, into: scaled, path: path)]
    } else {
      let scaling = scalers.map { scaler in
        ScalingStage(
          scaler, from: makeQueue(format, channels: scaler.channelCount),
          into: makeQueue(format, channels: scaler.channelCount), path: path)
      }
      let groups = channelGroups(scalers)
      stages.append(SplittingStage(from: source, into: scaling.map { $0.input }, groups: groups))
      stages += scaling
      stages.append(
        JoiningStage(from: scaling.map { $0.output }, into: scaled, groups: groups, path: path))
    }
    stages.insert(ReadingStage(input, into: source), at: 0)
    stages.append(WritingStage(output, from: scaled))
    try Pipeline(stages, isShort: isShort).run(onBlock: onBlock)
  }

  /// The channels of each of several scalers.
  private func channelGroups(_ scalers: [any BlockScaler]) -> [Range<Int>] {
    var groups: [Range<Int>] = []
    for scaler in scalers {
      let start = groups.last?.upperBound ?? 0
      groups.append(start..<start + scaler.channelCount)
    }
    return groups
  }

  private func makeQueue(_ format: SampleFormat, channels: Int) -> BlockQueue {
    BlockQueue(
      capacity: Self.queueLength, bytesInBlock: blockFrames * channels * format.byteCount)
  }
}

/// The progress of several passes through a source, as if they were one.
private struct PassProgress {
  /// The number of passes, at least 1.
  let count: Int
  /// Source frames of each pass.
  let frameCount: Int
  private var done = 0

  init(count: Int, frameCount: Int) {
    self.count = count
    self.frameCount = frameCount
  }

  /// The source frames of all passes in proportion, when `frames` of the current one are done; `frameCount`
  /// after the last.
  func frames(whenDone frames: Int) -> Int {
    // Divided first, so that no product leaves the range of Int.
    frameCount / count * done + (frameCount % count * done + frames) / count
  }

  /// Goes on to the next pass.
  mutating func advance() { done += 1 }
}

internal import AudioIO
internal import AudioModel
internal import SystemPackage
internal import TimeScaling

/// The samples of one conversion on their way from reader to writer: builds the stages that a plan requires,
/// and runs them in as many passes through the source as necessary.
struct SampleStream {
  /// Reports the source frames done so far; may throw to stop the work.
  typealias Progress = (Int) throws(ConversionError) -> Void

  /// The result of processing the samples.
  struct Result {
    /// Samples that were clamped when they were stored.
    var clipping = Clipping()
    /// The factor of every sample; `nil` if the level stayed.
    var gain: Double?
    /// The number of samples that were not finite in readers other than the stream's own.
    var nonFiniteSamples = 0
    /// The level before the gain; `nil` if it was not measured.
    var level: ScaledLevel?
  }

  /// Samples in a block, over all channels.
  private static let blockSamples = 32768
  /// Blocks between two stages.
  private static let queueLength = 6
  /// The maximum number of bytes kept from scalers that are about as fast as a disk: what memory can cache.
  private static let maximumBytesKeptOfFastScalers: Int64 = 1 << 30

  let plan: ConversionPlan
  let reader: any FrameStream
  let writer: any AudioFileWriter
  /// The input, for scaling errors.
  let path: FilePath
  /// The frames into which a piece fades.
  var edges = PieceEdges()

  private var channels: Int { plan.output.spec.channelCount }
  private var sourceChannels: Int { reader.source.spec.channelCount }
  private var blockFrames: Int { max(16, Self.blockSamples / sourceChannels) }
  /// Whether one thread would end before another could help.
  private var isShort: Bool { plan.inputFrames <= 8 * blockFrames }

  // MARK: - Passes

  /// Processes all samples.
  ///
  /// If the plan depends on the level, a pass before the last measures it. If scaling again would cost
  /// more, that pass keeps the scaled samples for the last pass. A scaler that must study its input
  /// does so in a separate pass before each pass that scales.
  ///
  /// - Parameters:
  ///   - onBlock: Called after each block with the number of source frames done so far, in proportion over all
  ///     passes.
  ///   - reopen: Opens the source at its beginning, for the passes before the last one.
  func run(
    onBlock: Progress, reopen: () throws(ConversionError) -> any FrameStream
  ) throws(ConversionError) -> Result {
    if plan.level == nil, let interpolation = plan.interpolation {
      return Result(clipping: try interpolate(interpolation, from: reader, onBlock))
    }
    let chain = try ScalerChain(plan, path: path, isShort: isShort, edges: edges)
    guard let level = plan.level else {
      var passes = PassProgress(count: chain.needsStudy ? 2 : 1, frameCount: plan.inputFrames)
      func report(_ frames: Int) throws(ConversionError) {
        try onBlock(passes.frames(whenDone: frames))
      }
      if chain.needsStudy {
        try study(try reopen(), with: chain, report)
        passes.advance()
      }
      return Result(clipping: try store(from: reader, chain, gain: nil, report))
    }
    return try run(chain, level, onBlock, reopen)
  }

  /// Processes all samples at a level that a rule derives from the scaled samples.
  private func run(
    _ chain: ScalerChain, _ level: LevelRule, _ onBlock: Progress,
    _ reopen: () throws(ConversionError) -> any FrameStream
  ) throws(ConversionError) -> Result {
    var spool = makeSpool(for: chain)
    let studies = chain.needsStudy ? 1 : 0
    var passes = PassProgress(
      count: spool == nil ? 2 + 2 * studies : 2 + studies, frameCount: plan.inputFrames)
    func report(_ frames: Int) throws(ConversionError) {
      try onBlock(passes.frames(whenDone: frames))
    }
    if chain.needsStudy {
      try study(try reopen(), with: chain, report)
      passes.advance()
    }
    // The last reader of the source counts its non-finite samples.
    let isLast = spool != nil
    let measured = try measure(
      level, of: isLast ? reader : try reopen(), chain, keptIn: &spool, report)
    let gain = measured.gain
    passes.advance()
    if let spool {
      let clipping = try store(
        SpoolReader(spool), channels: channels, through: [], gain: gain
      ) { frames throws(ConversionError) in
        try report(sourceFrames(whenStored: frames))
      }
      return Result(clipping: clipping, gain: gain, level: measured.level)
    }
    let source = isLast ? try reopen() : reader
    if gain == nil, let interpolation = plan.interpolation {
      let clipping = try interpolate(interpolation, from: source, report)
      return Result(clipping: clipping, level: measured.level)
    }
    chain.reset()
    if chain.needsStudy {
      try study(try reopen(), with: chain, report)
      passes.advance()
    }
    let clipping = try store(from: source, chain, gain: gain, report)
    return Result(clipping: clipping, gain: gain, level: measured.level)
  }

  /// A spool for the output of a chain; `nil` if it would not save time, or if there is no room.
  private func makeSpool(for chain: ScalerChain) -> SampleSpool? {
    if plan.interpolation != nil || isShort { return nil }
    return SampleSpool(
      frameCount: plan.output.frameCount, channelCount: channels,
      as: chain.makesFloats ? .float32 : .float64,
      limit: chain.needsStudy ? .max : Self.maximumBytesKeptOfFastScalers)
  }

  /// The number of source frames that correspond to a number of stored frames.
  private func sourceFrames(whenStored frames: Int) -> Int {
    if frames >= plan.output.frameCount { return plan.inputFrames }
    let part = Double(frames) / Double(plan.output.frameCount)
    return min(plan.inputFrames, Int(part * Double(plan.inputFrames)))
  }

  /// Interpolates between neighboring frames, in the sample types that the plan chose; returns the clamped
  /// samples.
  private func interpolate(
    _ interpolation: Interpolation, from source: any FrameStream, _ onBlock: Progress
  ) throws(ConversionError) -> Clipping {
    let formats = plan.samples
    let scaled = formats.scaled
    let scaler = scaled.interpolatingScaler(
      plan.controlPoints(interpolation), channelCount: channels)
    let (input, output): (any BlockReader, any BlockWriter)
    if let stored = formats.stored, stored != scaled {
      // All samples fit exactly into `Double` and are rounded once.
      input = doubles(of: source, roundsToInt16: formats.roundsToInt16)
      output = stored.quantizingWriter(writer, channelCount: channels, dither: formats.dither)
    } else {
      input = scaled.blockReader(source, mergeWeights: plan.mergeWeights)
      output = scaled.blockWriter(writer, channelCount: channels)
    }
    try move(input, through: [[scaler]], to: output, as: scaled, onBlock)
    return output.clipping
  }

  /// Passes the whole source to a chain for study.
  private func study(
    _ source: any FrameStream, with chain: ScalerChain, _ onBlock: Progress
  ) throws(ConversionError) {
    let queue = makeQueue(.float64, channels: sourceChannels)
    let input = doubles(of: source, roundsToInt16: plan.samples.forcesInt16)
    try Pipeline(
      [ReadingStage(input, into: queue), StudyingStage(chain, from: queue, path: path)],
      isShort: isShort
    ).run(onBlock: onBlock)
  }

  /// Scales all samples without writing them, except into a spool. Returns their level, and the gain that a rule
  /// derives from it. A spool that the file system has no room for becomes `nil`.
  private func measure(
    _ rule: LevelRule, of source: any FrameStream, _ chain: ScalerChain,
    keptIn spool: inout SampleSpool?, _ onBlock: Progress
  ) throws(ConversionError) -> (level: ScaledLevel, gain: Double?) {
    let formats = plan.samples
    let input = DoubleReader(
      source, mergeWeights: plan.mergeWeights, roundsToInt16: formats.forcesInt16,
      measuresPeaks: formats.roundsToInt16 && !formats.forcesInt16)
    let meter =
      rule.needsLoudness
      ? LoudnessMeter(plan.output.spec, frameCount: plan.output.frameCount) : nil
    let output = LevelRecorder(channelCount: channels, loudness: meter, keepingIn: spool)
    spool = nil
    try move(
      input, through: chain.steps, coresOffered: chain.coresOffered, to: output, as: .float64,
      onBlock)
    spool = output.spool
    let level = output.level
    let gain = rule.gain(
      for: level, in: LevelRange(of: formats.stored, dither: formats.ditherOfGain),
      isClippedWhenRead: input.peaks.map { LevelRange(of: .int16).isExceeded(by: $0) } ?? false)
    return (level, gain)
  }

  /// Scales and stores a source.
  private func store(
    from source: any FrameStream, _ chain: ScalerChain, gain: Double?, _ onBlock: Progress
  ) throws(ConversionError) -> Clipping {
    let input = doubles(of: source, roundsToInt16: plan.samples.forcesInt16)
    return try store(
      input, channels: sourceChannels, through: chain.steps, coresOffered: chain.coresOffered,
      gain: gain, onBlock)
  }

  /// Stores the output of floating-point scalers, as the samples of a lossless output or in the form that a lossy
  /// encoder takes; returns the clamped samples.
  private func store(
    _ input: any BlockReader, channels count: Int, through steps: [[any BlockScaler]],
    coresOffered: Int = 0, gain: Double?, _ onBlock: Progress
  ) throws(ConversionError) -> Clipping {
    let formats = plan.samples
    let output = (formats.stored ?? .float64).quantizingWriter(
      writer, channelCount: channels,
      dither: gain == nil ? formats.dither : formats.ditherOfGain, gain: gain ?? 1)
    try move(
      input, channels: count, through: steps, coresOffered: coresOffered, to: output, as: .float64,
      onBlock)
    return output.clipping
  }

  private func doubles(of source: any FrameStream, roundsToInt16: Bool) -> any BlockReader {
    DoubleReader(source, mergeWeights: plan.mergeWeights, roundsToInt16: roundsToInt16)
  }

  // MARK: - Stages

  /// Processes all samples through the stages of one pass.
  ///
  /// Several scalers of a step differ only in their channels; each gets a core if one is free.
  private func move(
    _ input: any BlockReader, channels count: Int? = nil, through steps: [[any BlockScaler]],
    coresOffered: Int = 0, to output: any BlockWriter, as format: SampleFormat, _ onBlock: Progress
  ) throws(ConversionError) {
    var queue = makeQueue(format, channels: count ?? sourceChannels)
    var stages: [any PipelineStage] = [ReadingStage(input, into: queue)]
    for scalers in steps {
      let scaled = makeQueue(format, channels: channels)
      stages += scalingStages(scalers, from: queue, into: scaled, as: format)
      queue = scaled
    }
    stages.append(WritingStage(output, from: queue))
    try Pipeline(stages, isShort: isShort, coresLeft: coresOffered).run(onBlock: onBlock)
  }

  /// The stages of one step.
  private func scalingStages(
    _ scalers: [any BlockScaler], from source: BlockQueue, into scaled: BlockQueue,
    as format: SampleFormat
  ) -> [any PipelineStage] {
    if scalers.count == 1 {
      return [ScalingStage(scalers[0], from: source, into: scaled, path: path)]
    }
    let scaling = scalers.map { scaler in
      ScalingStage(
        scaler, from: makeQueue(format, channels: scaler.channelCount),
        into: makeQueue(format, channels: scaler.channelCount), path: path)
    }
    let groups = channelGroups(scalers)
    return [SplittingStage(from: source, into: scaling.map { $0.input }, groups: groups)] + scaling
      + [JoiningStage(from: scaling.map { $0.output }, into: scaled, groups: groups, path: path)]
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

  /// The source frames of all passes in proportion, when `frames` of the current pass are done; `frameCount`
  /// after the last pass.
  func frames(whenDone frames: Int) -> Int {
    // Divides first, so that no product exceeds the range of `Int`.
    frameCount / count * done + (frameCount % count * done + frames) / count
  }

  /// Moves on to the next pass.
  mutating func advance() { done += 1 }
}

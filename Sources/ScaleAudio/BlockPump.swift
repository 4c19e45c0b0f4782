/// Moves one file's frames from its source through a scaler to its output, a block at a time.
struct BlockPump<Scaler: TimeScaler> {
  typealias Sample = Scaler.Sample

  /// Samples in a block, over all channels.
  private static var blockSamples: Int { 32768 }
  /// Blocks between two stages.
  private static var queueLength: Int { 6 }
  let plan: ScalingPlan
  let sourceChannels: Int
  /// What errors of the scaler name.
  let path: FilePath
  /// Fills a buffer with the source's next frames; returns how many, 0 only at the end.
  let read: ReadingStage<Sample>.Read
  /// Takes the output's next frames.
  let write: (Span<Sample>) throws(AudioFileError) -> Void

  /// Whether a source of so many frames is done with before another thread could help.
  static func isShort(_ inputFrames: Int, channels: Int) -> Bool {
    inputFrames <= 8 * max(16, blockSamples / channels)
  }

  private var channels: Int { plan.output.spec.channelCount }
  private var blockFrames: Int { max(16, Self.blockSamples / sourceChannels) }
  private var isShort: Bool { Self.isShort(plan.inputFrames, channels: sourceChannels) }

  /// Shows the scaler everything; `onBlock` is told the input frames shown so far, and may stop the
  /// work.
  func study(
    with scaler: inout Scaler, onBlock: (Int) throws(ConversionError) -> Void
  ) throws(ConversionError) {
    let source = makeQueue(channels: sourceChannels)
    let student = StudyingStage(scaler, from: source, path: path)
    defer { scaler = student.scaler }
    try Pipeline([reading(into: source), student], isShort: isShort).run(onBlock: onBlock)
  }

  /// Moves everything; `onBlock` is told the input frames done so far, and may stop the work.
  ///
  /// Of several scalers, which are alike but for their numbers of channels, each scales the channels that
  /// follow those of the one before, on a core of its own where there is one.
  func run(
    _ scalers: inout [Scaler], onBlock: (Int) throws(ConversionError) -> Void
  ) throws(ConversionError) {
    let source = makeQueue(channels: sourceChannels)
    let output = makeQueue(channels: channels)
    let scaling =
      scalers.count == 1
      ? [ScalingStage(scalers[0], from: source, into: output, path: path)]
      : scalers.map { scaler in
        ScalingStage(
          scaler, from: makeQueue(channels: scaler.channelCount),
          into: makeQueue(channels: scaler.channelCount), path: path)
      }
    defer { scalers = scaling.map { $0.scaler } }
    var stages: [any PipelineStage] = scaling
    if scaling.count > 1 {
      let groups = channelGroups(scalers)
      stages.insert(
        SplittingStage(from: source, into: scaling.map { $0.input }, groups: groups), at: 0)
      stages.append(
        JoiningStage(from: scaling.map { $0.output }, into: output, groups: groups, path: path))
    }
    stages.insert(reading(into: source), at: 0)
    stages.append(WritingStage(from: output, channelCount: channels, write: write))
    try Pipeline(stages, isShort: isShort).run(onBlock: onBlock)
  }

  /// The channels of each of several scalers.
  private func channelGroups(_ scalers: [Scaler]) -> [Range<Int>] {
    var groups: [Range<Int>] = []
    for scaler in scalers {
      let start = groups.last?.upperBound ?? 0
      groups.append(start..<start + scaler.channelCount)
    }
    return groups
  }

  private func reading(into queue: BlockQueue<Sample>) -> ReadingStage<Sample> {
    let merger = plan.mergesChannels ? ChannelMerger<Sample>(weights: plan.mergeWeights) : nil
    return ReadingStage(into: queue, merger: merger, read: read)
  }

  private func makeQueue(channels: Int) -> BlockQueue<Sample> {
    BlockQueue(capacity: Self.queueLength, samplesInBlock: blockFrames * channels)
  }
}

/// Runs a scaler's work, telling its errors as those of the conversion of `path`.
func scaling<Result>(
  _ path: FilePath, _ work: () throws(ScalingError) -> Result
) throws(ConversionError) -> Result {
  do throws(ScalingError) {
    return try work()
  } catch {
    throw .cannotScale(path, error)
  }
}

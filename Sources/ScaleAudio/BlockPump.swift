/// Moves one file's frames from its source through a scaler to its output, a block at a time.
struct BlockPump<Scaler: TimeScaler> {
  typealias Sample = Scaler.Sample

  /// Samples in a block, over all channels.
  private static var blockSamples: Int { 32768 }
  /// Blocks between two stages.
  private static var queueLength: Int { 6 }
  /// Blocks of a source that is done with before another thread could help.
  private static var fewBlocks: Int { 8 }

  let plan: ScalingPlan
  let sourceChannels: Int
  /// What errors of the scaler name.
  let path: FilePath
  /// Fills a buffer with the source's next frames; returns how many, 0 only at the end.
  let read: ReadingStage<Sample>.Read
  /// Takes the output's next frames.
  let write: (Span<Sample>) throws(AudioFileError) -> Void

  private var channels: Int { plan.output.spec.channelCount }
  private var blockFrames: Int { max(16, Self.blockSamples / sourceChannels) }
  private var isShort: Bool { plan.inputFrames <= Self.fewBlocks * blockFrames }

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
  func run(
    _ scaler: inout Scaler, onBlock: (Int) throws(ConversionError) -> Void
  ) throws(ConversionError) {
    let source = makeQueue(channels: sourceChannels)
    let output = makeQueue(channels: channels)
    let scaling = ScalingStage(scaler, from: source, into: output, path: path)
    defer { scaler = scaling.scaler }
    let writing = WritingStage(from: output, channelCount: channels, write: write)
    try Pipeline([reading(into: source), scaling, writing], isShort: isShort).run(onBlock: onBlock)
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

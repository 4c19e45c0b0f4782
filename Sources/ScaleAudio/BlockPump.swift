/// Moves one file's frames from its source through a scaler to its output, a block at a time.
struct BlockPump<Scaler: TimeScaler> {
  typealias Sample = Scaler.Sample

  /// Samples in a block, over all channels.
  private static var blockSamples: Int { 32768 }

  let plan: ScalingPlan
  let sourceChannels: Int
  /// What errors of the scaler name.
  let path: FilePath
  /// Fills a buffer with the source's next frames; returns how many, 0 only at the end.
  let read: (inout MutableSpan<Sample>) throws(AudioFileError) -> Int
  /// Takes the output's next frames.
  let write: (Span<Sample>) throws(AudioFileError) -> Void

  private var channels: Int { plan.output.spec.channelCount }
  private var blockFrames: Int { max(16, Self.blockSamples / sourceChannels) }

  /// Shows the scaler everything; `onBlock` is told the input frames shown so far, and may stop the
  /// work.
  func study(
    with scaler: inout Scaler, onBlock: (Int) throws(ConversionError) -> Void
  ) throws(ConversionError) {
    try forEachBlock { (block, framesDone) throws(ConversionError) in
      try scaling(path) { () throws(ScalingError) in try scaler.study(block) }
      try onBlock(framesDone + block.count / channels)
    }
  }

  /// Moves everything; `onBlock` is told the input frames done so far, after each block of either
  /// side, and may stop the work.
  func run(
    _ scaler: inout Scaler, onBlock: (Int) throws(ConversionError) -> Void
  ) throws(ConversionError) {
    var output = [Sample](repeating: .silence, count: blockFrames * channels)
    var framesDone = 0
    try forEachBlock { (block, framesBefore) throws(ConversionError) in
      framesDone = framesBefore
      try scale(block, with: &scaler, through: &output, &framesDone, onBlock)
    }
    try drain(&scaler, through: &output, framesDone, onBlock)
  }

  /// Reads everything, merged where that was asked for; `body` is given each block, and the number of
  /// frames before it.
  private func forEachBlock(
    _ body: (Span<Sample>, Int) throws(ConversionError) -> Void
  ) throws(ConversionError) {
    let merger = plan.mergesChannels ? ChannelMerger<Sample>(weights: plan.mergeWeights) : nil
    var input = [Sample](repeating: .silence, count: blockFrames * sourceChannels)
    var framesDone = 0
    while true {
      let frames = try fill(&input)
      if frames == 0 { return }
      if let merger { merge(&input, with: merger) }
      try body(input.span.extracting(0..<frames * channels), framesDone)
      framesDone += frames
    }
  }

  private func fill(_ input: inout [Sample]) throws(ConversionError) -> Int {
    var buffer = input.mutableSpan
    do throws(AudioFileError) {
      return try read(&buffer)
    } catch {
      throw .file(error)
    }
  }

  private func merge(_ input: inout [Sample], with merger: ChannelMerger<Sample>) {
    var buffer = input.mutableSpan
    merger.merge(&buffer)
  }

  /// Gives the scaler a block and writes all that it makes of it.
  private func scale(
    _ block: Span<Sample>, with scaler: inout Scaler, through output: inout [Sample],
    _ framesDone: inout Int, _ onBlock: (Int) throws(ConversionError) -> Void
  ) throws(ConversionError) {
    var start = 0
    while true {
      let progress = try scaling(path) { () throws(ScalingError) in
        var buffer = output.mutableSpan
        return try scaler.process(block.extracting(start...), into: &buffer)
      }
      if progress.consumed == 0 && progress.produced == 0 { return }
      start += progress.consumed * channels
      framesDone += progress.consumed
      try put(output.span.extracting(0..<progress.produced * channels))
      try onBlock(framesDone)
    }
  }

  /// Writes what the scaler makes after the end of the input.
  private func drain(
    _ scaler: inout Scaler, through output: inout [Sample], _ framesDone: Int,
    _ onBlock: (Int) throws(ConversionError) -> Void
  ) throws(ConversionError) {
    while true {
      let produced = try scaling(path) { () throws(ScalingError) in
        var buffer = output.mutableSpan
        return try scaler.finish(into: &buffer)
      }
      if produced == 0 { return }
      try put(output.span.extracting(0..<produced * channels))
      try onBlock(framesDone)
    }
  }

  private func put(_ frames: Span<Sample>) throws(ConversionError) {
    if frames.isEmpty { return }
    do throws(AudioFileError) {
      try write(frames)
    } catch {
      throw .file(error)
    }
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

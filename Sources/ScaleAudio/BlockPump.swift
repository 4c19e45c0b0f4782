/// Moves one file's frames from its source through the scaler to its output, a block at a time.
struct BlockPump<Sample: PCMSample> {
  /// Samples in a block, over all channels.
  private static var blockSamples: Int { 32768 }

  let plan: ScalingPlan
  let sourceChannels: Int
  /// Fills a buffer with the source's next frames; returns how many, 0 only at the end.
  let read: (inout MutableSpan<Sample>) throws(AudioFileError) -> Int
  /// Takes the output's next frames.
  let write: (Span<Sample>) throws(AudioFileError) -> Void

  /// Moves everything; `onBlock` is told the input frames done so far, and may stop the work.
  func run(onBlock: (Int) throws(ConversionError) -> Void) throws(ConversionError) {
    let channels = plan.output.spec.channelCount
    let merger = plan.mergesChannels ? ChannelMerger<Sample>(weights: plan.mergeWeights) : nil
    var scaler = InterpolatingScaler<Sample>(points: plan.points, channelCount: channels)
    let blockFrames = max(16, Self.blockSamples / sourceChannels)
    var input = [Sample](repeating: .silence, count: blockFrames * sourceChannels)
    var output = [Sample](repeating: .silence, count: blockFrames * channels)
    var framesDone = 0
    while true {
      let frames = try fill(&input)
      if frames == 0 { break }
      if let merger { merge(&input, with: merger) }
      try scale(input.span.extracting(0..<frames * channels), with: &scaler, through: &output)
      framesDone += frames
      try onBlock(framesDone)
    }
    try drain(&scaler, through: &output)
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
    _ block: Span<Sample>, with scaler: inout InterpolatingScaler<Sample>,
    through output: inout [Sample]
  ) throws(ConversionError) {
    var start = 0
    while true {
      var buffer = output.mutableSpan
      let progress = scaler.process(block.extracting(start...), into: &buffer)
      start += progress.consumed * scaler.channelCount
      try put(output.span.extracting(0..<progress.produced * scaler.channelCount))
      if progress.consumed == 0 && progress.produced == 0 { return }
    }
  }

  /// Writes what the scaler makes after the end of the input.
  private func drain(
    _ scaler: inout InterpolatingScaler<Sample>, through output: inout [Sample]
  ) throws(ConversionError) {
    while true {
      var buffer = output.mutableSpan
      let produced = scaler.finish(into: &buffer)
      if produced == 0 { return }
      try put(output.span.extracting(0..<produced * scaler.channelCount))
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

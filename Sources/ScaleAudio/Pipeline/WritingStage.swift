/// The last stage: writes the blocks of the output.
final class WritingStage<Sample: PCMSample>: PipelineStage, @unchecked Sendable {
  private(set) var framesDone = 0
  private let input: BlockQueue<Sample>
  private let channelCount: Int
  private let write: (Span<Sample>) throws(AudioFileError) -> Void

  init(
    from input: BlockQueue<Sample>, channelCount: Int,
    write: @escaping (Span<Sample>) throws(AudioFileError) -> Void
  ) {
    self.input = input
    self.channelCount = channelCount
    self.write = write
  }

  var isReady: Bool { input.hasNews }

  func step() throws(ConversionError) -> Bool {
    switch try input.next() {
    case .end: return false
    case .nothingYet: return true
    case .block(let block):
      try write(all: block)
      framesDone = block.sourceFrames
      input.giveBack(block)
      return true
    }
  }

  private func write(all block: SampleBlock<Sample>) throws(ConversionError) {
    if block.frameCount == 0 { return }
    let samples = block.samples
    do throws(AudioFileError) {
      try write(samples.span.extracting(0..<block.frameCount * channelCount))
    } catch {
      throw .file(error)
    }
  }

  /// Nothing comes behind it.
  func fail(_ failure: ConversionError) {}
}

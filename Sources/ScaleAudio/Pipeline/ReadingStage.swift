/// The first stage: reads blocks of a source, with channels merged where that was asked for.
final class ReadingStage<Sample: PCMSample>: PipelineStage, @unchecked Sendable {
  /// Fills a buffer with the source's next frames; returns how many, 0 only at the end.
  typealias Read = (inout MutableSpan<Sample>) throws(AudioFileError) -> Int

  private(set) var framesDone = 0
  private let output: BlockQueue<Sample>
  private let read: Read
  private let merger: ChannelMerger<Sample>?

  init(
    into output: BlockQueue<Sample>, merger: ChannelMerger<Sample>?,
    read: @escaping Read
  ) {
    self.output = output
    self.merger = merger
    self.read = read
  }

  var isReady: Bool { output.hasRoom }

  func step() throws(ConversionError) -> Bool {
    guard let block = output.blank() else { return true }
    block.frameCount = try fill(block)
    if block.frameCount == 0 {
      output.giveBack(block)
      output.close()
      return false
    }
    framesDone += block.frameCount
    block.sourceFrames = framesDone
    output.put(block)
    return true
  }

  func fail(_ failure: ConversionError) { output.close(failing: failure) }

  private func fill(_ block: SampleBlock<Sample>) throws(ConversionError) -> Int {
    var samples: [Sample] = []
    swap(&samples, &block.samples)
    defer { swap(&samples, &block.samples) }
    var buffer = samples.mutableSpan
    do throws(AudioFileError) {
      let frames = try read(&buffer)
      if frames > 0, let merger { merger.merge(&buffer) }
      return frames
    } catch {
      throw .file(error)
    }
  }
}

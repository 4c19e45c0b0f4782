/// A stage before several scalers: gives each of them its channels of every block.
final class SplittingStage<Sample: PCMSample>: PipelineStage, @unchecked Sendable {
  private(set) var framesDone = 0
  private let input: BlockQueue<Sample>
  private let outputs: [BlockQueue<Sample>]
  /// The channels of each output.
  private let groups: [Range<Int>]

  /// A stage that puts the channels of each group into the queue of the same number.
  init(from input: BlockQueue<Sample>, into outputs: [BlockQueue<Sample>], groups: [Range<Int>]) {
    self.input = input
    self.outputs = outputs
    self.groups = groups
  }

  var isReady: Bool { outputs.allSatisfy { $0.hasRoom } && input.hasNews }

  func step() throws(ConversionError) -> Bool {
    switch try input.next() {
    case .end:
      for output in outputs { output.close() }
      return false
    case .nothingYet: return true
    case .block(let block):
      split(block)
      framesDone = block.sourceFrames
      input.giveBack(block)
      return true
    }
  }

  func fail(_ failure: ConversionError) {
    for output in outputs { output.close(failing: failure) }
  }

  private func split(_ block: SampleBlock<Sample>) {
    let channelCount = groups.last?.upperBound ?? 0
    for (output, group) in zip(outputs, groups) {
      // There is room, which nobody else takes.
      guard let part = output.blank() else { continue }
      for (place, channel) in group.enumerated() {
        part.copyChannel(place, of: group.count, from: block, channel, of: channelCount)
      }
      part.frameCount = block.frameCount
      part.sourceFrames = block.sourceFrames
      output.put(part)
    }
  }
}

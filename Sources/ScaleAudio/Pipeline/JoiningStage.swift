/// A stage behind several scalers: makes whole frames of the channels that each of them made.
final class JoiningStage<Sample: PCMSample>: PipelineStage, @unchecked Sendable {
  private(set) var framesDone = 0
  private let inputs: [BlockQueue<Sample>]
  private let output: BlockQueue<Sample>
  /// The channels of each input.
  private let groups: [Range<Int>]
  /// What errors name.
  private let path: FilePath

  /// A stage that takes the channels of each group from the queue of the same number.
  ///
  /// Blocks of the same place hold as many frames each: alike scalers were given alike blocks.
  init(
    from inputs: [BlockQueue<Sample>], into output: BlockQueue<Sample>, groups: [Range<Int>],
    path: FilePath
  ) {
    self.inputs = inputs
    self.output = output
    self.groups = groups
    self.path = path
  }

  var isReady: Bool { output.hasRoom && inputs.allSatisfy { $0.hasNews } }

  func step() throws(ConversionError) -> Bool {
    var parts: [SampleBlock<Sample>] = []
    for input in inputs {
      if case .block(let part) = try input.next() { parts.append(part) }
    }
    if parts.isEmpty {
      output.close()
      return false
    }
    try join(parts)
    for (input, part) in zip(inputs, parts) { input.giveBack(part) }
    return true
  }

  func fail(_ failure: ConversionError) { output.close(failing: failure) }

  private func join(_ parts: [SampleBlock<Sample>]) throws(ConversionError) {
    let frameCount = parts[0].frameCount
    guard parts.count == groups.count, parts.allSatisfy({ $0.frameCount == frameCount }) else {
      throw .cannotScale(path, .failed("its channels came out at different lengths"))
    }
    guard let whole = output.blank() else { return }
    let channelCount = groups.last?.upperBound ?? 0
    for (part, group) in zip(parts, groups) {
      for (place, channel) in group.enumerated() {
        whole.copyChannel(channel, of: channelCount, from: part, place, of: group.count)
      }
    }
    whole.frameCount = frameCount
    whole.sourceFrames = parts[0].sourceFrames
    framesDone = whole.sourceFrames
    output.put(whole)
  }
}

internal import SystemPackage
internal import TimeScaling

/// The stage before several scalers: passes each of them its channels of every block of `Double`.
final class SplittingStage: PipelineStage, @unchecked Sendable {
  private(set) var framesDone = 0
  private let input: BlockQueue
  private let outputs: [BlockQueue]
  /// The channels of each output.
  private let groups: [Range<Int>]

  /// A stage that puts the channels of each group into the queue with the same index.
  init(from input: BlockQueue, into outputs: [BlockQueue], groups: [Range<Int>]) {
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

  private func split(_ block: Block) {
    let channelCount = groups.last?.upperBound ?? 0
    for (output, group) in zip(outputs, groups) {
      // Only this stage fills the queue, so it still has room.
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

/// The stage after several scalers: interleaves their channels, in `Double`.
final class JoiningStage: PipelineStage, @unchecked Sendable {
  private(set) var framesDone = 0
  private let inputs: [BlockQueue]
  private let output: BlockQueue
  /// The channels of each input.
  private let groups: [Range<Int>]
  /// The input, for errors.
  private let path: FilePath

  /// A stage that takes the channels of each group from the queue with the same index.
  ///
  /// Blocks with the same position in their queues have the same number of frames, because equal scalers
  /// were given equal blocks.
  init(
    from inputs: [BlockQueue], into output: BlockQueue, groups: [Range<Int>], path: FilePath
  ) {
    self.inputs = inputs
    self.output = output
    self.groups = groups
    self.path = path
  }

  var isReady: Bool { output.hasRoom && inputs.allSatisfy { $0.hasNews } }

  func step() throws(ConversionError) -> Bool {
    var parts: [Block] = []
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

  private func join(_ parts: [Block]) throws(ConversionError) {
    let frameCount = parts[0].frameCount
    guard parts.count == groups.count, parts.allSatisfy({ $0.frameCount == frameCount }) else {
      throw .cannotScale(path, .failed("its channels differ in length after scaling"))
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

extension Block {
  /// Copies one channel of another block's frames to a channel of this block.
  ///
  /// Both blocks hold `Double`. `channelCount` and `otherCount` are the channels of this block's frames and
  /// of the other's. This block must have room; its frame count stays as it is.
  fileprivate func copyChannel(
    _ channel: Int, of channelCount: Int, from other: Block, _ otherChannel: Int, of otherCount: Int
  ) {
    let target = samples(of: Double.self)
    let source = other.samples(of: Double.self)
    var (to, from) = (channel, otherChannel)
    for _ in 0..<other.frameCount {
      target[to] = source[from]
      to &+= channelCount
      from &+= otherCount
    }
  }
}

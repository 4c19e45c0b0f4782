/// The stage in between: turns blocks of the source into blocks of the output.
final class ScalingStage<Scaler: TimeScaler>: PipelineStage, @unchecked Sendable {
  typealias Sample = Scaler.Sample

  private(set) var framesDone = 0
  private(set) var scaler: Scaler
  let input: BlockQueue<Sample>
  let output: BlockQueue<Sample>
  /// What errors of the scaler name.
  private let path: FilePath
  /// The block at hand, and the frames of it that were taken.
  private var block: SampleBlock<Sample>?
  private var framesTaken = 0
  private var isDraining = false

  init(
    _ scaler: Scaler, from input: BlockQueue<Sample>, into output: BlockQueue<Sample>,
    path: FilePath
  ) {
    self.scaler = scaler
    self.input = input
    self.output = output
    self.path = path
  }

  var isReady: Bool { output.hasRoom && (block != nil || isDraining || input.hasNews) }

  func step() throws(ConversionError) -> Bool {
    if block == nil, !isDraining {
      switch try input.next() {
      case .block(let next): (block, framesTaken) = (next, 0)
      case .end: isDraining = true
      case .nothingYet: return true
      }
    }
    guard let made = output.blank() else { return true }
    let progress = try fill(made)
    framesTaken += progress.consumed
    framesDone += progress.consumed
    if progress.consumed > 0 || progress.produced > 0 {
      made.frameCount = progress.produced
      made.sourceFrames = framesDone
      output.put(made)
      return true
    }
    output.giveBack(made)
    if let block {
      input.giveBack(block)
      self.block = nil
      return true
    }
    output.close()
    return false
  }

  func fail(_ failure: ConversionError) { output.close(failing: failure) }

  private func fill(_ made: SampleBlock<Sample>) throws(ConversionError) -> ScalingProgress {
    var samples: [Sample] = []
    swap(&samples, &made.samples)
    defer { swap(&samples, &made.samples) }
    var buffer = samples.mutableSpan
    do throws(ScalingError) {
      guard let block else {
        return ScalingProgress(consumed: 0, produced: try scaler.finish(into: &buffer))
      }
      let frames = block.samples
      let channels = scaler.channelCount
      return try scaler.process(
        frames.span.extracting(framesTaken * channels..<block.frameCount * channels),
        into: &buffer)
    } catch {
      throw .cannotScale(path, error)
    }
  }
}

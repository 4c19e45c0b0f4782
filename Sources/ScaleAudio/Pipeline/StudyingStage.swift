/// The last stage of a pass that only shows the source to a scaler.
final class StudyingStage<Scaler: TimeScaler>: PipelineStage, @unchecked Sendable {
  private(set) var framesDone = 0
  private(set) var scaler: Scaler
  private let input: BlockQueue<Scaler.Sample>
  /// What errors of the scaler name.
  private let path: FilePath

  init(_ scaler: Scaler, from input: BlockQueue<Scaler.Sample>, path: FilePath) {
    self.scaler = scaler
    self.input = input
    self.path = path
  }

  var isReady: Bool { input.hasNews }

  func step() throws(ConversionError) -> Bool {
    switch try input.next() {
    case .end: return false
    case .nothingYet: return true
    case .block(let block):
      try study(block)
      framesDone = block.sourceFrames
      input.giveBack(block)
      return true
    }
  }

  private func study(_ block: SampleBlock<Scaler.Sample>) throws(ConversionError) {
    let samples = block.samples
    do throws(ScalingError) {
      try scaler.study(samples.span.extracting(0..<block.frameCount * scaler.channelCount))
    } catch {
      throw .cannotScale(path, error)
    }
  }

  /// Nothing comes behind it.
  func fail(_ failure: ConversionError) {}
}

internal import SystemPackage
internal import TimeScaling

/// The first stage: reads blocks of the source.
final class ReadingStage: PipelineStage, @unchecked Sendable {
  private(set) var framesDone = 0
  private let reader: any BlockReader
  private let output: BlockQueue

  init(_ reader: any BlockReader, into output: BlockQueue) {
    self.reader = reader
    self.output = output
  }

  var isReady: Bool { output.hasRoom }

  func step() throws(ConversionError) -> Bool {
    guard let block = output.blank() else { return true }
    block.frameCount = try ConversionError.files(reader.read(into: block))
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
}

/// The middle stage: turns blocks of the source into blocks of the output.
final class ScalingStage: PipelineStage, @unchecked Sendable {
  private(set) var framesDone = 0
  let input: BlockQueue
  let output: BlockQueue
  private let scaler: any BlockScaler
  /// The input, for scaling errors.
  private let path: FilePath
  /// The current block, and how many of its frames the scaler has consumed.
  private var block: Block?
  private var framesConsumed = 0
  private var isDraining = false

  init(
    _ scaler: any BlockScaler, from input: BlockQueue, into output: BlockQueue, path: FilePath
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
      case .block(let next): (block, framesConsumed) = (next, 0)
      case .end: isDraining = true
      case .nothingYet: return true
      }
    }
    guard let made = output.blank() else { return true }
    let progress = try fill(made)
    framesConsumed += progress.consumed
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

  private func fill(_ made: Block) throws(ConversionError) -> ScalingProgress {
    guard let block else {
      let produced = try ConversionError.scaling(path, scaler.finish(into: made))
      return ScalingProgress(consumed: 0, produced: produced)
    }
    return try ConversionError.scaling(
      path, scaler.process(block, from: framesConsumed, into: made))
  }
}

/// The last stage of a pass that only passes the source to a scaler for study.
final class StudyingStage: PipelineStage, @unchecked Sendable {
  private(set) var framesDone = 0
  private let scalers: ScalerChain
  private let input: BlockQueue
  /// The input, for scaling errors.
  private let path: FilePath

  init(_ scalers: ScalerChain, from input: BlockQueue, path: FilePath) {
    self.scalers = scalers
    self.input = input
    self.path = path
  }

  var isReady: Bool { input.hasNews }

  func step() throws(ConversionError) -> Bool {
    switch try input.next() {
    case .end: return false
    case .nothingYet: return true
    case .block(let block):
      try ConversionError.scaling(path, scalers.study(block))
      framesDone = block.sourceFrames
      input.giveBack(block)
      return true
    }
  }

  /// No stage follows.
  func fail(_ failure: ConversionError) {}
}

/// The last stage: writes the blocks of the output.
final class WritingStage: PipelineStage, @unchecked Sendable {
  private(set) var framesDone = 0
  private let writer: any BlockWriter
  private let input: BlockQueue

  init(_ writer: any BlockWriter, from input: BlockQueue) {
    self.writer = writer
    self.input = input
  }

  var isReady: Bool { input.hasNews }

  func step() throws(ConversionError) -> Bool {
    switch try input.next() {
    case .end: return false
    case .nothingYet: return true
    case .block(let block):
      if block.frameCount > 0 { try ConversionError.files(writer.write(block)) }
      framesDone = block.sourceFrames
      input.giveBack(block)
      return true
    }
  }

  /// No stage follows.
  func fail(_ failure: ConversionError) {}
}

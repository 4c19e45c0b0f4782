/// What a conversion will make, settled from the source's facts before anything is written.
struct ScalingPlan {
  /// Output frames asked for / input frames.
  let factor: Double
  let points: ControlPoints
  let mergesChannels: Bool
  let output: OutputDescription

  init(
    source: SourceDescription, settings: ConversionSettings, path: FilePath
  ) throws(ConversionError) {
    let frames = source.frameCount
    let outputFrames: Int
    switch settings.time {
    case .factor(let asked):
      guard let product = asked.outputFrames(for: frames) else {
        throw .factorOutOfRange(path, factor: asked.value)
      }
      outputFrames = product
      factor = asked.value
    case .duration(let seconds):
      let wanted = (seconds * Double(source.spec.sampleRate)).rounded(.toNearestOrEven)
      factor = frames == 0 ? 1 : wanted / Double(frames)
      guard TimeFactor.range.contains(factor), let count = Int(exactly: wanted) else {
        throw .factorOutOfRange(path, factor: factor)
      }
      outputFrames = frames == 0 ? 0 : count
    }
    if outputFrames == 0 && frames > 0 {
      throw .nothingLeft(path, frames: frames, factor: factor)
    }
    points = ControlPoints(
      inputFrames: frames, outputFrames: outputFrames, method: settings.method)
    mergesChannels = settings.mergesChannels && source.spec.channelCount > 1
    var spec = source.spec
    if mergesChannels { spec.layout = .mono }
    output = OutputDescription(
      spec: spec, frameCount: outputFrames, format: settings.format ?? source.format,
      options: settings.encoding, metadata: source.metadata, sourceBitRate: source.bitRate)
  }
}

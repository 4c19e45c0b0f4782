/// How long an output becomes.
struct OutputLength {
  /// Output frames asked for / input frames.
  let factor: Double
  let outputFrames: Int
  /// `nil` for one factor all through.
  let map: TimeMap?
  /// What the user should know.
  let warning: String?

  /// The length that is asked for of a source; `input` is what errors name.
  init(
    source: SourceDescription, settings: ConversionSettings, input: FilePath
  ) throws(ConversionError) {
    let frames = source.frameCount
    let rate = source.spec.sampleRate
    var settled: SourceTimeMap?
    switch settings.time {
    case .factor(let asked):
      guard let product = asked.outputFrames(for: frames) else {
        throw .factorOutOfRange(input, factor: asked.value)
      }
      (factor, outputFrames) = (asked.value, product)
    case .duration(let seconds):
      let wanted = (seconds * Double(rate)).rounded(.toNearestOrEven)
      factor = frames == 0 ? 1 : wanted / Double(frames)
      guard TimeFactor.range.contains(factor), let count = Int(exactly: wanted) else {
        throw .factorOutOfRange(input, factor: factor)
      }
      outputFrames = frames == 0 ? 0 : count
    case .map(let request):
      guard case .stretch = settings.method else {
        throw .cannotScale(input, .outOfRange("a time map needs --method stretch"))
      }
      let found = try SourceTimeMap(request, frames: frames, sampleRate: rate, input: input)
      (factor, outputFrames) = (found.factor, found.outputFrames)
      settled = found
    }
    map = settled?.map
    warning = settled?.warning
    // The parts of a map were looked at when it was made.
    let factorToCheck = map == nil ? factor : 1
    try scaling(input) { () throws(ScalingError) in
      try settings.method.check(factor: factorToCheck)
    }
    if outputFrames == 0 && frames > 0 {
      throw .nothingLeft(input, frames: frames, factor: factor)
    }
  }
}

internal import AudioIO
internal import AudioModel
internal import SystemPackage
internal import TimeScaling

/// The length of an output.
struct OutputLength {
  /// Requested output frames / input frames.
  let factor: Double
  /// Frames at the source's sample rate.
  private(set) var scaledFrames: Int
  /// Frames at the output's sample rate.
  private(set) var outputFrames: Int
  /// `nil` if the factor is constant.
  let map: TimeMap?
  /// The pieces of a source that is scaled only in parts; `nil` if all of it is scaled.
  let pieces: Pieces?
  /// A warning for the user.
  let warning: String?

  /// The length that settings request for a source and an output with a sample rate; errors name the path `input`.
  init(
    source: SourceDescription, settings: ConversionSettings, outputRate: Int, input: FilePath
  ) throws(ConversionError) {
    let frames = source.frameCount
    if !settings.only.isEmpty {
      let found = try Pieces(of: source, settings, input: input)
      try ConversionError.scaling(input, settings.method.check(factor: found.factor))
      (scaledFrames, outputFrames) = (found.outputFrames, found.outputFrames)
      factor = frames == 0 ? 1 : Double(found.outputFrames) / Double(frames)
      (pieces, map, warning) = (found, found.map, nil)
      return
    }
    pieces = nil
    let rate = source.spec.sampleRate
    var settled: SourceTimeMap?
    let exactFrames: Double
    switch settings.time {
    case .bpm: throw .unclearTempo(input, nil)
    case .unchanged:
      (factor, scaledFrames) = (1, frames)
      let resampled = Double(frames) * Double(outputRate) / Double(rate)
      exactFrames = outputRate == rate ? Double(frames) : resampled.rounded(.towardZero)
    case .factor(let asked), .speed(let asked), .tempo(let asked):
      guard let product = asked.outputFrames(for: frames) else {
        throw .factorOutOfRange(input, factor: asked.value)
      }
      (factor, scaledFrames) = (asked.value, product)
      let scaled = Double(frames) * asked.value * Double(outputRate) / Double(rate)
      exactFrames = outputRate == rate ? Double(product) : scaled.rounded(.towardZero)
    case .duration, .frames:
      let asked = Self.frames(of: settings.time, rate: rate, outputRate: outputRate)
      let wanted = asked.scaled
      factor = frames == 0 ? 1 : wanted / Double(frames)
      guard TimeFactor.range.contains(factor), let count = Int(exactly: wanted) else {
        throw .factorOutOfRange(input, factor: factor)
      }
      scaledFrames = frames == 0 ? 0 : count
      exactFrames = frames == 0 ? 0 : asked.output
    case .map(let request):
      guard case .stretch = settings.method else {
        throw .cannotScale(
          input,
          .outOfRange(
            "a time map needs the method stretch",
            remedy: .useMethod(ScalingMethod.Kind.stretch.rawValue)))
      }
      let found = try SourceTimeMap(request, frames: frames, sampleRate: rate, input: input)
      (factor, scaledFrames) = (found.factor, found.outputFrames)
      let scaled = Double(found.outputFrames) * Double(outputRate) / Double(rate)
      exactFrames = scaled.rounded(.toNearestOrEven)
      settled = found
    }
    guard let outputFrames = Int(exactly: exactFrames) else {
      throw .factorOutOfRange(input, factor: factor)
    }
    self.outputFrames = outputFrames
    map = settled?.map
    warning = settled?.warning
    // The factors within a map were checked when it was made.
    let factorToCheck = map == nil ? factor : 1
    try ConversionError.scaling(input, settings.method.check(factor: factorToCheck))
    if outputFrames == 0 && frames > 0 {
      throw .nothingLeft(input, frames: frames, factor: factor)
    }
  }
}

extension OutputLength {
  /// The length of a source that may be a track of an album, and in `cut`, its place in the output of the album: the places
  /// of its ends there, each rounded for itself, differ by its length.
  init(
    source: SourceDescription, settings: ConversionSettings, outputRate: Int, input: FilePath,
    _ place: GaplessPlace?, _ cut: inout GaplessCut?
  ) throws(ConversionError) {
    guard let place else {
      try self.init(source: source, settings: settings, outputRate: outputRate, input: input)
      return
    }
    func length(_ frames: Int) throws(ConversionError) -> OutputLength {
      var album = source
      album.frameCount = frames
      return try OutputLength(
        source: album, settings: settings, outputRate: outputRate, input: input)
    }
    let before = try length(place.frames.lowerBound)
    self = try length(place.frames.upperBound)
    cut = GaplessCut(
      place: place, framesBefore: before.outputFrames, whole: try length(place.albumFrames))
    outputFrames -= before.outputFrames
    scaledFrames -= before.scaledFrames
    if outputFrames == 0 && source.frameCount > 0 {
      throw .nothingLeft(input, frames: source.frameCount, factor: factor)
    }
  }

  /// The frames of a length at the sample rates of source and output; 0 for other requests.
  private static func frames(
    of time: TimeRequest, rate: Int, outputRate: Int
  ) -> (scaled: Double, output: Double) {
    switch time {
    case .duration(let seconds):
      return (
        (seconds * Double(rate)).rounded(.toNearestOrEven),
        (seconds * Double(outputRate)).rounded(.toNearestOrEven)
      )
    case .frames(let frames):
      let scaled = Double(frames) * Double(rate) / Double(outputRate)
      return (scaled.rounded(.toNearestOrEven), Double(frames))
    case .factor, .speed, .tempo, .map, .bpm, .unchanged: return (0, 0)
    }
  }
}

/// A time map for one source, in frames of the source and as long as it.
struct SourceTimeMap {
  /// A map from (0, 0) to the end of the source, with points at least a frame apart; `nil` for a source without
  /// frames.
  let map: TimeMap?
  /// Frames of the output, to the nearest.
  let outputFrames: Int
  /// Output length / input length, before rounding.
  let factor: Double
  /// A warning for the user.
  let warning: String?

  /// How far before the end of its source a map may end, in seconds: people write times to the millisecond.
  private static let slackSeconds = 0.001
  /// A map that is longer than the source by more than this factor was probably not meant for it.
  private static let maximumTimesTooLong = 100.0

  /// Fits a map to a source of `frames` frames at `sampleRate` Hz; errors name the path `input`.
  init(
    _ request: TimeMapRequest, frames: Int, sampleRate: Int, input: FilePath
  ) throws(ConversionError) {
    let scale = request.unit == .frames ? 1 : Double(sampleRate)
    let slack = request.unit == .frames ? 0 : Double(sampleRate) * Self.slackSeconds
    let points = request.map.points.map {
      TimeMap.Point(source: $0.source * scale, output: $0.output * scale)
    }
    let end = points[points.count - 1].source
    if end + slack < Double(frames) {
      throw .mapTooShort(input, end: end, frames: frames, sampleRate: sampleRate)
    }
    guard frames > 0 else {
      (map, outputFrames, factor, warning) = (nil, 0, 1, nil)
      return
    }
    guard let map = TimeMap(points: points)?.fitted(toFrames: Double(frames)) else {
      throw .cannotScale(input, .outOfRange("the points of the time map are too close together"))
    }
    let length = map.points[map.points.count - 1].output
    guard let outputFrames = Int(exactly: length.rounded(.toNearestOrEven)) else {
      throw .factorOutOfRange(input, factor: length / Double(frames))
    }
    self.map = map
    self.outputFrames = outputFrames
    factor = length / Double(frames)
    warning =
      request.unit == .seconds && end > Double(frames) * Self.maximumTimesTooLong
      ? "the time map extends far beyond the end of the audio; times in frames end in f"
      : nil
  }
}

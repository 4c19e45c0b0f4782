internal import AudioModel
internal import CScaleAudio
internal import TimeScaling

/// The settings of a caller in C, checked.
struct ScalerSettings {
  /// The method; `linear` where nothing changes, since filters and dither would.
  let method: ScalingMethod
  /// True if nothing changes.
  let isCopy: Bool
  let sampleType: Int
  let isPlanar: Bool
  let dither: Dither
  let channelCount: Int
  let sampleRate: Int
  /// The frames of the input; `nil` if the end is open.
  let inputFrames: Int?

  /// Output frames / input frames; `nil` for that of the lengths.
  private let factor: Double?
  private let outputFrames: Int?
  private let map: TimeMap?

  /// The most frames of an input, which keeps all products within 64 bits.
  private static let mostFrames = 1 << 40
  private static let mostOutputFrames = 1 << 47
  private static let mostPoints = 1 << 24
  private static let channels = 1...64
  private static let rates = 1000...768_000
  /// The factors of libsoxr.
  private static let sincFactors = 0x1p-16...0x1p16

  /// Checks settings; `frames` are those of a whole signal, `nil` to take the settings'.
  init(_ given: scaleaudio_settings, frames: Int? = nil) throws(InterfaceError) {
    guard given.size == MemoryLayout<scaleaudio_settings>.stride else {
      throw InterfaceError(
        SCALEAUDIO_INVALID, "the settings have another size: scaleaudio_defaults was not called")
    }
    channelCount = try Self.value(given.channels, "channels", within: Self.channels)
    sampleType = try Self.value(
      given.sample_type, "sample_type", within: SCALEAUDIO_FLOAT32...SCALEAUDIO_INT16)
    isPlanar =
      try Self.value(given.layout, "layout", within: SCALEAUDIO_INTERLEAVED...SCALEAUDIO_PLANAR)
      == SCALEAUDIO_PLANAR
    inputFrames = try Self.frames(frames.map(Int64.init) ?? given.input_frames, "input_frames")
    outputFrames = try Self.frames(
      given.map == nil ? given.output_frames : -1, "output_frames", most: Self.mostOutputFrames)
    map = try given.map.map { points throws(InterfaceError) in
      try Self.map(points, given.map_points)
    }
    factor = map == nil && given.factor == 0 ? nil : given.factor
    let method = try Self.method(given)
    sampleRate =
      if case .stretch = method {
        try Self.value(given.sample_rate, "sample_rate", within: Self.rates)
      } else {
        Int(given.sample_rate)
      }
    if let inputFrames, let outputFrames {
      let factor = factor ?? Double(outputFrames) / Double(max(1, inputFrames))
      guard (Double(inputFrames) * factor - Double(outputFrames)).magnitude <= 1,
        inputFrames > 0 || outputFrames == 0
      else {
        throw InterfaceError(
          SCALEAUDIO_OUT_OF_RANGE,
          "\(outputFrames) output frames of \(inputFrames) are not the factor \(factor)")
      }
    } else if outputFrames != nil || factor == nil {
      throw InterfaceError(
        SCALEAUDIO_OUT_OF_RANGE,
        "a number of output frames needs input_frames, and the factor 0 needs both")
    }
    let isCopy =
      map == nil && method.semitones == 0
      && (factor == 1 || factor == nil && inputFrames == outputFrames)
      && (outputFrames == nil || inputFrames == outputFrames)
    (self.method, self.isCopy) = (isCopy ? .linear : method, isCopy)
    let dither = try Self.value(
      given.dither, "dither", within: SCALEAUDIO_DITHER...SCALEAUDIO_ROUND)
    self.dither = isCopy || dither == SCALEAUDIO_ROUND ? .none : .auto
    try check(factor)
    if let inputFrames { _ = try lengths(for: inputFrames) }
  }

  /// The lengths of one signal.
  struct Lengths {
    let inputFrames, outputFrames: Int
    let factor: Double
    let map: TimeMap?
  }

  /// The lengths of a signal with a number of frames.
  func lengths(for frames: Int) throws(InterfaceError) -> Lengths {
    guard frames <= Self.mostFrames else {
      throw InterfaceError(SCALEAUDIO_OUT_OF_RANGE, "\(frames) frames are too many")
    }
    if frames == 0 { return Lengths(inputFrames: 0, outputFrames: 0, factor: 1, map: nil) }
    if let map {
      guard let end = map.points.last, end.source >= Double(frames) else {
        throw InterfaceError(
          SCALEAUDIO_OUT_OF_RANGE, "the map ends before the \(frames) frames of the input")
      }
      guard let fitted = map.fitted(toFrames: Double(frames)), let last = fitted.points.last,
        let made = Int(exactly: last.output.rounded(.toNearestOrEven)),
        made <= Self.mostOutputFrames
      else {
        throw InterfaceError(
          SCALEAUDIO_OUT_OF_RANGE, "the points of the map are too close together or too far apart")
      }
      try InterfaceError.scaling(try method.check(factor: 1, map: fitted))
      return Lengths(
        inputFrames: frames, outputFrames: made, factor: last.output / Double(frames), map: fitted)
    }
    let factor = factor ?? Double(outputFrames ?? frames) / Double(frames)
    try check(factor)
    let product = Int(exactly: (Double(frames) * factor).rounded(.towardZero))
    guard let made = outputFrames ?? product, made <= Self.mostOutputFrames else {
      throw InterfaceError(SCALEAUDIO_OUT_OF_RANGE, "the output is too long")
    }
    return Lengths(inputFrames: frames, outputFrames: made, factor: factor, map: nil)
  }

  /// The factor where the end is open, and frames can be made before it.
  var openFactor: Double? {
    guard inputFrames == nil else { return nil }
    if case .sinc = method { return factor }
    return isCopy ? factor : nil
  }

  private func check(_ factor: Double?) throws(InterfaceError) {
    guard let factor, map == nil else { return }
    var range = TimeFactor.range
    if case .sinc = method { range = Self.sincFactors }
    guard range.contains(factor) else {
      throw InterfaceError(
        SCALEAUDIO_OUT_OF_RANGE,
        "a factor of \(factor) is not within \(range.lowerBound) to \(Int(range.upperBound))")
    }
    try InterfaceError.scaling(try method.check(factor: factor))
  }

  private static func method(_ given: scaleaudio_settings) throws(InterfaceError) -> ScalingMethod {
    let quality: ScalingQuality =
      switch try value(given.quality, "quality", within: SCALEAUDIO_FAST...SCALEAUDIO_BEST) {
      case SCALEAUDIO_FAST: .fast
      case SCALEAUDIO_BEST: .best
      default: .high
      }
    let formants = try value(
      given.formants, "formants", within: SCALEAUDIO_SHIFT...SCALEAUDIO_PRESERVE)
    let method: ScalingMethod
    switch try value(given.method, "method", within: SCALEAUDIO_SMOOTHSTEP...SCALEAUDIO_STRETCH) {
    case SCALEAUDIO_SMOOTHSTEP: method = .smoothstep
    case SCALEAUDIO_LINEAR: method = .linear
    case SCALEAUDIO_SINC: method = .sinc(quality: quality)
    default:
      method = .stretch(
        StretchSettings(
          semitones: given.semitones,
          formants: formants == SCALEAUDIO_PRESERVE ? .preserve : .shift))
      // Its own factor is checked with the lengths.
      try InterfaceError.scaling(try method.check(factor: 1))
      return method
    }
    if given.semitones != 0 || given.map != nil {
      throw InterfaceError(
        SCALEAUDIO_OUT_OF_RANGE,
        "the method \(method.kind.rawValue) has no \(given.map == nil ? "shift of the pitch" : "map"); "
          + "stretch has one")
    }
    return method
  }

  private static func map(
    _ numbers: UnsafePointer<Double>, _ count: Int64
  ) throws(InterfaceError) -> TimeMap {
    guard count >= 2, count <= mostPoints else {
      throw InterfaceError(
        SCALEAUDIO_OUT_OF_RANGE, "a map of \(count) points is not one of 2 to \(mostPoints)")
    }
    let points = (0..<Int(count)).map {
      TimeMap.Point(source: numbers[2 * $0], output: numbers[2 * $0 + 1])
    }
    guard let map = TimeMap(points: points) else {
      throw InterfaceError(
        SCALEAUDIO_OUT_OF_RANGE, "the points of the map do not rise from 0, 0 in both directions")
    }
    return map
  }

  private static func value(
    _ value: Int32, _ name: String, within range: ClosedRange<Int>
  ) throws(InterfaceError) -> Int {
    guard range.contains(Int(value)) else {
      throw InterfaceError(
        SCALEAUDIO_OUT_OF_RANGE,
        "\(name) is \(value), not within \(range.lowerBound) to \(range.upperBound)")
    }
    return Int(value)
  }

  private static func frames(
    _ value: Int64, _ name: String, most: Int = mostFrames
  ) throws(InterfaceError) -> Int? {
    if value == -1 { return nil }
    guard value >= 0, value <= most else {
      throw InterfaceError(
        SCALEAUDIO_OUT_OF_RANGE, "\(name) is \(value), not within 0 to \(most), or -1")
    }
    return Int(value)
  }
}

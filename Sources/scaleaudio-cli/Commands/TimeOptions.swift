import ArgumentParser
import ScaleAudio

/// How long the output is to be.
struct TimeOptions: ParsableArguments {
  @Option(
    name: [.customShort("f", allowingJoined: true), .long], parsing: .unconditional,
    help: ArgumentHelp(
      "Output length / input length, 0.01 to 100: 1.5, 3/2 or 150%.", valueName: "factor"),
    transform: FactorValue.init)
  var factor: FactorValue?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Playback speed, the reciprocal of the factor: 1.25 or 1.25x.", valueName: "speed"),
    transform: SpeedValue.init)
  var speed: SpeedValue?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Length of the output: seconds, 1:30 or 1:02:03.5.", valueName: "time"),
    transform: DurationValue.init)
  var duration: DurationValue?

  /// Whether one length is asked for, by these options or by those of the method, and the method does
  /// it.
  func validate(for method: MethodOptions) throws {
    try validateAtMostOne()
    if given != nil && method.map != nil {
      throw ValidationError(
        "--map tells the length; leave out --factor, --speed and --duration beside it.")
    }
    if given == nil && method.map == nil && method.pitch == nil {
      throw ValidationError(
        "Say how long the output is to be: --factor, --speed or --duration (or --map, or --pitch).")
    }
    let range = StretchSettings.factorRange
    if case .stretch = method.value, let asked = (factor?.factor ?? speed?.factor)?.value,
      !range.contains(asked)
    {
      throw ValidationError(
        "A factor of \(asked) is not within \(range.lowerBound) to \(Int(range.upperBound)), "
          + "which --method stretch takes; --method sinc takes more.")
    }
  }

  /// Throws where more than one length is asked for.
  func validateAtMostOne() throws {
    if [factor != nil, speed != nil, duration != nil].count(where: { $0 }) > 1 {
      throw ValidationError("--factor, --speed and --duration exclude each other; give one.")
    }
  }

  /// The length that these options ask for; `nil` where they do not.
  var given: TimeRequest? {
    if let factor = factor?.factor ?? speed?.factor { return .factor(factor) }
    return duration.map { .duration(seconds: $0.seconds) }
  }

  /// What was asked for; reads the map where that is it.
  func request(
    for method: MethodOptions, _ cancellation: Cancellation
  ) throws(TimeMapRequest.ReadingError) -> TimeRequest {
    if let given { return given }
    guard let map = method.map else { return .factor(.unchanged) }
    return .map(
      try TimeMapRequest(contentsOf: RawArgument.path(of: map), cancellation: cancellation))
  }
}

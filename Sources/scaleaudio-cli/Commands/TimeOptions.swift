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

  func validate() throws {
    _ = try request
  }

  /// What was asked for.
  var request: TimeRequest {
    get throws {
      switch (factor, speed, duration) {
      case (let value?, nil, nil): return .factor(value.factor)
      case (nil, let value?, nil): return .factor(value.factor)
      case (nil, nil, let value?): return .duration(seconds: value.seconds)
      case (nil, nil, nil):
        throw ValidationError("Say how long the output is to be: --factor, --speed or --duration.")
      default:
        throw ValidationError("--factor, --speed and --duration exclude each other; give one.")
      }
    }
  }
}

import ArgumentParser
import ScaleAudio

/// The length of the output.
struct TimeOptions: ParsableArguments {
  @Option(
    name: [.customShort("f", allowingJoined: true), .long], parsing: .unconditional,
    help: ArgumentHelp(
      "Output length / input length, 0.01 to 100: 1.5, 3/2 or 150%.",
      discussion: "Several, as in 0.9,1.1, make one output each; so do speeds and pitches.",
      valueName: "factor"),
    transform: { try SeveralValues($0, each: FactorValue.init) })
  var factor: SeveralValues<FactorValue>?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Playback speed, 1 / factor: 1.25 or 1.25x.", valueName: "speed"),
    transform: { try SeveralValues($0, each: SpeedValue.init) })
  var speed: SeveralValues<SpeedValue>?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Length of the output: seconds, 1:30 or 1:02:03.5.", valueName: "time"),
    transform: DurationValue.init)
  var duration: DurationValue?

  /// Throws if more than one length is given.
  func validateAtMostOne() throws {
    if [factor != nil, speed != nil, duration != nil].count(where: { $0 }) > 1 {
      throw ValidationError("--factor, --speed and --duration exclude each other; give one.")
    }
  }

  /// The lengths that these options give.
  var all: [TimeRequest] {
    if let factor { return factor.values.map { .factor($0.factor) } }
    if let speed { return speed.values.map { .speed($0.factor) } }
    return duration.map { [.duration(seconds: $0.seconds)] } ?? []
  }

  /// The factors that these options give, speeds as factors.
  var factors: [TimeFactor] {
    factor?.values.map(\.factor) ?? speed?.values.map(\.factor) ?? []
  }

  /// The first length that these options give; `nil` if they give none.
  var given: TimeRequest? { all.first }
}

/// The value of `--factor`: `1.5`, `3/2` or `150%`.
struct FactorValue {
  let factor: TimeFactor

  init(_ text: String) throws {
    guard let factor = Self.number(text).flatMap({ TimeFactor($0) }) else {
      throw ValidationError("a factor is a number within 0.01 to 100, such as 1.5, 3/2 or 150%")
    }
    self.factor = factor
  }

  private static func number(_ text: String) -> Double? {
    if text.hasSuffix("%") { return Decimal.value(text.dropLast()).map { $0 / 100 } }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    switch parts.count {
    case 1: return Decimal.value(parts[0])
    case 2:
      guard let above = Decimal.value(parts[0]), let below = Decimal.value(parts[1]), below > 0
      else { return nil }
      return above / below
    default: return nil
    }
  }
}

/// The value of `--speed`: `1.25` or `1.25x`.
struct SpeedValue {
  let factor: TimeFactor

  init(_ text: String) throws {
    let number = text.hasSuffix("x") ? text.dropLast() : text[...]
    guard let speed = Decimal.value(number), speed > 0, let factor = TimeFactor(speed: speed)
    else { throw ValidationError("a speed is a number within 0.01 to 100, such as 1.25 or 1.25x") }
    self.factor = factor
  }
}

/// The value of `--duration`: seconds, `1:30` or `1:02:03.5`.
struct DurationValue {
  /// The longest duration, in seconds: 10,000 hours.
  private static let longest = 36_000_000.0

  let seconds: Double

  init(_ text: String) throws {
    guard let seconds = Decimal.seconds(text), seconds > 0, seconds <= Self.longest else {
      throw ValidationError(
        "a duration is above 0 and up to 10000 hours, such as 90, 1:30 or 1:02:03.5")
    }
    self.seconds = seconds
  }
}

import ArgumentParser
import ScaleAudio

/// The length of the output.
struct TimeOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Tempo at the same pitch: 0.7 is slower, 1.25, 1.25x, 5/4 or 125% faster.",
      discussion: "Selects --method stretch.", valueName: "tempo"),
    transform: { try SeveralValues($0, each: SpeedValue.init) })
  var tempo: SeveralValues<SpeedValue>?

  @OptionGroup var others: LengthOptions

  /// Throws if more than one length is given.
  func validateAtMostOne() throws {
    if tempo != nil, !others.all.isEmpty { throw LengthOptions.severalLengths }
    try others.validateAtMostOne()
  }

  /// The lengths that these options give.
  var all: [TimeRequest] { tempo?.values.map { .tempo($0.factor) } ?? others.all }

  /// The factors that these options give, tempos and speeds as factors.
  var factors: [TimeFactor] { tempo?.values.map(\.factor) ?? others.factors }

  /// The method of a length that is given so: a tempo keeps the pitch, a speed moves it cleanly, and the others are
  /// arithmetic.
  var impliedMethod: ScalingMethod.Kind {
    tempo != nil ? .stretch : others.speed != nil ? .sinc : .smoothstep
  }

  /// The first length that these options give; `nil` if they give none.
  var given: TimeRequest? { all.first }
}

/// The length of an output whose pitch does not matter.
struct LengthOptions: ParsableArguments {
  @Option(
    name: [.customShort("f", allowingJoined: true), .long], parsing: .unconditional,
    help: ArgumentHelp(
      "Output length / input length, 0.01 to 100: 1.5, 1.5x, 3/2 or 150%.",
      discussion: "Several, as in 0.9,1.1, make one output each; so do tempos, speeds and pitches.",
      valueName: "factor"),
    transform: { try SeveralValues($0, each: FactorValue.init) })
  var factor: SeveralValues<FactorValue>?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Speed and pitch together, as with tape: 1.02, 1.02x, 25/24 or 102%.",
      discussion:
        "Its default method is sinc. With --preset podcast, draft or practice, which are for the same pitch, and with --pitch or --engine, it is as --tempo.",
      valueName: "speed"),
    transform: { try SeveralValues($0, each: SpeedValue.init) })
  var speed: SeveralValues<SpeedValue>?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Length of the output: 90, 90s, 500ms, 1:30, 1:02:03.5 or 90000f for frames.",
      valueName: "time"),
    transform: DurationValue.init)
  var duration: DurationValue?

  fileprivate static let severalLengths = ValidationError(
    "--factor, --tempo, --speed and --duration exclude each other; give one.")

  /// Throws if more than one length is given.
  func validateAtMostOne() throws {
    if [factor != nil, speed != nil, duration != nil].count(where: { $0 }) > 1 {
      throw Self.severalLengths
    }
  }

  /// The lengths that these options give.
  var all: [TimeRequest] {
    if let factor { return factor.values.map { .factor($0.factor) } }
    if let speed { return speed.values.map { .speed($0.factor) } }
    switch duration?.time {
    case .seconds(let seconds): return [.duration(seconds: seconds)]
    case .frames(let frames): return [.frames(frames)]
    case nil: return []
    }
  }

  /// The factors that these options give, speeds as factors.
  var factors: [TimeFactor] { factor?.values.map(\.factor) ?? speed?.values.map(\.factor) ?? [] }
}

/// The values of one option, joined by commas: `0.9,1.0,1.1`.
struct SeveralValues<Value> {
  /// At least one.
  let values: [Value]

  /// The maximum number of values in one option.
  private static var most: Int { 1000 }

  /// Parses each part of a text; throws for a part that may have a decimal comma.
  init(_ text: String, each: (String) throws -> Value) throws {
    if let comma = DecimalComma(text) { throw ValidationError(comma.answerForValues) }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if parts.count > Self.most { throw ValidationError("at most \(Self.most) values are possible") }
    values = try parts.map(each)
  }
}

/// The value of `--factor`: `1.5`, `1.5x`, `3/2` or `150%`.
struct FactorValue {
  let factor: TimeFactor

  init(_ text: String) throws {
    guard let factor = Decimal.ratio(text).flatMap({ TimeFactor($0) }) else {
      throw ValidationError(
        refusing: text, "a factor is a number within 0.01 to 100, such as 1.5, 3/2 or 150%")
    }
    self.factor = factor
  }
}

/// The value of `--tempo` and `--speed`: `1.25`, `1.25x`, `5/4` or `125%`.
struct SpeedValue {
  let factor: TimeFactor

  /// Plain numbers above it are percentages by mistake.
  private static let mostPlain = 10.0

  /// The percentage that a signed one asks for, as other programs take it: `110%` for `+10%`; `nil` for any other text.
  private static func change(_ text: String) -> String? {
    guard let sign = text.first, sign == "+" || sign == "-", text.hasSuffix("%"),
      let ratio = Decimal.ratio(text.dropFirst())
    else { return nil }
    let speed = sign == "+" ? 1 + ratio : 1 - ratio
    guard speed > 0, TimeFactor(speed: speed) != nil else { return nil }
    return "\(Quantities.significant(speed * 100, 6))%"
  }

  init(_ text: String) throws {
    if let number = Decimal.value(text), number > Self.mostPlain, number.isFinite {
      let isPossible = TimeFactor.range.contains(1 / number)
      throw ValidationError(
        "\(text) is \(text) times as fast; for \(text) per cent write \(text)%"
          + (isPossible ? ", for \(text) times \(text)x" : ""))
    }
    if let change = Self.change(text) {
      throw ValidationError(
        "\(text) is a change, and a speed or a tempo is a ratio; write \(change)")
    }
    guard let speed = Decimal.ratio(text), speed > 0, let factor = TimeFactor(speed: speed) else {
      throw ValidationError(
        refusing: text,
        "a speed or a tempo is a number within 0.01 to 100, such as 1.25, 5/4 or 125%")
    }
    self.factor = factor
  }
}

/// The value of `--duration`: `90`, `90s`, `500ms`, `1:30`, `1:02:03.5` or `90000f`.
struct DurationValue {
  /// The maximum length, in seconds: 10,000 hours.
  private static let longest = 36_000_000.0

  let time: TypedTime

  init(_ text: String) throws {
    guard let time = TypedTime(text), Self.isPossible(time) else {
      throw ValidationError(
        refusing: text,
        "a duration is above 0 and up to 10000 hours, such as 90, 500ms, 1:30, 1:02:03.5 or 90000f")
    }
    self.time = time
  }

  private static func isPossible(_ time: TypedTime) -> Bool {
    switch time {
    case .seconds(let seconds): seconds > 0 && seconds <= longest
    case .frames(let frames): frames > 0
    }
  }
}

/// A number or time with one comma, between digits, where it may stand for a decimal point: `1,5`, `-0,5`,
/// `1:30,5` or `1,5x`, but not `0.9,1.1`.
struct DecimalComma {
  private let whole, fraction, unit: Substring

  init?(_ text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let digits = parts[1].prefix { $0.isASCII && $0.isNumber }
    let unit = parts[1].dropFirst(digits.count)
    let isWhole = parts[0].drop { $0 == "-" || $0 == "+" }
      .allSatisfy { $0 == ":" || $0.isASCII && $0.isNumber }
    guard isWhole, parts[0].last?.isNumber == true, !digits.isEmpty,
      unit.allSatisfy({ $0 == "%" || $0.isASCII && $0.isLetter })
    else { return nil }
    (whole, fraction, self.unit) = (parts[0], digits, unit)
  }

  /// The correction for an option with one value.
  var answer: String { "use a point for decimals: \(whole).\(fraction)\(unit)" }
  /// The correction for an option with several values.
  var answerForValues: String {
    answer + ", or for two values write \(whole).0,\(fraction).0\(unit)"
  }
}

/// A time code of film, whose last number counts pictures: `00:00:03:12`, `01:00:00;00`.
struct TimeCode {
  private let time: Substring
  private let pictures: Int

  init?(_ text: String) {
    guard let code = text.wholeMatch(of: /(\d+:\d\d:\d\d)[:;](\d\d)/),
      let pictures = Int(code.2)
    else { return nil }
    (time, self.pictures) = (code.1, pictures)
  }

  /// The correction, for the commonest rate that has so many pictures a second.
  var answer: String {
    let rate = pictures < 25 ? 25 : pictures < 30 ? 30 : 60
    let hundredths = (100 * pictures + rate / 2) / rate
    return "the last number of a time code counts pictures; for \(rate) a second, write "
      + "\(time).\(hundredths < 10 ? "0" : "")\(hundredths)"
  }
}

extension ValidationError {
  /// The refusal of a typed number or time, with its rule; a decimal comma and a time code get their own explanations.
  init(refusing text: String, _ rule: String) {
    self.init(DecimalComma(text)?.answer ?? TimeCode(text)?.answer ?? rule)
  }
}

public import ArgumentParser
public import ScaleAudio

/// The method that changes the length, and the pitch.
struct MethodOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Scaling method: see METHODS. Default: smoothstep; stretch for --tempo, sinc for --speed.",
      valueName: "method"))
  var method: ScalingMethod.Kind?

  @Option(
    help: ArgumentHelp(
      "Quality of sinc and --rate: fast, high or best. Default: high.",
      discussion: "For stretch, all three are the same."))
  var quality: ScalingQuality?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Change the pitch with stretch: -2, 0.5 or 2st semitones, +30c cents, up to 48 semitones.",
      discussion: "Without a length, the length stays.", valueName: "pitch"),
    transform: { try SeveralValues($0, each: PitchValue.init) })
  var pitch: SeveralValues<PitchValue>?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Change the tempo over time, with stretch: a file of lines 'source-time output-time'.",
      discussion: """
        Times are seconds (12.5, 1:30.25) or frames (551250f), increasing to the end of the audio; # \
        begins a comment.
        """, valueName: "file"),
    completion: .file())
  var map: String?

  func validate() throws {
    if map == "" || map == "-" { throw ValidationError("--map needs the path of a text file.") }
  }
}

/// The options of the `stretch` engines that only conversions take.
struct EngineOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Engine of stretch: vocoder or r3. Default: vocoder.",
      discussion: """
        r3 is Rubber Band, in builds with it: swift build --traits default,RubberBand. It takes ten times as long, and \
        is ahead for the pulses of made voices and, by a little, for tones; QUALITY.md has the measurements.
        """, valueName: "engine"))
  var engine: StretchSettings.Engine?

  @Option(
    help: ArgumentHelp(
      "With --pitch, shift the formants of voices and instruments too, or preserve them. Default: shift.",
      valueName: "what"))
  var formants: StretchSettings.Formants?
}

/// The method that the options of a command choose.
struct MethodChoice {
  let method: ScalingMethod.Kind?
  let quality: ScalingQuality?
  let pitch: SeveralValues<PitchValue>?
  let map: String?
  let engine: StretchSettings.Engine?
  let formants: StretchSettings.Formants?
  private let time: TimeOptions
  /// True if a length is given that keeps the pitch unless a method says otherwise.
  private let keepsPitch: Bool

  init(
    _ options: MethodOptions, _ engine: EngineOptions, _ time: TimeOptions, keepsPitch: Bool = false
  ) {
    self.time = time
    self.keepsPitch = keepsPitch
    (method, quality) = (options.method, options.quality)
    (pitch, map) = (options.pitch, options.map)
    (self.engine, formants) = (engine.engine, engine.formants)
  }

  private func validateMethod() throws {
    if kind != .stretch { return try refuseOptionsOfStretch() }
    try checkThatStretchIsAvailable()
    if formants != nil && pitch == nil {
      throw ValidationError("--formants needs --pitch.")
    }
  }

  /// Throws for options that exclude each other, for more than one kind of length, and for one that the method does not
  /// support.
  func validate(resamples: Bool) throws {
    try time.validateAtMostOne()
    try validateMethod()
    if let quality, value.interpolation != nil, !resamples {
      throw ValidationError(
        "--quality \(quality.rawValue) does not apply to \(kind.rawValue); "
          + "use --method sinc.")
    }
    if time.given != nil && map != nil {
      throw ValidationError(
        "--map sets the length; leave out --factor, --tempo, --speed and --duration.")
    }
    if case .stretch(let settings) = value { try checkFactors(time, settings.engine) }
  }

  private func checkFactors(
    _ time: TimeOptions, _ engine: StretchSettings.Engine
  ) throws(ValidationError) {
    for factor in time.factors.map(\.value) where !engine.factorRange.contains(factor) {
      let isRange = !StretchSettings.factorRange.contains(factor)
      let range = isRange ? StretchSettings.factorRange : engine.factorRange
      let other = time.tempo == nil ? "--method sinc" : "--speed moves the pitch too, and"
      throw ValidationError(
        "A factor of \(factor) is not within \(range.lowerBound) to \(Int(range.upperBound)), "
          + (isRange
            ? "the range of --method stretch; \(other) supports more."
            : "the range of --engine \(engine.rawValue); --engine vocoder supports more."))
    }
  }

  /// True if a length or a pitch is given.
  var hasLength: Bool { time.given != nil || map != nil || pitch != nil }

  private func checkThatStretchIsAvailable() throws {
    do throws(ScalingError) {
      try value.check(factor: 1)
    } catch {
      guard case .unavailable(let engine) = error, let remedy = error.remedy else {
        throw ValidationError(error.fullCause)
      }
      throw ValidationError(
        "--engine \(engine.rawValue): this program was built without Rubber Band; \(remedy.sentence)."
      )
    }
  }

  private func refuseOptionsOfStretch() throws {
    if time.tempo != nil {
      throw ValidationError(
        "--tempo keeps the pitch, and \(kind.rawValue) moves it; use --speed, or leave out --method."
      )
    }
    if pitch != nil {
      throw ValidationError(
        "--pitch: \(kind.rawValue) changes pitch with speed; use --method stretch.")
    }
    let given = [
      (map != nil, "--map"), (formants != nil, "--formants"), (engine != nil, "--engine"),
    ]
    if let option = given.first(where: \.0)?.1 {
      throw ValidationError(
        "\(option) does not apply to \(kind.rawValue); use --method stretch.")
    }
  }

  private var kind: ScalingMethod.Kind {
    let impliesStretch =
      keepsPitch || pitch != nil || map != nil || formants != nil || engine != nil
    return method ?? (impliesStretch ? .stretch : time.impliedMethod)
  }

  /// True if no option chooses a method, and none implies one.
  var isDefault: Bool { method == nil && kind == .smoothstep }

  /// The method with its settings, and the first pitch.
  var value: ScalingMethod { value(pitch?.values[0]) }

  /// The method with its settings, for each pitch.
  var values: [ScalingMethod] { pitch?.values.map { value($0) } ?? [value(nil)] }

  /// What the names of outputs show of the method: what was chosen.
  var shownInNames: ShownMethod {
    var shown = ShownMethod()
    shown.method = method == nil ? nil : true
    shown.engine = engine != nil
    return shown
  }

  private func value(_ pitch: PitchValue?) -> ScalingMethod {
    switch kind {
    case .smoothstep: .smoothstep
    case .linear: .linear
    case .sinc: .sinc(quality: quality ?? .high)
    case .stretch: .stretch(stretchSettings(pitch))
    }
  }

  private func stretchSettings(_ pitch: PitchValue?) -> StretchSettings {
    StretchSettings(
      engine: engine ?? .vocoder, semitones: pitch?.semitones ?? 0, formants: formants ?? .shift)
  }
}

extension ScalingMethod.Kind: ExpressibleByArgument {}
extension ScalingQuality: ExpressibleByArgument {}
extension StretchSettings.Engine: ExpressibleByArgument {}
extension StretchSettings.Formants: ExpressibleByArgument {}

/// The value of `--pitch`: semitones as `-2`, `+0.5` or `2st`, or cents as `30c`.
struct PitchValue {
  let semitones: Double

  init(_ text: String) throws {
    let range = StretchSettings.semitoneRange
    guard let semitones = Self.semitones(text), range.contains(semitones) else {
      throw ValidationError(
        refusing: text,
        "a pitch is within \(Int(range.lowerBound)) to \(Int(range.upperBound)) semitones, "
          + "such as -2, 0.5, 2st or +30c")
    }
    self.semitones = semitones
  }

  private static func semitones(_ text: String) -> Double? {
    let isNegative = text.hasPrefix("-")
    let unsigned = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
    let isCents = unsigned.hasSuffix("c")
    let digits =
      isCents ? unsigned.dropLast() : unsigned.hasSuffix("st") ? unsigned.dropLast(2) : unsigned
    guard let number = Decimal.value(digits) else { return nil }
    let size = isCents ? number / 100 : number
    return isNegative && size != 0 ? -size : size
  }
}

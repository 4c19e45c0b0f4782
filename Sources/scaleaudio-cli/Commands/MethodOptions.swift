public import ArgumentParser
public import ScaleAudio

/// How the length, and the pitch, are changed.
struct MethodOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How the length is changed; METHODS tells which is for what. Default: smoothstep.",
      valueName: "method"))
  var method: ScalingMethod.Kind?

  @Option(help: "Quality of sinc and stretch: fast, high or best. Default: high.")
  var quality: ScalingQuality?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Move the pitch, by stretch: -2, 0.5 or 2st semitones, +30c cents, up to 48 semitones.",
      discussion: "Alone it keeps the length.", valueName: "pitch"),
    transform: PitchValue.init)
  var pitch: PitchValue?

  @Option(
    help: ArgumentHelp(
      "Resonances of voices and instruments with --pitch: they shift too, or preserve keeps them.",
      valueName: "what"))
  var formants: StretchSettings.Formants?

  @Option(
    help: ArgumentHelp(
      "Attacks, by stretch: crisp, mixed or smooth. Default: crisp.",
      discussion: "mixed and smooth are of --quality fast alone, and choose it.", valueName: "how"))
  var transients: StretchSettings.Transients?

  @Option(
    help: ArgumentHelp(
      "Change the length from moment to moment, by stretch: a file of lines 'source-time output-time'.",
      discussion: """
        Times are seconds (12.5, 1:30.25) or frames (551250f), increasing, up to the end of the audio; \
        # begins a comment.
        """, valueName: "file"))
  var map: String?

  func validate() throws {
    if map == "" || map == "-" { throw ValidationError("--map needs the path of a text file.") }
    if let quality, value.interpolation != nil {
      throw ValidationError(
        "--quality \(quality.rawValue) means nothing for \(kind.rawValue); "
          + "use --method sinc or stretch.")
    }
    if kind != .stretch { return try refuseOptionsOfStretch() }
    try checkThatStretchIsHere()
    if formants != nil && pitch == nil {
      throw ValidationError("--formants is about a pitch that moves; give --pitch too.")
    }
    if let transients, transients != .crisp, let quality, quality != .fast {
      throw ValidationError(
        "--transients \(transients.rawValue) is of --quality fast; "
          + "\(quality.rawValue) keeps attacks crisp.")
    }
  }

  private func checkThatStretchIsHere() throws {
    do throws(ScalingError) {
      try value.check(factor: 1)
    } catch {
      guard case .unavailable(_, let remedy) = error else { throw ValidationError(error.cause) }
      throw ValidationError("\(nameOfStretch) is not here: \(remedy).")
    }
  }

  private func refuseOptionsOfStretch() throws {
    if pitch != nil {
      throw ValidationError(
        "--pitch: \(kind.rawValue) changes pitch with speed; use --method stretch.")
    }
    let given = [
      (map != nil, "--map"), (formants != nil, "--formants"), (transients != nil, "--transients"),
    ]
    if let option = given.first(where: \.0)?.1 {
      throw ValidationError(
        "\(option) means nothing for \(kind.rawValue); use --method stretch.")
    }
  }

  /// The option that asks for stretch.
  private var nameOfStretch: String {
    if method != nil { return "--method stretch" }
    return pitch != nil ? "--pitch" : map != nil ? "--map" : "--method stretch"
  }

  private var kind: ScalingMethod.Kind {
    let impliesStretch = pitch != nil || map != nil || formants != nil || transients != nil
    return method ?? (impliesStretch ? .stretch : .smoothstep)
  }

  /// What was asked for.
  var value: ScalingMethod {
    switch kind {
    case .smoothstep: .smoothstep
    case .linear: .linear
    case .sinc: .sinc(quality: quality ?? .high)
    case .stretch: .stretch(stretchSettings)
    }
  }

  private var stretchSettings: StretchSettings {
    let transients = transients ?? .crisp
    return StretchSettings(
      quality: quality ?? (transients == .crisp ? .high : .fast),
      semitones: pitch?.semitones ?? 0, formants: formants ?? .shift, transients: transients)
  }
}

extension ScalingMethod.Kind: ExpressibleByArgument {}
extension ScalingQuality: ExpressibleByArgument {}
extension StretchSettings.Formants: ExpressibleByArgument {}
extension StretchSettings.Transients: ExpressibleByArgument {}

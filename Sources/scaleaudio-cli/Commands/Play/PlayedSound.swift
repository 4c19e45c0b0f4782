import ArgumentParser
import AudioPlayer
import ScaleAudio

/// The sound of `play`: the output of a conversion, or a rate and a pitch of the live engine.
struct PlayedSound {
  /// The options as settings of `convert`.
  private(set) var settings: ConversionSettings
  /// The conversion of each file while it plays; `nil` for files as they are.
  let conversion: ConversionSettings?
  /// The length that the engine gives each file, if it depends on the file.
  private(set) var pace: TimeRequest?
  /// Input frames / output frames of the engine.
  let rate: Double
  let semitones: Double
  /// True if the names of outputs show the method; `nil` for the default rule.
  let shown: ShownMethod
  /// Notes that are printed before it plays.
  let notes: [String]

  /// The settings with which `convert` writes the sound at a rate and a pitch; `nil` if it has no such settings.
  func settings(rate: Double, semitones: Double) -> ConversionSettings? {
    if rate == self.rate, semitones == self.semitones { return settings }
    var result = settings
    if case .stretch = settings.method {
    } else {
      // One length by a method, another by the engine.
      if conversion?.time ?? .unchanged != .unchanged { return nil }
      result.method = .stretch(StretchSettings())
    }
    // The pace of a file, and a rate on top of it.
    if pace != nil, rate != self.rate { return nil }
    guard case .stretch(var stretch) = result.method else { return nil }
    stretch.semitones = semitones
    result.method = .stretch(stretch)
    if rate != self.rate || settings.time == .unchanged {
      guard let factor = TimeFactor(speed: rate) else { return nil }
      result.time = rate == 1 ? .unchanged : .tempo(factor)
    }
    return result
  }

  /// The same with a map for each file.
  func following(_ map: TimeMapRequest) -> PlayedSound {
    var result = self
    (result.settings.time, result.pace) = (.map(map), .map(map))
    return result
  }
}

extension PlayCommand {
  /// The request of the options.
  var sound: PlayedSound {
    var settings = ConversionSettings(
      time: time.given ?? .unchanged, method: method.value,
      channels: weights.channels(areMerged: mix.singleChannel))
    settings.part = part.part
    let isStretch = method.value.kind == .stretch
    var heard = settings
    if isStretch { (heard.time, heard.method) = (.unchanged, .smoothstep) }
    let isConverted = heard.time != .unchanged || heard.part != nil || heard.channels != .unchanged
    var notes: [String] = []
    let pace = isStretch && time.others.duration != nil ? time.given : nil
    if rate != 1 || semitones != 0 || pace != nil || method.map != nil {
      notes.append(
        "preview: length and pitch are those of convert; the samples may differ slightly"
      )
    } else if method.isDefault, heard.time != .unchanged {
      notes.append("the pitch changes too; --tempo keeps it, --speed is cleaner")
    }
    return PlayedSound(
      settings: settings, conversion: isConverted ? heard : nil, pace: pace, rate: rate,
      semitones: semitones, shown: method.shownInNames, notes: notes)
  }

  private var isStretch: Bool { method.value.kind == .stretch }
  private var rate: Double { isStretch ? time.factors.first?.speed ?? 1 : 1 }
  private var semitones: Double { method.value.semitones }

  /// Throws for what `play` cannot let a person hear.
  func validateSound() throws {
    // Rates that keys change have no use for the quality, and do not mind it.
    try method.validate(resamples: time.given == nil)
    if weights.downmix != nil && !mix.singleChannel {
      throw ValidationError("--downmix needs --single-channel.")
    }
    if level.isGiven {
      throw ValidationError(
        "--\(level.name) needs a scan of the whole file, which play does not do; use convert.")
    }
    if time.all.count > 1 || method.values.count > 1 {
      throw ValidationError("play takes one length and one pitch; convert takes several.")
    }
    guard isStretch else { return }
    if method.formants != nil {
      throw ValidationError("--formants does not apply to what plays live; convert has it.")
    }
    guard Player.rateRange.contains(rate) else {
      throw ValidationError("play stretches to rates of 0.25 to 4; convert goes further.")
    }
    guard Player.semitoneRange.contains(semitones) else {
      throw ValidationError("play shifts the pitch by up to 12 semitones; convert goes further.")
    }
  }

  /// How the player begins.
  var settings: PlayerSettings {
    var settings = PlayerSettings()
    settings.rate = rate
    settings.semitones = semitones
    settings.engine = method.engine ?? .vocoder
    settings.volume = Volume(level: Double(options.volume) / 100)
    settings.rounds = options.loop?.count ?? 1
    (settings.loopsList, settings.isShuffled) = (options.loopList, options.shuffle)
    settings.gain = options.gain
    return settings
  }
}

import ArgumentParser
internal import Glibc
import ScaleAudio

/// How each input is converted: the options that `convert` and `plan` share.
struct ConversionOptions: ParsableArguments {
  @OptionGroup(title: "Preset") var preset: PresetOptions
  @OptionGroup(title: "Length") var time: TimeOptions
  @OptionGroup(title: "Length") var tempo: TempoOptions
  @OptionGroup(title: "Part") var range: RangeOptions
  @OptionGroup(title: "Method") var methodOptions: MethodOptions
  @OptionGroup(title: "Method") var engineOptions: EngineOptions
  @OptionGroup(title: "Sound") var sound: SoundOptions
  @OptionGroup(title: "Channels") var layout: LayoutOptions
  @OptionGroup(title: "Depth") var depth: DepthOptions
  @OptionGroup(title: "Level") var level: LevelOptions
  @OptionGroup(title: "Tags") var tags: TagOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Beside the audio") var beside: SidecarOptions

  var method: MethodChoice {
    MethodChoice(methodOptions, engineOptions, time, keepsPitch: tempo.bpm != nil)
  }

  /// Throws for conflicting options. `others` checks those of the command before options that request nothing are
  /// refused.
  func check(_ track: TrackOptions, inputs: [String], others: () throws -> Void) throws {
    let keepsLength =
      sound.isGiven || depth.isGiven || level.normalize != nil || level.setsPeaks
      || track.track != nil || range.part != nil
      || level.guardsLevel && method.method == nil
      || tags.metadata != .keep
    try method.validate(resamples: sound.rate != nil)
    if tempo.bpm != nil, time.given != nil || method.map != nil {
      throw ValidationError(
        "--bpm sets the length; leave out --tempo, --speed, --factor, --duration and --map.")
    }
    let hasLength = method.hasLength || tempo.bpm != nil
    if !range.only.isEmpty {
      if method.map != nil {
        throw ValidationError("--only and --map exclude each other; give one.")
      }
      if level.isGiven || sound.rate != nil {
        throw ValidationError(
          "--only leaves the rest as it is; leave out --\(sound.rate != nil ? "rate" : level.name)."
        )
      }
      if !hasLength {
        throw ValidationError(
          "--only needs a length or a pitch: --tempo, --speed, --factor, --duration or --pitch.")
      }
    }
    if layout.downmix != nil && !sound.singleChannel {
      throw ValidationError("--downmix needs --single-channel.")
    }
    if let bits = depth.bits, let samples = sound.format?.sampleFormat, bits.format != samples {
      throw ValidationError(
        "--format names \(samples) samples and --bits \(bits.rawValue) others; give one.")
    }
    try depth.validate(
      for: sound.format?.format,
      inFloat: method.value.interpolation == nil || level.isGiven || sound.rate != nil)
    try others()
    // Any other error comes first.
    if !keepsLength && !hasLength && !output.isOtherFormat(than: inputs) {
      throw ValidationError(ConvertCommand.nothingAsked)
    }
  }

  /// The request of these options, without inputs.
  func request(_ input: InputOptions, _ track: TrackOptions) -> BatchRequest {
    var settings = ConversionSettings(
      time: lengths.first ?? .unchanged, method: method.value,
      channels: layout.channels(areMerged: sound.singleChannel), format: sound.format?.format,
      encoding: sound.encoding)
    settings.part = range.part
    settings.only = range.only.map(\.range)
    settings.allowsLayoutLoss = layout.allowLayoutLoss
    settings.level = level.change
    settings.sampleRate = sound.rate?.hertz
    settings.rateQuality = method.quality ?? .high
    settings.track = track.track
    depth.apply(to: &settings)
    settings.sampleFormat = settings.sampleFormat ?? sound.format?.sampleFormat
    tags.apply(to: &settings)
    var files = FilePolicy(
      existing: output.existing, salvages: sound.salvage, scalesSidecars: beside.sidecars,
      drawsPicture: beside.plot, keepsFileTimes: tags.keepMtime, syncsOutput: !output.noSync)
    files.raw = input.raw?.pcm
    files.refusesLosses = output.strict
    files.tagEncoding = tags.encoding.tagEncoding
    var batch = BatchRequest(
      inputs: [], destination: output.destination, suffix: output.suffix, settings: settings,
      files: files, walker: input.walker, resumes: output.resume)
    batch.base = output.base.map(RawArgument.path(of:))
    batch.template = output.name
    batch.keepsExtensions = output.keepExtension
    batch.shown = method.shownInNames
    batch.shown.quality = method.quality != nil && method.quality != preset.quality
    batch.skipsOutputs = !output.includeOutputs
    batch.otherSettings = Array(variants(of: settings).dropFirst())
    return batch
  }

  /// The file of a time map, which replaces the time of the settings; `nil` for none.
  var map: FilePath? { time.given == nil ? method.map.map(RawArgument.path) : nil }

  private var lengths: [TimeRequest] { time.all + tempo.all }

  /// The settings with each length and each pitch.
  private func variants(of settings: ConversionSettings) -> [ConversionSettings] {
    let times = lengths.isEmpty ? [settings.time] : lengths
    return times.flatMap { (time) in
      method.values.map { (method) in
        var variant = settings
        variant.time = time
        variant.method = method
        return variant
      }
    }
  }

  /// A hint about behavior that may be unexpected if no method was chosen.
  var hint: String? {
    let changesLength = time.others.duration != nil || time.factors.contains { $0.value != 1 }
    if method.isDefault, changesLength {
      return "hint: The pitch changed too. --tempo keeps it; --speed is cleaner."
    }
    let isSpeed = time.others.speed != nil && method.method == nil && method.value.kind == .sinc
    let isMusical = time.factors.contains { abs(12 * log2($0.value)) > Self.hintedSemitones }
    return isSpeed && isMusical ? "hint: The pitch moved with the speed. --tempo keeps it." : nil
  }

  /// A speed that moves the pitch further is hardly one of a tape, a film or training data: a whole tone.
  private static let hintedSemitones = 2.0
}

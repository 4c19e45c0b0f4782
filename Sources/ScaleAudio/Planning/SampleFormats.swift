internal import AudioFiles
internal import AudioIO
internal import AudioModel
internal import SystemPackage
internal import TimeScaling

/// The sample types of one conversion: as read, scaled and stored.
struct SampleFormats: Hashable {
  /// The type that represents the source: its stored type; for a lossy source 16 bits, or 32-bit floating point if
  /// more than 16 bits are requested.
  let read: SampleFormat
  /// True if samples are rounded to 16 bits when they are read.
  let roundsToInt16: Bool
  /// True if the user requested that; otherwise the reason is a lossy source.
  let forcesInt16: Bool
  /// True if scaled samples may exceed full scale, which interpolation between integers cannot do.
  let canClip: Bool
  /// How the output stores samples; `nil` for lossy codecs.
  let stored: SampleFormat?
  /// The noise added before samples are rounded to `stored`, never `auto`.
  let dither: Dither
  /// The dither to use if the level is changed, because every method then scales in floating point.
  let ditherOfGain: Dither
  /// Warnings for the user about the choice.
  let warnings: [AudioWarning]

  /// The type in which interpolation scales: the type in which samples are read, or `Double` if they are stored in
  /// another type, so that they are rounded once.
  var scaled: SampleFormat { stored.map { $0 == read ? read : .float64 } ?? read }

  /// The types for a source that is written as `format` to `path`; throws if the format cannot hold
  /// what was requested. If `interpolates`, samples are scaled in their own type, otherwise in floating point.
  init(
    source: SourceDescription, settings: ConversionSettings, format: AudioFormat,
    interpolates: Bool, path: FilePath
  ) throws(ConversionError) {
    let decoded: SampleFormat =
      settings.sampleFormat.map { $0.bitDepth > 16 } ?? false ? .float32 : .int16
    let read = settings.forcesInt16 ? .int16 : source.sampleFormat ?? decoded
    self.read = read
    forcesInt16 = settings.forcesInt16
    // Floating-point methods use the decoded samples of a lossy codec without rounding.
    roundsToInt16 = forcesInt16 || source.sampleFormat == nil && interpolates && decoded == .int16
    let readsIntegers = forcesInt16 || source.sampleFormat.map { !$0.isFloat } ?? false
    canClip = !interpolates || !readsIntegers
    var warnings: [AudioWarning] = []
    stored = try Self.stored(read, settings, format, path, &warnings)
    ditherOfGain = settings.dither.resolved(for: stored)
    let isFloatingPoint = !interpolates || read.isFloat
    let losesBits = stored.map { !$0.isFloat && !$0.holds(read) } ?? false
    let takesDither = isFloatingPoint || losesBits && settings.dither != .auto
    dither = takesDither ? ditherOfGain : .none
    let takesGain = settings.level.mayApply(canClip: canClip)
    if settings.dither == .tpdf, dither == .none, ditherOfGain == .none || !takesGain {
      let output = stored.map { "stored as \($0)" } ?? "encoded as \(format.name)"
      warnings.append(
        AudioWarning(.ignoredSetting, "dither is not applied: \(read) samples are \(output)"))
    }
    self.warnings = warnings
  }

  private static func stored(
    _ read: SampleFormat, _ settings: ConversionSettings, _ format: AudioFormat, _ path: FilePath,
    _ warnings: inout [AudioWarning]
  ) throws(ConversionError) -> SampleFormat? {
    if let asked = settings.sampleFormat {
      if format.sampleFormats.contains(asked) { return asked }
      if format.isLossless || settings.format != nil {
        throw .file(.cannotHold(path, reason: format.lack(of: asked), remedy: asked.remedy))
      }
      warnings.append(
        AudioWarning(.ignoredSetting, "\(format.lack(of: asked)); the one given is ignored"))
    }
    guard let stored = format.storage(for: read) else { return nil }
    if !stored.holds(read) {
      warnings.append(
        AudioWarning(.format, "\(format.name) holds no \(read) samples: stored as \(stored)"))
    }
    return stored
  }
}

extension AudioFormat {
  /// Why samples cannot be stored in a type: `FLAC holds no 32-bit float samples`.
  package func lack(of sampleFormat: SampleFormat) -> String {
    isLossless ? "\(name) holds no \(sampleFormat) samples" : "\(name) has no bit depth"
  }
}

extension SampleFormat {
  /// The formats that can hold such samples.
  package var remedy: Remedy {
    isFloat ? .useFormat(["wav", "caf"]) : .omit(.sampleFormat, orUseFormat: ["flac", "wav"])
  }
}

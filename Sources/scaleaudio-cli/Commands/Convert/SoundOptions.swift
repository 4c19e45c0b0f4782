public import ArgumentParser
public import ScaleAudio

/// Channels, format and encoder options.
struct SoundOptions: ParsableArguments {
  @OptionGroup var mix: MixOptions

  @Option(
    help: ArgumentHelp(
      "Output format, by name or extension; s16le and similar are raw. Default: that of the input, or the nearest writable one.",
      valueName: "ext"),
    completion: .list(AudioFormat.all.filter(\.isWritable).map(\.id)), transform: FormatValue.init)
  var format: FormatValue?

  @Option(
    help: ArgumentHelp(
      "Sample rate of the output: 48000 or 48k. Default: that of the source, or the nearest that the format holds.",
      discussion: "libsoxr resamples at --quality; sinc resamples and scales in one pass.",
      valueName: "hz"),
    transform: SampleRateValue.init)
  var rate: SampleRateValue?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Bit rate of a lossy output: 192k or 192000. Default: similar to the source.",
      valueName: "rate"),
    transform: BitRateValue.init)
  var bitrate: BitRateValue?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Quality of a lossy output on the scale of its codec (Vorbis: -1 to 10).",
      valueName: "quality"),
    transform: QualityValue.init)
  var encodingQuality: QualityValue?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "FLAC compression level, 0 (fast) to 8 (small).", valueName: "level"))
  var compressionLevel: Int?

  @Flag(help: "Convert damaged files as far as they decode, with a warning.")
  var salvage = false

  func validate() throws {
    if bitrate != nil && encodingQuality != nil {
      throw ValidationError("--bitrate and --encoding-quality exclude each other; give one.")
    }
    if let compressionLevel, !(0...8).contains(compressionLevel) {
      throw ValidationError("--compression-level \(compressionLevel) is not within 0 to 8.")
    }
    guard let format = format?.format else { return }
    if let rate, let supported = format.sampleRates, !supported.contains(rate.hertz) {
      let list = supported.map(String.init).joined(separator: ", ")
      let nearest = format.nearestRates(to: rate.hertz).map(String.init).joined(separator: " or ")
      throw ValidationError(
        "--rate \(rate.hertz): \(format.name) supports only \(list); give --rate \(nearest).")
    }
    let useless = [
      (bitrate != nil && !format.takesBitRate, "--bitrate"),
      (encodingQuality != nil && !format.takesQuality, "--encoding-quality"),
      (compressionLevel != nil && !format.takesCompressionLevel, "--compression-level"),
    ]
    if let option = useless.first(where: \.0)?.1 {
      throw ValidationError("\(option) does not apply to \(format.name).")
    }
  }

  var singleChannel: Bool { mix.singleChannel }

  /// True if the options request something even if the length stays.
  var isGiven: Bool {
    singleChannel || format != nil || rate != nil || bitrate != nil || encodingQuality != nil
      || compressionLevel != nil
  }

  /// The encoder options.
  var encoding: EncodingOptions {
    EncodingOptions(
      bitRate: bitrate?.bitsPerSecond, quality: encodingQuality?.quality,
      compressionLevel: compressionLevel)
  }
}

/// The option that merges channels.
struct MixOptions: ParsableArguments {
  @Flag(
    name: [.long, .customLong("mono")],
    help: "Mix all channels into one before scaling.")
  var singleChannel = false
}

/// The value of `--bitrate`: `192k` or `192000`.
struct BitRateValue {
  private static let range = 4_000...10_000_000

  /// Bits per second.
  let bitsPerSecond: Int

  init(_ text: String) throws {
    let isThousands = text.hasSuffix("k") || text.hasSuffix("K")
    guard let number = Decimal.value(isThousands ? text.dropLast() : text[...]),
      let rate = Int(exactly: (number * (isThousands ? 1000 : 1)).rounded()),
      Self.range.contains(rate)
    else {
      throw ValidationError(
        refusing: text, "a bit rate is within 4k to 10000k, such as 192k or 192000")
    }
    bitsPerSecond = rate
  }
}

/// The value of `--encoding-quality`: a number, which may be negative.
struct QualityValue {
  let quality: Double

  init(_ text: String) throws {
    let isNegative = text.hasPrefix("-")
    guard let number = Decimal.value(isNegative ? text.dropFirst() : text[...]), number <= 1000
    else { throw ValidationError(refusing: text, "a quality is a number such as 5 or -1") }
    quality = isNegative ? -number : number
  }
}

/// The value of `--format`: the name of a writable format, or its file name extension.
struct FormatValue {
  let format: AudioFormat
  /// The sample format that is part of the name of a raw encoding, as in `s24be`.
  var sampleFormat: SampleFormat?

  init(_ text: String) throws {
    let name = (text.hasPrefix(".") ? String(text.dropFirst()) : text).lowercased()
    if let raw = RawPCM.Encoding(rawValue: name), let samples = raw.sampleFormat {
      format = .raw(raw)
      sampleFormat = samples
      return
    }
    let known =
      AudioFormat.ofCodec(name) ?? AudioFormat.named(name) ?? AudioFormat.forExtension(name)
    guard let format = known, format.isWritable else {
      let names = AudioFormat.all.filter(\.isWritable).map(\.id).joined(separator: ", ")
      let verdict = known == nil ? "is not a format" : "is read but not written"
      throw ValidationError("it \(verdict); choose one of \(names)")
    }
    self.format = format
  }
}

/// Bit depth and sample format.
struct DepthOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Bit depth of the output: 8, 16, 24, 32, or f32 and f64 for floating point. Default: that of the source, or the nearest that the format holds; 16 for lossy sources.",
      valueName: "depth"))
  var bits: StoredBits?

  @Option(
    help: ArgumentHelp(
      "int16 rounds samples to 16 bits as they are read, whatever the source.",
      valueName: "format"))
  var sampleFormat: ReadFormat?

  @Option(
    help:
      "Noise added before rounding: tpdf (triangular, plus or minus one step, the same in every run), none, or auto: tpdf if floating point is rounded to 16 bits or fewer, which happens with floating-point sources, with sinc and stretch, and with a change of level. Silence stays silent."
  )
  var dither: Dither = .auto

  /// True if the options request something even if the length stays.
  var isGiven: Bool { bits != nil || sampleFormat != nil }

  func validate() throws {
    if sampleFormat == .int16, let bits, bits.format != .int16 {
      throw ValidationError(
        "--sample-format int16 and --bits \(bits.rawValue) exclude each other; give one.")
    }
    if dither == .tpdf, let bits, bits.format.isFloat {
      throw ValidationError("--dither does not apply to floating point.")
    }
  }

  /// Throws for options that do not apply to the given format, or to integers that are not scaled in floating point.
  func validate(for format: AudioFormat?, inFloat: Bool) throws {
    if dither == .tpdf, sampleFormat == .int16, !inFloat {
      throw ValidationError(
        "--sample-format int16 rounds without dither; use --bits 16 with --dither tpdf.")
    }
    guard let format else { return }
    if let bits, !format.sampleFormats.contains(bits.format) {
      throw ValidationError("\(format.lack(of: bits.format)); \(bits.format.remedy.sentence).")
    }
    if dither == .tpdf, !format.isLossless {
      throw ValidationError("--dither does not apply to \(format.name).")
    }
  }

  /// Adds these options to settings.
  func apply(to settings: inout ConversionSettings) {
    settings.sampleFormat = bits?.format
    settings.forcesInt16 = sampleFormat == .int16
    settings.dither = dither
  }
}

/// The value of `--bits`.
enum StoredBits: String, CaseIterable, ExpressibleByArgument {
  case int8 = "8"
  case int16 = "16"
  case int24 = "24"
  case int32 = "32"
  case float32 = "f32"
  case float64 = "f64"

  /// Reads the names of other programs too: `24-bit`, `s24`, `32f`, `float`, `float64`.
  init?(argument: String) {
    let name = argument.lowercased().replacing("-bit", with: "")
    switch name {
    case "float", "float32", "32f": self = .float32
    case "double", "float64", "64f": self = .float64
    default: self.init(rawValue: name.hasPrefix("s") ? String(name.dropFirst()) : name)
    }
  }

  var format: SampleFormat {
    switch self {
    case .int8: .int8
    case .int16: .int16
    case .int24: .int24
    case .int32: .int32
    case .float32: .float32
    case .float64: .float64
    }
  }
}

/// The value of `--sample-format`.
enum ReadFormat: String, CaseIterable, ExpressibleByArgument {
  case int16
}

extension Dither: ExpressibleByArgument {}

/// Channel positions and weights.
struct LayoutOptions: ParsableArguments {
  @OptionGroup var weights: DownmixOptions

  @Flag(
    help:
      "Write a channel layout that the format cannot express as the nearest one, with a warning.")
  var allowLayoutLoss = false

  var downmix: Downmix? { weights.downmix }

  /// The channels of the output; `areMerged` is whether they are mixed to one.
  func channels(areMerged: Bool) -> ChannelMix { weights.channels(areMerged: areMerged) }
}

/// The weights of channels that are merged.
struct DownmixOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Channel weights for --single-channel: mean, or itu (ITU-R BS.775). Default: mean.",
      valueName: "weights"))
  var downmix: Downmix?

  /// The channels of the output; `areMerged` is whether they are mixed to one.
  func channels(areMerged: Bool) -> ChannelMix {
    areMerged ? .mono(downmix ?? .mean) : .unchanged
  }
}

extension Downmix: ExpressibleByArgument {}

/// The level of a whole file.
struct LevelOptions: ParsableArguments {
  @Flag(
    name: .customLong("guard"),
    help:
      "Scan each file first, and lower it just enough to prevent clipping. Files that would not clip stay as they are."
  )
  var guardsLevel = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Scan each file first, and set its sample peak to -60 to 0 dB relative to full scale, such as -1. Prevents clipping too.",
      valueName: "peak-db"),
    transform: PeakValue.init)
  var normalize: PeakValue?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Scan each file first, and set its integrated loudness by EBU R 128, such as -16. By gain only, unless true peaks would exceed --true-peak: then peaks are limited.",
      valueName: "lufs"),
    transform: LoudnessValue.init)
  var loudness: LoudnessValue?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Highest true peak with --loudness and --limit, -60 to 0 dB. Default: -1.",
      valueName: "peak-db"),
    transform: PeakValue.init)
  var truePeak: PeakValue?

  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Limit true peaks above --true-peak, and leave everything else as it is. Part of --loudness, which with --no-limit stays quieter instead, with a warning."
    ))
  var limit: Bool?

  func validate() throws {
    if normalize != nil && loudness != nil {
      throw ValidationError("--normalize and --loudness exclude each other; give one.")
    }
    if normalize != nil && limit == true {
      throw ValidationError(
        "--normalize sets the highest peak by gain; use --loudness to raise the rest with --limit.")
    }
    if truePeak != nil && loudness == nil && limit != true {
      throw ValidationError("--true-peak needs --loudness or --limit.")
    }
  }

  /// True if the level may change.
  var isGiven: Bool { guardsLevel || normalize != nil || setsPeaks }

  /// True if the options request a change even of a file that would not clip.
  var setsPeaks: Bool { loudness != nil || limit == true }

  /// The name of the option that changes the level.
  var name: String {
    if loudness != nil { return "loudness" }
    return guardsLevel ? "guard" : normalize != nil ? "normalize" : "limit"
  }

  /// The change that the options request.
  var change: LevelChange {
    let highest = truePeak?.decibels ?? -1
    if let loudness {
      return .loudness(target: loudness.lufs, truePeak: highest, limits: limit ?? true)
    }
    if limit == true { return .limited(truePeak: highest) }
    if let normalize { return .normalized(peak: normalize.decibels) }
    return guardsLevel ? .guarded : .unchanged
  }
}

/// The value of `--normalize`: `-1`, `-0.5` or `-3dB`.
struct PeakValue {
  let decibels: Double

  init(_ text: String) throws {
    let number = text.lowercased().hasSuffix("db") ? text.dropLast(2) : text[...]
    let isNegative = number.hasPrefix("-")
    guard let value = Decimal.value(isNegative ? number.dropFirst() : number),
      ConversionSettings.peakRange.contains(isNegative ? -value : value)
    else {
      throw ValidationError(
        refusing: text, "a peak is a number within -60 to 0 dB, such as -1 or -0.5")
    }
    decibels = isNegative ? -value : value
  }
}

/// The value of `--loudness`: `-16`, `-23LUFS` or `-14.5`.
struct LoudnessValue {
  let lufs: Double

  init(_ text: String) throws {
    let lowered = text.lowercased()
    let number = lowered.hasSuffix("lufs") ? lowered.dropLast(4) : lowered[...]
    let isNegative = number.hasPrefix("-")
    guard let value = Decimal.value(isNegative ? number.dropFirst() : number),
      ConversionSettings.loudnessRange.contains(isNegative ? -value : value)
    else {
      throw ValidationError(
        refusing: text, "a loudness is a number of LUFS within -60 to 0, such as -16 or -23")
    }
    lufs = isNegative ? -value : value
  }
}

import ArgumentParser
import ScaleAudio

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

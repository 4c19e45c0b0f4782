import ArgumentParser
import ScaleAudio

/// How the output is to sound and be encoded.
struct SoundOptions: ParsableArguments {
  @Flag(
    name: [.long, .customLong("mono")],
    help: "Merge all channels into one, their mean, before scaling.")
  var singleChannel = false

  @Option(
    help: ArgumentHelp(
      "Format to write, by name or extension. Default: the input's, or the nearest that can be written.",
      valueName: "ext"),
    transform: FormatValue.init)
  var format: FormatValue?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Bit rate of a lossy output: 192k or 192000. Default: like the source's.", valueName: "rate"),
    transform: BitRateValue.init)
  var bitrate: BitRateValue?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Quality of a lossy output on its codec's own scale (Vorbis: -1 to 10).",
      valueName: "quality"),
    transform: QualityValue.init)
  var encodingQuality: QualityValue?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Effort of the FLAC encoder, 0 (fast) to 8 (small).", valueName: "level"))
  var compressionLevel: Int?

  @Flag(help: "Convert what can be decoded of damaged files, with a warning that says how much.")
  var salvage = false

  func validate() throws {
    if bitrate != nil && encodingQuality != nil {
      throw ValidationError("--bitrate and --encoding-quality exclude each other; give one.")
    }
    if let compressionLevel, !(0...8).contains(compressionLevel) {
      throw ValidationError("--compression-level \(compressionLevel) is not within 0 to 8.")
    }
    guard let format = format?.format else { return }
    let useless = [
      (bitrate != nil && !format.takesBitRate, "--bitrate"),
      (encodingQuality != nil && !format.takesQuality, "--encoding-quality"),
      (compressionLevel != nil && !format.takesCompressionLevel, "--compression-level"),
    ]
    if let option = useless.first(where: \.0)?.1 {
      throw ValidationError("\(option) means nothing for \(format.name).")
    }
  }

  /// The settings for a length and a way of dealing with existing outputs.
  func settings(
    time: TimeRequest, method: ScalingMethod, existing: ExistingOutput
  ) -> ConversionSettings {
    ConversionSettings(
      time: time, method: method, mergesChannels: singleChannel, format: format?.format,
      encoding: EncodingOptions(
        bitRate: bitrate?.bitsPerSecond, quality: encodingQuality?.quality,
        compressionLevel: compressionLevel),
      existing: existing, salvages: salvage)
  }
}

/// Which row of the table of formats is written for a source.
enum FormatChoice {
  /// The row that is written for audio that was read in `source` when none was asked for: its own, or
  /// the nearest that can be written; `nil` when there is none.
  static func written(for source: AudioFormat) -> AudioFormat? {
    var format = source
    // The table's fallbacks are few; the bound keeps a circle in it from hanging.
    for _ in AudioFormat.all {
      if format.isWritable { return format }
      guard let next = format.fallbackID.flatMap(AudioFormat.named) else { return nil }
      format = next
    }
    return nil
  }

  /// The row that holds so many bytes of audio under the name `path`: `format`, or its sibling for
  /// long files where the two share their names; `nil` when it is too long for both.
  static func holding(bytes: Int, format: AudioFormat, path: FilePath) -> AudioFormat? {
    guard let most = format.maximumBytes, bytes > most else { return format }
    guard let longer = format.fallbackID.flatMap(AudioFormat.named), longer.isWritable,
      longer.maximumBytes.map({ bytes <= $0 }) ?? true
    else { return nil }
    // RF64 files are WAV files by name (EBU Tech 3306: "the extension .wav").
    let sharesName = format.id == "wav" && longer.id == "rf64"
    let name = path.extension.map { $0.lowercased() }
    return sharesName || name == nil || longer.extensions.contains { $0 == name } ? longer : nil
  }

  /// What of the encoding options means nothing for `format`.
  static func warnings(about options: EncodingOptions, for format: AudioFormat) -> [String] {
    var warnings: [String] = []
    if format.isLossless && (options.bitRate != nil || options.quality != nil) {
      warnings.append("\(format.name) is lossless: the bit rate or quality asked for means nothing")
    }
    if options.compressionLevel != nil && format.library != .flac && format.library != .oggFLAC {
      warnings.append("\(format.name) has no compression level: the one asked for means nothing")
    }
    return warnings
  }

  /// Why `format` cannot say this audio, and what to do about it; `nil` when it can.
  static func refusal(
    of spec: AudioSpec, by format: AudioFormat
  ) -> (reason: String, remedy: String)? {
    if !format.channels.contains(spec.channelCount) {
      return (
        "\(format.name) cannot hold \(spec.channelCount) channels",
        "choose another --format, or --single-channel"
      )
    }
    if let rates = format.sampleRates, !rates.contains(spec.sampleRate) {
      return (
        "\(format.name) cannot hold a rate of \(spec.sampleRate) Hz", "choose another --format"
      )
    }
    return nil
  }
}

extension AudioFormat {
  /// Whether the encoder has a bit rate.
  public var takesBitRate: Bool { !isLossless }
  /// Whether the encoder has a quality on a scale of its own.
  ///
  /// libavcodec's AAC encoder has one, but more of it is not always better: 2 was measured to be
  /// worse than 1.5, and 4 worse than 1.
  public var takesQuality: Bool {
    !isLossless && codec != .opus && codec != .aac
  }
  /// Whether the encoder has a compression level.
  public var takesCompressionLevel: Bool { codec == .flac }

  /// The options that this format's encoder has a use for, and a sentence about each of the others.
  package func usable(
    _ options: EncodingOptions
  ) -> (options: EncodingOptions, warnings: [String]) {
    var usable = options
    var warnings: [String] = []
    if options.bitRate != nil && !takesBitRate {
      usable.bitRate = nil
      warnings.append("\(name) has no bit rate; the one given is ignored")
    }
    if options.quality != nil && !takesQuality {
      usable.quality = nil
      warnings.append("\(name) has no encoding quality; the one given is ignored")
    }
    if options.compressionLevel != nil && !takesCompressionLevel {
      usable.compressionLevel = nil
      warnings.append("\(name) has no compression level; the one given is ignored")
    }
    return (usable, warnings)
  }
}

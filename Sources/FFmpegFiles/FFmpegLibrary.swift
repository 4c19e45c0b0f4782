package import AudioIO
package import AudioModel
package import SystemPackage

/// FFmpeg's libraries: what they demux and decode, and what is encoded by libavcodec.
package enum FFmpegLibrary: DemuxingLibrary {
  package static var failure: String? { LibAVSetup.failure.map(LibAVSetup.lack) }

  package static func check(_ path: FilePath) throws(AudioFileError) {
    try LibAVSetup.check(path)
  }

  package static func sniff(
    _ input: borrowing InputFile
  ) throws(AudioFileError) -> (format: AudioFormat, isCertain: Bool)? {
    try LibAVSniffer(input).map { ($0.format, $0.isCertain) }
  }

  package static func reader(
    for input: borrowing InputFile, format: AudioFormat, options: ReadingOptions
  ) throws(AudioFileError) -> any AudioFileReader {
    try LibAVReader(
      input, format: format, track: options.track, salvaging: options.salvages,
      estimating: options.estimates)
  }

  package static func writer(
    to output: borrowing OutputFile, as description: OutputDescription
  ) throws(AudioFileError) -> any AudioFileWriter {
    guard description.format.packets != nil else {
      throw .encoderFailed(
        output.path, reason: "\(description.format.name) files are read but not written")
    }
    return try LibAVWriter(output, description)
  }

  /// What libavcodec's ALAC encoder takes.
  package static func sampleFormats(of format: AudioFormat) -> [SampleFormat] {
    [.int16, .int24]
  }

  package static func canState(_ layout: ChannelLayout, in format: AudioFormat) -> Bool {
    guard let packets = format.packets else { return false }
    return EncoderLayout(layout, codec: packets.codec) != nil
  }
}

extension AudioFormat {
  /// The row for a file of this format whose audio is lossless or not, which decides what is written
  /// in its place.
  ///
  /// `formatName` is what FFmpeg calls the format, for the row of those that have none of their own.
  func holding(isLossless: Bool, formatName: String) -> AudioFormat {
    guard library.type == FFmpegLibrary.self else { return self }
    if packets != nil {
      return isLossless ? losslessID.flatMap(FFmpegLibrary.format(named:)) ?? self : self
    }
    var fallback = fallbackID
    if isLossless, fallback == "m4a" {
      // Video stays in the family of MP4, with its lossless codec.
      fallback = ["mka", "webm", "wma", "av"].contains(id) ? "flac" : "m4a-alac"
    }
    return AudioFormat(
      id: id, name: id == "av" ? formatName : name, extensions: extensions, container: container,
      library: library,
      isLossless: isLossless, isWritable: false, fallbackID: fallback)
  }
}

/// Opening and creating audio files: the one place that chooses a library for a format.
package enum AudioFiles {
  /// The highest sample rate that is taken for real, in Hz.
  package static let highestSampleRate = 10_000_000
  /// The most channels that are taken for real.
  package static let mostChannels = 256

  /// Opens an audio file; its format is told by its content.
  ///
  /// A damaged file is an error, here or while reading, unless `salvaging`: then the description counts
  /// what decodes, a warning says how much that is, and the rest is left out.
  package static func reader(
    for input: borrowing InputFile, salvaging: Bool
  ) throws(AudioFileError) -> any AudioFileReader {
    guard let format = try ContentSniffer.format(of: input) else { throw .notAudio(input.path) }
    switch format.library {
    case .flac, .oggFLAC: return try FLACReader(input, format: format, salvaging: salvaging)
    case .sndFile: return try SndFileReader(input, format: format, salvaging: salvaging)
    case .vorbis: return try VorbisReader(input, format: format, salvaging: salvaging)
    case .libAV: throw .notAudio(input.path)
    }
  }

  /// Begins an audio file in `output`, which the caller commits after ``AudioFileWriter/finish()``.
  package static func writer(
    to output: borrowing OutputFile, as description: OutputDescription
  ) throws(AudioFileError) -> any AudioFileWriter {
    #if FFmpeg
      if description.format.packets != nil { return try LibAVWriter(output, description) }
    #endif
    switch description.format.library {
    case .flac, .oggFLAC: return try FLACWriter(output, description)
    case .sndFile: return try SndFileWriter(output, description)
    case .vorbis: return try VorbisWriter(output, description)
    case .libAV:
      throw .encoderFailed(
        output.path, reason: "\(description.format.name) files are read but not written")
    }
  }
}

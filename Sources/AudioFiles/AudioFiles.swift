/// Opening and creating audio files: the one place that chooses a library for a format.
package enum AudioFiles {
  /// The highest sample rate that is taken for real, in Hz.
  package static let highestSampleRate = 10_000_000
  /// The most channels that are taken for real.
  package static let mostChannels = 256

  /// Opens an audio file; its format is told by its content.
  ///
  /// A damaged file is an error, here or while reading, unless `salvaging`: then the description counts
  /// what decodes, a warning says how much that is, and the rest is left out. `track` chooses among the
  /// tracks of audio, from 1 on. A reader that is `estimating` takes a length for granted that could
  /// only be found out by decoding everything; what it reads is not held to that.
  package static func reader(
    for input: borrowing InputFile, salvaging: Bool, track: Int? = nil, estimating: Bool = false
  ) throws(AudioFileError) -> any AudioFileReader {
    guard let format = try ContentSniffer.format(of: input) else { throw .notAudio(input.path) }
    #if FFmpeg
      if format.library == .libAV {
        return try LibAVReader(
          input, format: format, track: track, salvaging: salvaging, estimating: estimating)
      }
    #endif
    if let track, track != 1 {
      throw .unsupported(
        input.path, reason: "there is no audio track \(track), only one; leave --track away")
    }
    if format.isInOgg {
      return try OggReading.reader(for: input, salvaging: salvaging) {
        (stream, format) throws(AudioFileError) in
        try reader(for: stream, format: format, salvaging: salvaging)
      }
    }
    return try reader(for: input, format: format, salvaging: salvaging)
  }

  private static func reader(
    for input: borrowing InputFile, format: AudioFormat, salvaging: Bool
  ) throws(AudioFileError) -> any AudioFileReader {
    do throws(AudioFileError) {
      switch format.library {
      case .flac, .oggFLAC: return try FLACReader(input, format: format, salvaging: salvaging)
      case .sndFile: return try SndFileReader(input, format: format, salvaging: salvaging)
      case .vorbis: return try VorbisReader(input, format: format, salvaging: salvaging)
      case .libAV: throw .notAudio(input.path)
      }
    } catch {
      guard let reader = otherReader(for: input, format: format, salvaging: salvaging, after: error)
      else { throw error }
      return reader
    }
  }

  /// A reader of FFmpeg's for a variant of a format that the format's own library does not handle,
  /// such as MP3 in WAV; `nil` where it does not handle it either.
  private static func otherReader(
    for input: borrowing InputFile, format: AudioFormat, salvaging: Bool,
    after error: AudioFileError
  ) -> (any AudioFileReader)? {
    #if FFmpeg
      guard case .sndFile = format.library else { return nil }
      switch error {
      case .unsupported, .malformed: break
      default: return nil
      }
      let reader = try? LibAVReader(input, format: format, track: nil, salvaging: salvaging)
      // What libsndfile knows and calls damaged is damaged.
      let known = ["PCM", "ADPCM", "GSM", "MP3"]
      guard let reader, !known.contains(where: reader.source.codec.hasPrefix) else { return nil }
      return reader
    #else
      return nil
    #endif
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

extension AudioFormat {
  /// Whether its container is Ogg.
  fileprivate var isInOgg: Bool { ["ogg", "oga", "opus"].contains(id) }
}

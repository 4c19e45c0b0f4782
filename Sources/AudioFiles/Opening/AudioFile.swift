package import AudioIO
internal import SndFileFiles

/// Opening and creating audio files: the one place that chooses a library for a format.
package enum AudioFile {
  /// Opens an audio file; its content decides the format.
  ///
  /// A damaged file is an error, here or while reading, unless `salvaging`: then the description counts
  /// what decodes, a warning says how much that is, and the rest is left out. `track` chooses among the
  /// audio tracks, from 1. A reader that is `estimating` accepts a length that could only be found by
  /// decoding everything; what it reads may differ from that length.
  package static func reader(
    for input: borrowing InputFile, salvaging: Bool, track: Int? = nil, estimating: Bool = false
  ) throws(AudioFileError) -> any AudioFileReader {
    guard let format = try ContentSniffer.format(of: input) else { throw .notAudio(input.path) }
    let options = ReadingOptions(track: track, salvages: salvaging, estimates: estimating)
    if format.library.type is any DemuxingLibrary.Type {
      return try format.library.type.reader(for: input, format: format, options: options)
    }
    if let track, track != 1 {
      throw .unsupported(
        input.path, reason: "there is no audio track \(track), only one",
        remedy: .omit(.track, orUseFormat: []))
    }
    if format.container == .ogg {
      return try OggReading.reader(for: input, salvaging: salvaging) {
        (stream, format) throws(AudioFileError) in
        try reader(for: stream, format: format, options: options)
      }
    }
    return try reader(for: input, format: format, options: options)
  }

  private static func reader(
    for input: borrowing InputFile, format: AudioFormat, options: ReadingOptions
  ) throws(AudioFileError) -> any AudioFileReader {
    do throws(AudioFileError) {
      return try format.library.type.reader(for: input, format: format, options: options)
    } catch {
      guard
        let reader = otherReader(for: input, format: format, options: options, after: error)
      else { throw error }
      return reader
    }
  }

  /// A reader for a variant of a format that the format's own library does not handle, such as MP3 in
  /// WAV; `nil` where no other library handles it either.
  private static func otherReader(
    for input: borrowing InputFile, format: AudioFormat, options: ReadingOptions,
    after error: AudioFileError
  ) -> (any AudioFileReader)? {
    guard format.library.type == SndFileLibrary.self, let demuxer = DemuxingLibraries.first else {
      return nil
    }
    switch error {
    case .unsupported, .malformed: break
    default: return nil
    }
    let options = ReadingOptions(salvages: options.salvages)
    let reader = try? demuxer.reader(for: input, format: format, options: options)
    // What libsndfile knows and calls damaged is damaged.
    guard let reader, !SndFileLibrary.knows(codec: reader.source.codec) else { return nil }
    return reader
  }

  /// Starts an audio file in `output`, which the caller commits after ``AudioFileWriter/finish()``.
  package static func writer(
    to output: borrowing OutputFile, as description: OutputDescription
  ) throws(AudioFileError) -> any AudioFileWriter {
    try description.format.library.type.writer(to: output, as: description)
  }
}

internal import AudioContainers
package import AudioIO
internal import PCMFiles
internal import SndFileFiles

/// Opens and creates audio files: the only place that chooses a library for a format.
package enum AudioFile {
  /// Opens an audio file; its content decides the format.
  ///
  /// A damaged file is an error, here or while reading, unless `salvaging`: then the description
  /// counts the frames that can be decoded, a warning reports how many, and the rest is dropped.
  /// `track` selects an audio track, counted from 1. With `seeksNearby`, a distant frame is reached soon, but its
  /// samples may differ inaudibly from those of a reading from the start.
  package static func reader(
    for input: borrowing InputFile, salvaging: Bool, track: Int? = nil,
    estimates: ReadingOptions.Estimates = .none, seeksNearby: Bool = false
  ) throws(AudioFileError) -> any FrameStream {
    try reader(
      for: input,
      ReadingOptions(
        track: track, salvages: salvaging, estimates: estimates, seeksNearby: seeksNearby))
  }

  /// Opens an audio file for playback: from a damaged file, the audio before the damage is read.
  ///
  /// With `estimates`, the length may be estimated. Returns the reader, and the error to report when the reader ends,
  /// unless the reader throws earlier.
  package static func listeningReader(
    for input: borrowing InputFile, estimates: ReadingOptions.Estimates = .none
  ) throws(AudioFileError) -> (any FrameStream, damage: AudioFileError?) {
    do throws(AudioFileError) {
      let options = ReadingOptions(estimates: estimates, seeksDamage: true, seeksNearby: true)
      return (try reader(for: input, options), nil)
    } catch {
      let options = ReadingOptions(
        estimates: estimates, endsAtDamage: true, seeksDamage: true, seeksNearby: true)
      guard error.endsAudio, let whole = try? reader(for: input, options),
        whole.source.frameCount > 0
      else { throw error }
      return (whole, error)
    }
  }

  /// The last bytes of a file before the tags at its end, at most so many.
  package static func lastBytes(
    _ count: Int, of input: borrowing InputFile
  ) throws(AudioFileError) -> [UInt8] {
    let end = try TrailingTag.start(of: input)
    let start = max(0, end - count)
    return try input.bytes(at: start, count: end - start)
  }

  /// Larger files are walked only if an exact length is required.
  private static let longBytes = 1 << 22

  private static func reader(
    for input: borrowing InputFile, _ options: ReadingOptions
  ) throws(AudioFileError) -> any FrameStream {
    guard let format = try ContentSniffer.format(of: input) else {
      throw try ContentSniffer.refusal(of: input)
    }
    let isShort = input.size < longBytes
    if input.raw == nil,
      let end = try JoinedFile.offset(
        in: input, of: format.container, walks: isShort || options.estimates != .ofAnyPass)
    {
      return try FirstFileReader(input, end: end) { (first) throws(AudioFileError) in
        try reader(for: first, options)
      }
    }
    if options.track ?? 1 == 1,
      let parts = try format.library.type.joinedParts(of: input, format: format)
    {
      return try ChainedReader(input, links: parts, salvaging: options.salvages, kind: .file) {
        (part) throws(AudioFileError) in try reader(for: part, options)
      }
    }
    if format.library.type is any DemuxingLibrary.Type {
      if options.track ?? 1 == 1,
        let chain = try OggReading.reader(
          forChain: input, salvaging: options.salvages,
          open: { (link) throws(AudioFileError) in try reader(for: link, options) })
      {
        return chain
      }
      return try format.library.type.reader(for: input, format: format, options: options)
    }
    if let track = options.track, track != 1 {
      throw .unsupported(
        input.path, reason: "there is no audio track \(track), only one",
        remedy: .omit(.track, orUseFormat: []))
    }
    if format.container == .ogg {
      return try OggReading.reader(for: input, options) {
        (stream, format) throws(AudioFileError) in
        try reader(for: stream, format: format, options: options)
      }
    }
    return try reader(for: input, format: format, options: options)
  }

  /// The pixels of a JPEG or PNG file, such as a cover; `nil` without the library that decodes it.
  package static func pixels(ofPicture file: [UInt8]) -> PicturePixels? {
    DemuxingLibraries.pixels(ofPicture: file)
  }

  private static func reader(
    for input: borrowing InputFile, format: AudioFormat, options: ReadingOptions
  ) throws(AudioFileError) -> any FrameStream {
    do throws(AudioFileError) {
      // libsndfile reads codecs in the containers of PCM.
      if format.library.type == PCMLibrary.self,
        try !PCMLibrary.reads(input, format: format)
      {
        return try SndFileLibrary.reader(for: input, format: format, options: options)
      }
      return try format.library.type.reader(for: input, format: format, options: options)
    } catch {
      return try otherReader(for: input, format: format, options: options, after: error)
    }
  }

  /// A reader for a variant of a format that the format's library does not support, such as MP3 in
  /// WAV; throws if no other library supports it.
  private static func otherReader(
    for input: borrowing InputFile, format: AudioFormat, options: ReadingOptions,
    after error: AudioFileError
  ) throws(AudioFileError) -> any FrameStream {
    guard format.library.type == PCMLibrary.self || format.library.type == SndFileLibrary.self,
      format.container != .mpegAudio, format.container != .ogg, format.container != .raw,
      let demuxer = DemuxingLibraries.first
    else { throw error }
    let options = ReadingOptions(
      salvages: options.salvages, endsAtDamage: options.endsAtDamage)
    guard case .unsupported = error,
      try SndFileLibrary.isForeign(input, format: format)
    else {
      switch error {
      case .unsupported, .malformed: break
      default: throw error
      }
      // If libsndfile supports the codec, its error is the one to report.
      let reader = try? demuxer.reader(for: input, format: format, options: options)
      guard let reader else { throw error }
      if let codec = reader.source.codecKind, SndFileLibrary.codecs.contains(codec) { throw error }
      return reader
    }
    try demuxer.check(input.path)
    do throws(AudioFileError) {
      return try demuxer.reader(for: input, format: format, options: options)
    } catch let other {
      switch other {
      case .notAudio, .unsupported: throw error
      default: throw other
      }
    }
  }

  /// Starts an audio file in `output`, which the caller commits after ``AudioFileWriter/finish()``.
  package static func writer(
    to output: borrowing OutputFile, as description: OutputDescription
  ) throws(AudioFileError) -> any AudioFileWriter {
    try description.format.library.type.writer(to: output, as: description)
  }
}

extension AudioFileError {
  /// The error of opening or reading `input`, with a remedy that works: ``undecodable(_:)`` where salvaging was tried, or
  /// would read nothing.
  package func checked(
    by input: borrowing InputFile, salvages: Bool, track: Int?
  ) -> AudioFileError {
    guard remedy == .salvage else { return self }
    if !salvages, let reader = try? AudioFile.reader(for: input, salvaging: true, track: track),
      reader.source.frameCount > 0
    {
      return self
    }
    return .undecodable(self)
  }
}

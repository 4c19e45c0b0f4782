package import AudioModel
package import SystemPackage

/// A library that reads and writes audio files.
package protocol AudioLibrary: Sendable, SendableMetatype {
  /// Why the library cannot be used on this machine; `nil` if it can.
  static var failure: String? { get }

  /// Opens a file for reading.
  static func reader(
    for input: borrowing InputFile, format: AudioFormat, options: ReadingOptions
  ) throws(AudioFileError) -> any FrameStream

  /// The byte ranges of files that were concatenated (`cat a b`) and are all read; `nil` for a single file.
  static func joinedParts(
    of input: borrowing InputFile, format: AudioFormat
  ) throws(AudioFileError) -> [Range<Int>]?

  /// Starts writing to `output`, which the caller commits after ``AudioFileWriter/finish()``.
  static func writer(
    to output: borrowing OutputFile, as description: OutputDescription
  ) throws(AudioFileError) -> any AudioFileWriter

  /// The sample formats that a writable, lossless format can store, in ascending order.
  static func sampleFormats(of format: AudioFormat) -> [SampleFormat]

  /// Returns true if a format can store a channel layout.
  static func canState(_ layout: ChannelLayout, in format: AudioFormat) -> Bool
}

extension AudioLibrary {
  package static var failure: String? { nil }

  package static func joinedParts(
    of input: borrowing InputFile, format: AudioFormat
  ) throws(AudioFileError) -> [Range<Int>]? { nil }

  package static func canState(_ layout: ChannelLayout, in format: AudioFormat) -> Bool {
    switch format.layouts {
    case .waveMask, .coreAudio, .aac, .alac: true
    case .countOnly:
      layout.speakers == nil || layout == .assumed(channelCount: layout.channelCount)
    case .vorbis: VorbisLayout.order(of: layout) != nil
    }
  }
}

/// A library that detects formats by content, in addition to the formats of the other libraries.
package protocol DemuxingLibrary: AudioLibrary {
  /// The format of a file according to its content, and true if the detection is certain; `nil` if the library does
  /// not recognize the file or cannot be used.
  static func sniff(
    _ input: borrowing InputFile
  ) throws(AudioFileError) -> (format: AudioFormat, isCertain: Bool)?

  /// The error for a file that holds pictures and no audio; `nil` for other files.
  static func refusal(of input: borrowing InputFile) throws(AudioFileError) -> AudioFileError?

  /// Throws if reading `path` requires the library and it cannot be used.
  static func check(_ path: FilePath) throws(AudioFileError)
}

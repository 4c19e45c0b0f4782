package import AudioModel
package import SystemPackage

/// A library that reads and writes audio files, behind one interface.
package protocol AudioLibrary: Sendable, SendableMetatype {
  /// Why the library cannot be used on this machine; `nil` where it can.
  static var failure: String? { get }

  /// Opens a file for reading.
  static func reader(
    for input: borrowing InputFile, format: AudioFormat, options: ReadingOptions
  ) throws(AudioFileError) -> any AudioFileReader

  /// Starts a file in `output`, which the caller commits after ``AudioFileWriter/finish()``.
  static func writer(
    to output: borrowing OutputFile, as description: OutputDescription
  ) throws(AudioFileError) -> any AudioFileWriter

  /// The sample formats that a writable, lossless format can store, in rising order.
  static func sampleFormats(of format: AudioFormat) -> [SampleFormat]

  /// Whether a format can state a channel layout.
  static func canState(_ layout: ChannelLayout, in format: AudioFormat) -> Bool
}

extension AudioLibrary {
  package static var failure: String? { nil }

  package static func canState(_ layout: ChannelLayout, in format: AudioFormat) -> Bool {
    switch format.layouts {
    case .waveMask, .coreAudio, .aac, .alac: true
    case .countOnly:
      layout.speakers == nil || layout == .assumed(channelCount: layout.channelCount)
    case .vorbis: VorbisLayout.order(of: layout) != nil
    }
  }
}

/// A library that reads whatever file it recognizes, beside those of the table's other libraries.
package protocol DemuxingLibrary: AudioLibrary {
  /// The format of a file, by its content, and whether hardly anything else looks like it; `nil` where
  /// the library recognizes nothing, or cannot be used.
  static func sniff(
    _ input: borrowing InputFile
  ) throws(AudioFileError) -> (format: AudioFormat, isCertain: Bool)?

  /// Throws where the library is needed to read `path` and cannot be used.
  static func check(_ path: FilePath) throws(AudioFileError)
}

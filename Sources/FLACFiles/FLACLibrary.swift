internal import AudioContainers
package import AudioIO
package import AudioModel

/// libFLAC: native FLAC and Ogg FLAC.
package enum FLACLibrary: AudioLibrary {
  package static let flac = AudioFormat(
    id: "flac", name: "FLAC", extensions: ["flac"], container: .flac, codec: .flac,
    library: library, channels: 1...8,
    layouts: .waveMask, highestSampleRate: 655_350)

  package static let oggFLAC = AudioFormat(
    id: "oga", name: "Ogg FLAC", extensions: ["oga"], container: .ogg,
    metadata: .flac, codec: .flac, library: library, channels: 1...8,
    layouts: .waveMask, highestSampleRate: 655_350)

  private static let library = AudioFormat.Library(FLACLibrary.self)

  package static func reader(
    for input: borrowing InputFile, format: AudioFormat, options: ReadingOptions
  ) throws(AudioFileError) -> any FrameStream {
    try FLACReader(input, format: format, options)
  }

  package static func joinedParts(
    of input: borrowing InputFile, format: AudioFormat
  ) throws(AudioFileError) -> [Range<Int>]? {
    format == flac ? try JoinedFLAC.parts(of: input) : nil
  }

  package static func writer(
    to output: borrowing OutputFile, as description: OutputDescription
  ) throws(AudioFileError) -> any AudioFileWriter {
    try FLACWriter(output, description)
  }

  /// RFC 9639 section 8.2: 4 to 32 bits are allowed, but other programs expect whole bytes.
  package static func sampleFormats(of format: AudioFormat) -> [SampleFormat] {
    [.int8, .int16, .int24, .int32]
  }
}

internal import AudioContainers
package import AudioIO
package import AudioModel

/// libvorbis: Ogg Vorbis.
package enum VorbisLibrary: AudioLibrary {
  package static let vorbis = AudioFormat(
    id: "ogg", name: "Ogg Vorbis", extensions: ["ogg", "oga"], container: .ogg, codec: .vorbis,
    library: AudioFormat.Library(VorbisLibrary.self),
    isLossless: false, channels: 1...255, layouts: .vorbis, highestSampleRate: 200_000)

  package static func reader(
    for input: borrowing InputFile, format: AudioFormat, options: ReadingOptions
  ) throws(AudioFileError) -> any FrameStream {
    try VorbisReader(input, format: format, options)
  }

  package static func writer(
    to output: borrowing OutputFile, as description: OutputDescription
  ) throws(AudioFileError) -> any AudioFileWriter {
    try VorbisWriter(output, description)
  }

  package static func sampleFormats(of format: AudioFormat) -> [SampleFormat] { [] }
}

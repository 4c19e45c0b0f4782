import AudioContainers
import AudioFiles
import AudioIO
import AudioModel

extension TagReader {
  /// Reads the tags of a file in the container that its start shows.
  static func read(
    _ input: borrowing InputFile, sampleRate: Int
  ) throws(AudioFileError) -> TagContents {
    let head = try AudioFormat.FileHead(of: input, at: ID3Tag.end(of: input))
    let format = AudioFormat.all.first { $0.container.recognizes(head) }
    return try read(
      input, in: format?.container ?? .other, TagReading(sampleRate: sampleRate))
  }
}

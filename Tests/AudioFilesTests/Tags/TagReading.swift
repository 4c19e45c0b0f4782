import AudioContainers
import AudioFiles
import AudioIO
import AudioModel

extension TagReader {
  /// Reads the tags of a file in the container that its start shows.
  static func read(
    _ input: borrowing InputFile, sampleRate: Int
  ) throws(AudioFileError) -> TagContents {
    let head = AudioFormat.FileHead(
      bytes: try input.bytes(at: ID3Tag.end(of: input), count: AudioFormat.FileHead.byteCount),
      fileSize: input.size)
    let format = AudioFormat.all.first { $0.container.recognizes(head) }
    return try read(
      input, in: format?.container ?? .other, TagReading(sampleRate: sampleRate))
  }
}

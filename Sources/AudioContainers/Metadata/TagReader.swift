package import AudioIO
package import AudioModel

extension AudioFormat.Container {
  /// The containers that the start of a file shows, and whose tags or ends are read here.
  private static let known: [Self] = [
    .wav, .rf64, .wave64, .aiff, .aiffC, .svx, .caf, .au, .ogg, .flac, .mp4, .matroska, .asf,
    .wavPack, .riff,
  ]

  /// The container that the start of a file shows; `nil` if it is unknown.
  package static func shown(by head: AudioFormat.FileHead) -> Self? {
    known.first { $0.recognizes(head) }
  }
}

/// Reads the tags of a file; its content shows where they are.
package enum TagReader {
  /// Reads all tags of a file: before the container, in it, or after the audio.
  ///
  /// - Parameter reading: The values that convert the times of the tags.
  package static func read(
    _ input: borrowing InputFile, _ reading: TagReading
  ) throws(AudioFileError) -> TagContents {
    var reading = reading
    let start = try reading.takeLeadingID3(input)
    let head = AudioFormat.FileHead(
      bytes: try input.bytes(at: start, count: AudioFormat.FileHead.byteCount),
      fileSize: input.size)
    if let tags = AudioFormat.Container.shown(by: head)?.tags {
      try tags(input, start, &reading)
    } else {
      try reading.takeTrailingTags(input)
    }
    return reading.contents
  }
}

package import AudioIO
package import AudioModel

/// Reads the tags of a file: before its container, in it, or after the audio.
package enum TagReader {
  /// Reads all tags of a file.
  ///
  /// - Parameters:
  ///   - container: The container of the file. One that does not read tags itself has them after the audio.
  ///   - reading: The values that convert the times of the tags.
  package static func read(
    _ input: borrowing InputFile, in container: AudioFormat.Container, _ reading: TagReading
  ) throws(AudioFileError) -> TagContents {
    var reading = reading
    let start = try reading.takeLeadingID3(input)
    if let tags = container.tags {
      try tags(input, start, &reading)
    } else {
      try reading.takeTrailingTags(input)
    }
    return reading.contents
  }
}

package import AudioModel

/// Encodes one audio file.
///
/// Ends with ``finish()``; a writer that is dropped without it leaves nothing behind.
package protocol AudioFileWriter: AnyObject {
  /// What the user should know of the file.
  var warnings: [String] { get }
  /// What of the metadata the file cannot hold: names people know. Complete after ``finish()``.
  var notCarried: [String] { get }

  /// Appends whole interleaved frames, channels in the order of the layout given at creation.
  func write<Sample: PCMSample>(_ frames: Span<Sample>) throws(AudioFileError)

  /// Completes the file's content: headers, trailing metadata, checksums.
  func finish() throws(AudioFileError)
}

extension AudioFileWriter {
  package var warnings: [String] { [] }
  package var notCarried: [String] { [] }
}

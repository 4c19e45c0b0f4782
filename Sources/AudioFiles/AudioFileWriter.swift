package import AudioModel

/// Encodes one audio file.
///
/// Ends with ``finish()``; a writer that is dropped without it leaves nothing behind.
package protocol AudioFileWriter: AnyObject {
  /// What of the metadata the file cannot hold.
  var warnings: [String] { get }

  /// Appends whole interleaved frames, channels in the order of the layout given at creation.
  func write<Sample: PCMSample>(_ frames: Span<Sample>) throws(AudioFileError)

  /// Completes the file's content: headers, trailing metadata, checksums.
  func finish() throws(AudioFileError)
}

extension AudioFileWriter {
  package var warnings: [String] { [] }
}

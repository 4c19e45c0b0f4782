package import AudioIO

/// Files that were concatenated, as with `cat`, in containers whose headers show where the first file ends.
package enum JoinedFile {
  /// The start of the second file; `nil` if there is only one, or if the container does not show
  /// its end.
  ///
  /// - Parameters:
  ///   - container: The container of the file.
  ///   - walks: True when all blocks of the file may be walked to find the end.
  package static func offset(
    in input: borrowing InputFile, of container: AudioFormat.Container, walks: Bool
  ) throws(AudioFileError) -> Int? {
    let head = try AudioFormat.FileHead(of: input, at: 0)
    guard container.recognizes(head), let end = try container.end?(input, head, walks),
      end < input.size
    else { return nil }
    // A chunk may be padded, and tags belong to the first file.
    let padding = (container.alignment - end % container.alignment) % container.alignment
    for start in [end, end + padding] {
      var position = start
      for _ in 0..<ID3Tag.maximumCount {
        guard position > 0, position < input.size else { break }
        let next = try AudioFormat.FileHead(of: input, at: position)
        if container.recognizes(next) { return position }
        guard let tagEnd = try TrailingTag.end(in: input, at: position, before: input.size),
          tagEnd > position
        else { break }
        position = tagEnd
      }
    }
    return nil
  }
}

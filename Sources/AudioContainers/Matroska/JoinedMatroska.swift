package import AudioIO

/// Concatenated Matroska files.
package enum JoinedMatroska {
  /// The maximum number of files to search for.
  private static let maximumCount = 4096

  /// The bytes of each file; `nil` if there is only one, or a size is unknown.
  package static func parts(of input: borrowing InputFile) throws(AudioFileError) -> [Range<Int>]? {
    var (starts, position) = ([Int](), 0)
    while position < input.size, starts.count < maximumCount {
      let bytes = try input.bytes(at: position, count: MatroskaElement.maximumHeadBytes)
      guard let element = MatroskaElement(bytes, at: position), let end = element.end else { break }
      if element.id == MatroskaElement.ID.header { starts.append(position) }
      position = end
    }
    return input.parts(startingAt: starts)
  }
}

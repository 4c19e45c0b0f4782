internal import AudioContainers
package import AudioIO

/// A page on which audio follows the setup header.
///
/// Vorbis I, section A.2, requires that the first audio packet begins a page, and libvorbisfile skips audio that does
/// not. Some encoders begin audio on the page of the headers. So libvorbis reads a copy of the stream in which that
/// page is split.
package struct VorbisSetupPage {
  /// The offset of the page.
  private let offset: Int
  /// The lacing values of the headers on it.
  private let headerLacingCount: Int
  /// Maximum number of pages searched for the end of the headers.
  private static let maximumPages = 4096

  /// Reads the first pages of a file with one Vorbis stream; `nil` if audio begins on a page of its own.
  package init?(of input: borrowing InputFile) throws(AudioFileError) {
    var headersLeft = 3
    var position = 0
    for _ in 0..<Self.maximumPages {
      guard let page = try OggPage(of: input, at: position) else { return nil }
      let bytes = try input.bytes(at: position, count: 27 + 255)
      let lacing = bytes.dropFirst(27).prefix(Int(bytes[26]))
      for (index, value) in lacing.enumerated() where value < 255 {
        headersLeft -= 1
        guard headersLeft == 0 else { continue }
        guard index + 1 < lacing.count else { return nil }
        (offset, headerLacingCount) = (position, index + 1)
        return
      }
      position += page.byteCount
    }
    return nil
  }

  /// A copy of the file in an anonymous file, with the page split and the later ones renumbered.
  package func split(_ input: borrowing InputFile) throws(AudioFileError) -> InputFile {
    try OggCopy.make(of: input) { bytes, page, position in
      if position == offset, let pages = OggPage.split(bytes, after: headerLacingCount) {
        bytes = pages.header + pages.rest
      } else if position > offset, let page {
        OggPage.setSequenceNumber(page.sequenceNumber + 1, of: &bytes)
      }
    }
  }
}

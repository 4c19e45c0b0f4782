package import AudioIO

/// The extent of ID3 tags, which may stand around MPEG audio and FLAC.
package enum ID3Tag {
  /// Tags in front beyond this number are not skipped.
  package static let maximumCount = 8

  /// The bytes that an ID3v2 tag at the start of `head` takes; `nil` when there is none.
  ///
  /// Source: ID3v2.4 structure, section 3.1: the size is 4 bytes of 7 bits and leaves out the header
  /// and the footer, 10 bytes each.
  package static func byteCount(_ head: [UInt8]) -> Int? {
    guard head.count >= 10, head.starts(with: Array("ID3".utf8)), head[3] < 0xFF, head[4] < 0xFF,
      head[6...9].allSatisfy({ $0 < 0x80 })
    else { return nil }
    let size = head[6...9].reduce(0) { $0 << 7 | Int($1) }
    return 10 + size + (head[5] & 0x10 != 0 ? 10 : 0)
  }

  /// The byte behind the ID3v2 tags in front of a file: 0 where there are none.
  package static func end(of input: borrowing InputFile) throws(AudioFileError) -> Int {
    var end = 0
    // Some taggers leave more than one in front.
    for _ in 0..<maximumCount {
      guard let tag = byteCount(try input.bytes(at: end, count: 10)) else { break }
      end += tag
    }
    return end
  }
}

package import AudioIO
internal import CTagLib

/// The extent of ID3v2 tags, which may precede MPEG audio and FLAC.
package enum ID3Tag {
  /// The maximum number of leading tags to skip.
  package static let maximumCount = 8

  /// The size in bytes of an ID3v2 tag at `offset`; `nil` if there is none.
  ///
  /// Some taggers declare a footer but write none.
  package static func byteCount(
    of input: borrowing InputFile, at offset: Int
  ) throws(AudioFileError) -> Int? {
    let head = try input.bytes(at: offset, count: 10)
    guard let count = byteCount(head) else { return nil }
    guard hasFooter(head) else { return count }
    let footer = try input.bytes(at: offset + count - 10, count: 3)
    return footer.elementsEqual("3DI".utf8) ? count : count - 10
  }

  /// The size in bytes of an ID3v2 tag at the start of `head`, with the footer that it declares; `nil` if there is
  /// none.
  ///
  /// Source: ID3v2.4 structure, section 3.1: the size is 4 bytes of 7 bits and excludes the header and the
  /// footer, 10 bytes each.
  static func byteCount(_ head: [UInt8]) -> Int? {
    guard head.count >= 10, head.starts(with: Array("ID3".utf8)), head[3] < 0xFF, head[4] < 0xFF,
      head[6...9].allSatisfy({ $0 < 0x80 })
    else { return nil }
    let size = head[6...9].reduce(0) { $0 << 7 | Int($1) }
    return 10 + size + (hasFooter(head) ? 10 : 0)
  }

  /// True if a tag's header declares a footer, which exists since version 4.
  private static func hasFooter(_ head: [UInt8]) -> Bool { head[3] >= 4 && head[5] & 0x10 != 0 }

  /// The offset after the leading ID3v2 tags of a file; 0 if there are none.
  package static func end(of input: borrowing InputFile) throws(AudioFileError) -> Int {
    var end = 0
    // Some taggers write more than one.
    for _ in 0..<maximumCount {
      guard let tag = try byteCount(of: input, at: end) else { break }
      end += tag
    }
    return end
  }
}

extension TagReading {
  /// Reads the leading ID3v2 tags; returns the offset after them.
  package mutating func takeLeadingID3(
    _ input: borrowing InputFile
  ) throws(AudioFileError) -> Int {
    var start = 0
    for _ in 0..<ID3Tag.maximumCount {
      guard let count = try ID3Tag.byteCount(of: input, at: start) else { break }
      try take(CTAG_ID3V2, input, start..<start + count)
      start += count
    }
    return start
  }
}

package import AudioIO

/// The extent of ID3v2 tags, which may precede MPEG audio and FLAC.
package enum ID3Tag {
  /// The maximum number of leading tags to skip.
  package static let maximumCount = 8

  /// The size in bytes of an ID3v2 tag at the start of `head`; `nil` if there is none.
  ///
  /// Source: ID3v2.4 structure, section 3.1: the size is 4 bytes of 7 bits and excludes the header and the
  /// footer, 10 bytes each.
  package static func byteCount(_ head: [UInt8]) -> Int? {
    guard head.count >= 10, head.starts(with: Array("ID3".utf8)), head[3] < 0xFF, head[4] < 0xFF,
      head[6...9].allSatisfy({ $0 < 0x80 })
    else { return nil }
    let size = head[6...9].reduce(0) { $0 << 7 | Int($1) }
    return 10 + size + (head[5] & 0x10 != 0 ? 10 : 0)
  }

  /// The offset after the leading ID3v2 tags of a file; 0 if there are none.
  package static func end(of input: borrowing InputFile) throws(AudioFileError) -> Int {
    var end = 0
    // Some taggers write more than one.
    for _ in 0..<maximumCount {
      guard let tag = byteCount(try input.bytes(at: end, count: 10)) else { break }
      end += tag
    }
    return end
  }
}

/// The extent of tags and padding after MPEG audio: ID3v1, ID3v2, APE, and Lyrics3.
enum TrailingTag {
  /// The end offset of the tag or padding that begins at `position`; `nil` if there is none.
  static func end(
    in input: borrowing InputFile, at position: Int
  ) throws(AudioFileError) -> Int? {
    let head = try input.bytes(at: position, count: 32)
    func has(_ text: String) -> Bool { head.starts(with: Array(text.utf8)) }
    if let size = ID3Tag.byteCount(head) { return position + size }
    if has("TAG") && position + 128 >= input.size - 32 { return min(position + 128, input.size) }
    // An enhanced ID3v1 tag precedes the plain one.
    if has("TAG+") { return position + 227 }
    if has("APETAGEX"), head.count == 32 {
      // APE tag version 2: the size, little endian, includes the items and the footer, not the header.
      let size = Int(head[12..<16].littleEndianValue)
      return position + 32 + (head[23] & 0x20 != 0 ? size : 0)
    }
    if has("LYRICSBEGIN") { return try endOfLyrics(in: input, at: position) }
    return try isSilentPadding(input, from: position) ? input.size : nil
  }

  /// Lyrics3 tags end with a size and `LYRICS200` or `LYRICSEND`, before an ID3v1 tag.
  private static func endOfLyrics(
    in input: borrowing InputFile, at position: Int
  ) throws(AudioFileError) -> Int? {
    let bytes = try input.bytes(at: position, count: 65536)
    for end in ["LYRICS200", "LYRICSEND"] {
      let pattern = Array(end.utf8)
      let starts = bytes.indices.dropLast(min(bytes.count, pattern.count - 1))
      if let found = starts.first(where: { bytes[$0...].starts(with: pattern) }) {
        return position + found + pattern.count
      }
    }
    return nil
  }

  /// Whether only zeros follow, which some writers append to the last frame.
  private static func isSilentPadding(
    _ input: borrowing InputFile, from start: Int
  ) throws(AudioFileError) -> Bool {
    var position = start
    while position < input.size {
      let bytes = try input.bytes(at: position, count: 65536)
      if bytes.isEmpty || bytes.contains(where: { $0 != 0 }) { return false }
      position += bytes.count
    }
    return true
  }
}

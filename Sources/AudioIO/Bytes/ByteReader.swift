/// Bounds-checked access to numbers and text in a few bytes of a file.
package struct ByteReader: Sendable {
  package let bytes: [UInt8]
  package let isBigEndian: Bool

  package init(bytes: [UInt8], isBigEndian: Bool) {
    self.bytes = bytes
    self.isBigEndian = isBigEndian
  }

  /// Big-endian bytes.
  package init(bigEndian bytes: [UInt8]) { self.init(bytes: bytes, isBigEndian: true) }

  /// Up to `count` bytes of a file from `offset`; fewer at its end.
  package init(
    of input: borrowing InputFile, isBigEndian: Bool, at offset: Int, count: Int
  ) throws(AudioFileError) {
    self.init(bytes: try input.bytes(at: offset, count: count), isBigEndian: isBigEndian)
  }

  /// The unsigned number in `count` bytes, 1 to 8; `nil` past the end.
  package func number(at offset: Int, count: Int) -> UInt64? {
    guard offset >= 0, offset + count <= bytes.count else { return nil }
    let part = bytes[offset..<offset + count]
    return isBigEndian ? part.bigEndianValue : part.littleEndianValue
  }

  package func int16(at offset: Int) -> Int? { number(at: offset, count: 2).map { Int($0) } }
  package func int32(at offset: Int) -> Int? { number(at: offset, count: 4).map { Int($0) } }
  package func uint32(at offset: Int) -> UInt32? { number(at: offset, count: 4).map { UInt32($0) } }
  package func uint64(at offset: Int) -> UInt64? { number(at: offset, count: 8) }

  /// Decodes UTF-8; `nil` past the end.
  package func text(at offset: Int, count: Int = 4) -> String? {
    guard offset >= 0, offset + count <= bytes.count else { return nil }
    return String(decoding: bytes[offset..<offset + count], as: UTF8.self)
  }

  /// Four Latin-1 characters, such as the type of a chunk or box; `nil` past the end.
  package func type(at offset: Int) -> String? {
    guard offset >= 0, offset + 4 <= bytes.count else { return nil }
    let type = bytes[offset..<offset + 4]
    // Nearly all, and much faster.
    if type.allSatisfy({ $0 < 0x80 }) { return String(decoding: type, as: UTF8.self) }
    return String(String.UnicodeScalarView(type.map { Unicode.Scalar($0) }))
  }

  /// The bytes from `offset` to the first zero byte, `end`, or the end of the bytes.
  package func terminatedBytes(at offset: Int, end: Int) -> ArraySlice<UInt8> {
    guard offset >= 0, offset < min(end, bytes.count) else { return [] }
    return bytes[offset..<min(end, bytes.count)].prefix { $0 != 0 }
  }

  /// The bytes of a text that are preceded by one byte of length; `nil` past the end.
  package func countedBytes(at offset: Int) -> ArraySlice<UInt8>? {
    guard let count = number(at: offset, count: 1).map({ Int($0) }),
      offset + 1 + count <= bytes.count
    else { return nil }
    return bytes[offset + 1..<offset + 1 + count].prefix { $0 != 0 }
  }
}

extension Sequence where Element == UInt8 {
  /// The big-endian unsigned number in these bytes; only the last 8 count.
  @inlinable package var bigEndianValue: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }
}

extension BidirectionalCollection where Element == UInt8 {
  /// The little-endian unsigned number in these bytes; only the first 8 count.
  @inlinable package var littleEndianValue: UInt64 { reversed().bigEndianValue }
}

/// Text of unknown encoding.
package enum TagText {
  /// Decodes valid UTF-8, and anything else as Windows-1252, which old taggers wrote.
  package static func string(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(bytes.map(scalar)))
  }

  /// Windows-1252 is Latin-1 except for 27 of the bytes 0x80 to 0x9F.
  private static func scalar(_ byte: UInt8) -> Unicode.Scalar {
    guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
    return Array("€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)[
      Int(byte) - 0x80]
  }
}

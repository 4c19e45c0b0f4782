/// Numbers in a header, read with bounds checked.
package struct ByteReader {
  package let bytes: [UInt8]
  package let isBigEndian: Bool

  package init(bytes: [UInt8], isBigEndian: Bool) {
    self.bytes = bytes
    self.isBigEndian = isBigEndian
  }

  package func number(at offset: Int, count: Int) -> UInt64? {
    guard offset >= 0, offset + count <= bytes.count else { return nil }
    let part = bytes[offset..<offset + count]
    return isBigEndian
      ? part.reduce(0) { $0 << 8 | UInt64($1) } : part.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  package func int16(at offset: Int) -> Int? { number(at: offset, count: 2).map { Int($0) } }
  package func int32(at offset: Int) -> Int? { number(at: offset, count: 4).map { Int($0) } }
  package func uint32(at offset: Int) -> UInt32? { number(at: offset, count: 4).map { UInt32($0) } }

  package func text(at offset: Int, count: Int = 4) -> String? {
    guard offset >= 0, offset + count <= bytes.count else { return nil }
    return String(decoding: bytes[offset..<offset + count], as: UTF8.self)
  }
}

extension ByteReader {
  /// A part of a file; fewer bytes at its end.
  package init(
    of input: borrowing InputFile, isBigEndian: Bool, at offset: Int, count: Int
  ) throws(AudioFileError) {
    self.init(bytes: try input.bytes(at: offset, count: count), isBigEndian: isBigEndian)
  }
}

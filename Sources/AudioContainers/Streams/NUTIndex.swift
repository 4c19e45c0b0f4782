package import AudioIO

/// The index that ends a NUT file.
///
/// Source: "NUT Open Container Format", main header and index: 64 bits of startcode, the size of what follows, and in
/// the last 12 bytes the size of the whole index and a checksum.
package enum NUTIndex {
  private static let startcode: [UInt8] = [0x4E, 0x58, 0xDD, 0x67, 0x2F, 0x23, 0xE6, 0x4E]
  /// How many bytes at the end of a file are searched for an index.
  private static let reach = 4 << 20

  /// The end of the last index; `nil` if the file has none near its end.
  package static func end(in input: borrowing InputFile) throws(AudioFileError) -> Int? {
    let base = max(0, input.size - reach)
    let bytes = try input.bytes(at: base, count: reach)
    guard bytes.count > 20 else { return nil }
    for start in bytes.indices.dropLast(20).reversed()
    where bytes[start] == startcode[0] && bytes[start..<start + 8].elementsEqual(startcode) {
      guard let end = end(of: bytes, from: start) else { continue }
      return base + end
    }
    return nil
  }

  private static func end(of bytes: [UInt8], from start: Int) -> Int? {
    var place = start + 8
    var size = 0
    // Seven bits per byte; the upper bit of the last byte is 0.
    while place < bytes.count, size < 1 << 40 {
      size = size << 7 | Int(bytes[place] & 0x7F)
      place += 1
      if bytes[place - 1] & 0x80 == 0 { break }
    }
    // A large size is followed by a checksum that it excludes.
    let end = place + (size > 4096 ? 4 : 0) + size
    guard end >= start + 20, end <= bytes.count,
      bytes[end - 12..<end - 4].bigEndianValue == UInt64(end - start)
    else { return nil }
    return end
  }
}

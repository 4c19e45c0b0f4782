internal import AudioIO

/// The frame number in the header of a FLAC frame, rewritten when segments are joined.
///
/// Source: RFC 9639 sections 9.1 (frame header), 9.1.5 (coded number), 9.1.8 and 9.3 (checksums).
enum FLACFrameNumber {
  /// Sync code, block size, sample rate, channels and bit depth precede the coded number.
  private static let numberOffset = 4

  /// Appends a frame of a stream of fixed block size to `bytes` with a new number, below 2^31.
  ///
  /// Updates the checksums: computes the one of the header, and derives the one of the frame from
  /// its old value. Returns `false` if the bytes are not such a frame.
  static func append(
    _ frame: UnsafeRawBufferPointer, numbered number: Int, to bytes: inout [UInt8]
  ) -> Bool {
    guard let header = headerLength(frame), frame.count > header + 2,
      let code = coded(number)
    else { return false }
    let oldCodeEnd = numberOffset + codeLength(frame[numberOffset])
    let start = bytes.count
    bytes.append(contentsOf: frame[0..<numberOffset])
    bytes.append(contentsOf: code)
    bytes.append(contentsOf: frame[oldCodeEnd..<header - 1])
    bytes.append(checksum8(bytes[start...]))
    let newHeader = checksum16(bytes[start...])
    bytes.append(contentsOf: frame[header..<frame.count - 2])
    let body = frame.count - 2 - header
    let old = UInt16(frame.suffix(2).bigEndianValue)
    // A checksum is the remainder of a sum in which each part is shifted by the length of what follows. This
    // removes the part of the old header and adds that of the new one.
    let change = checksum16(frame[0..<header]) ^ newHeader
    let checksum = old ^ product(change, shift(bytes: body))
    bytes.append(UInt8(checksum >> 8))
    bytes.append(UInt8(checksum & 0xFF))
    return true
  }

  /// Length of a frame's header including its checksum, in bytes; `nil` if the block size is not
  /// fixed.
  private static func headerLength(_ frame: UnsafeRawBufferPointer) -> Int? {
    // 14 bits of sync code, a reserved bit, and 0 for a fixed block size.
    guard frame.count > numberOffset, frame[0] == 0xFF, frame[1] == 0xF8 else { return nil }
    var length = numberOffset + codeLength(frame[numberOffset])
    switch frame[2] >> 4 {
    case 6: length += 1
    case 7: length += 2
    default: break
    }
    switch frame[2] & 15 {
    case 12: length += 1
    case 13, 14: length += 2
    default: break
    }
    return length + 1
  }

  /// Length of a coded number in bytes, from its first byte.
  static func codeLength(_ first: UInt8) -> Int {
    first < 0x80 ? 1 : (~first).leadingZeroBitCount
  }

  /// A number of up to 31 bits in the coding of UTF-8.
  private static func coded(_ number: Int) -> [UInt8]? {
    guard (0..<1 << 31).contains(number) else { return nil }
    if number < 0x80 { return [UInt8(number)] }
    let bits = Int.bitWidth - number.leadingZeroBitCount
    // Each following byte holds 6 bits and takes one bit from the first byte.
    let length = (2...6).first { bits <= 5 * $0 + 1 } ?? 6
    let first =
      UInt8(truncatingIfNeeded: 0xFF << (8 - length)) | UInt8(number >> (6 * (length - 1)))
    return [first]
      + (1..<length).map { 0x80 | UInt8(number >> (6 * (length - 1 - $0)) & 0x3F) }
  }

  /// x^8 + x^2 + x + 1.
  static func checksum8(_ bytes: ArraySlice<UInt8>) -> UInt8 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ byte) { value, _ in value & 0x80 == 0 ? value << 1 : value << 1 ^ 0x07 }
    }
  }

  /// x^16 + x^15 + x^2 + 1.
  private static func checksum16(_ bytes: some Sequence<UInt8>) -> UInt16 {
    bytes.reduce(0) { sum, byte in
      adding(byte, to: sum)
    }
  }

  /// The checksum after one more byte of a frame; 0 after a whole frame.
  static func adding(_ byte: UInt8, to checksum: UInt16) -> UInt16 {
    (0..<8).reduce(checksum ^ UInt16(byte) << 8) { value, _ in doubled(value) }
  }

  /// A polynomial times x, modulo the polynomial of the checksum.
  private static func doubled(_ value: UInt16) -> UInt16 {
    value & 0x8000 == 0 ? value << 1 : value << 1 ^ 0x8005
  }

  /// The product of two polynomials, modulo the polynomial of the checksum.
  private static func product(_ a: UInt16, _ b: UInt16) -> UInt16 {
    var (sum, shifted, left) = (UInt16(0), a, b)
    while left != 0 {
      if left & 1 == 1 { sum ^= shifted }
      shifted = doubled(shifted)
      left >>= 1
    }
    return sum
  }

  /// x to the power of 8 for each byte, modulo the polynomial of the checksum.
  private static func shift(bytes: Int) -> UInt16 {
    var (result, power, left) = (UInt16(1), UInt16(1 << 8), bytes)
    while left != 0 {
      if left & 1 == 1 { result = product(result, power) }
      power = product(power, power)
      left >>= 1
    }
    return result
  }
}

/// Streams that begin with a frame, without metadata.
package enum FLACFrameStart {
  /// True if bytes begin with a frame header that has a valid checksum (RFC 9639, section 9.1).
  package static func isPresent(in bytes: [UInt8]) -> Bool {
    guard bytes.count >= 17, bytes[0] == 0xFF, bytes[1] & 0xFE == 0xF8, bytes[2] >> 4 != 0,
      bytes[2] & 15 != 0, bytes[2] & 15 != 15, bytes[3] >> 4 < 11, bytes[3] & 1 == 0,
      // A stream without stream information must state its depth.
      ![0, 3].contains(bytes[3] >> 1 & 7)
    else { return false }
    let codeLength = FLACFrameNumber.codeLength(bytes[4])
    guard codeLength <= 7 else { return false }
    var length = 4 + codeLength + [6: 1, 7: 2][bytes[2] >> 4, default: 0]
    length += [12: 1, 13: 2, 14: 2][bytes[2] & 15, default: 0]
    return FLACFrameNumber.checksum8(bytes[..<length]) == bytes[length]
  }
}

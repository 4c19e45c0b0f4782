/// Builds bytes of a file in the container's byte order.
package struct ByteWriter: Sendable {
  package private(set) var bytes: [UInt8] = []
  package let isBigEndian: Bool

  package init(isBigEndian: Bool = true) { self.isBigEndian = isBigEndian }

  /// Appends a number in the width of its type.
  package mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    let ordered = isBigEndian ? number.bigEndian : number.littleEndian
    withUnsafeBytes(of: ordered) { bytes.append(contentsOf: $0) }
  }

  package mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }
  package mutating func append(_ text: String) { bytes += Array(text.utf8) }

  /// Appends the lowest bits of a number.
  package mutating func append8(_ value: Int) { append(value, count: 1) }
  package mutating func append16(_ value: Int) { append(value, count: 2) }
  package mutating func append24(_ value: Int) { append(value, count: 3) }
  package mutating func append32(_ value: Int) { append(value, count: 4) }
  package mutating func append64(_ value: Int) { append(value, count: 8) }
  package mutating func appendZeros(_ count: Int) { bytes += repeatElement(0, count: count) }

  private mutating func append(_ value: Int, count: Int) {
    bytes += isBigEndian ? value.bigEndianBytes(count) : value.littleEndianBytes(count)
  }

  /// Overwrites 4 bytes at `offset`, which must exist, with a number.
  package mutating func replace32(at offset: Int, with value: Int) {
    let number = isBigEndian ? value.bigEndianBytes(4) : value.littleEndianBytes(4)
    bytes.replaceSubrange(offset..<offset + 4, with: number)
  }

  /// Overwrites bytes from `offset` on, which must exist.
  package mutating func replace(_ other: [UInt8], at offset: Int) {
    bytes.replaceSubrange(offset..<offset + other.count, with: other)
  }

  /// Appends a zero-terminated text.
  package mutating func append(terminated text: String) {
    bytes += Self.withoutZeros(text) + [0]
  }

  /// Appends zeros up to a multiple of `size`.
  package mutating func pad(to size: Int) {
    while bytes.count % size != 0 { bytes.append(0) }
  }

  /// The UTF-8 of a text, up to its first zero.
  package static func withoutZeros(_ text: String) -> [UInt8] {
    Array(text.utf8.prefix { $0 != 0 })
  }

  /// The UTF-8 of as many whole characters of a text as fit into `count` bytes.
  package static func prefix(of text: String, count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for character in text {
      let next = Array(String(character).utf8)
      if bytes.count + next.count > count { break }
      bytes += next
    }
    return bytes
  }
}

extension Int {
  /// The lowest `count` bytes, most significant first.
  package func bigEndianBytes(_ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
  }

  /// The lowest `count` bytes, least significant first.
  package func littleEndianBytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
  }
}

/// Builds a bit stream, most significant bit first; unused bits of the last byte are 0.
package struct BitWriter: Sendable {
  package private(set) var bytes: [UInt8] = []
  private var bitsInLast = 8

  package init() {}

  /// Appends the lowest `count` bits of a number.
  package mutating func put(_ value: Int, count: Int) {
    for place in (0..<count).reversed() {
      if bitsInLast == 8 {
        bytes.append(0)
        bitsInLast = 0
      }
      bytes[bytes.count - 1] |= UInt8(value >> place & 1) << UInt8(7 - bitsInLast)
      bitsInLast += 1
    }
  }
}

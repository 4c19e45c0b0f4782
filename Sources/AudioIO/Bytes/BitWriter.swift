/// Bits in the making, the highest of each byte first; what is left of the last byte is 0.
package struct BitWriter {
  package private(set) var bytes: [UInt8] = []
  private var bitsInLast = 8

  package init() {}

  /// Adds the lowest `count` bits of a number.
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

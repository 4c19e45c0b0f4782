/// Bytes of a big-endian file in the making.
package struct ByteWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func put8(_ value: Int) { bytes.append(UInt8(truncatingIfNeeded: value)) }
  package mutating func put16(_ value: Int) { put(value, byteCount: 2) }
  package mutating func put24(_ value: Int) { put(value, byteCount: 3) }
  package mutating func put32(_ value: Int) { put(value, byteCount: 4) }
  package mutating func put64(_ value: Int) { put(value, byteCount: 8) }
  package mutating func put(_ more: some Sequence<UInt8>) { bytes += more }
  package mutating func put(_ text: String) { bytes += Array(text.utf8) }
  package mutating func putZeros(_ count: Int) { bytes += repeatElement(0, count: count) }

  private mutating func put(_ value: Int, byteCount: Int) {
    for place in (0..<byteCount).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: value >> (8 * place)))
    }
  }

  /// Adds an atom: 32 bits of size that count all of it, a type of four letters, the content.
  ///
  /// Source: ISO 14496-12 section 4.2.
  package mutating func atom(_ type: String, _ content: (inout ByteWriter) -> Void) {
    let start = bytes.count
    put32(0)
    put(type)
    content(&self)
    let size = bytes.count - start
    for place in 0..<4 {
      bytes[start + place] = UInt8(truncatingIfNeeded: size >> (24 - 8 * place))
    }
  }

  /// Adds an atom whose content begins with 8 bits of version and 24 bits of flags.
  package mutating func atom(
    _ type: String, version: Int, flags: Int = 0, _ content: (inout ByteWriter) -> Void
  ) {
    atom(type) { atom in
      atom.put8(version)
      atom.put24(flags)
      content(&atom)
    }
  }
}

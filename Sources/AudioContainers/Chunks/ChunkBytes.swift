package import AudioIO

/// The content of a chunk while it is put together.
package struct ChunkBytes {
  package private(set) var bytes: [UInt8] = []
  package let isBigEndian: Bool

  package init(bytes: [UInt8] = [], isBigEndian: Bool) {
    self.bytes = bytes
    self.isBigEndian = isBigEndian
  }

  /// Appends a number in the container's byte order.
  package mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    let ordered = isBigEndian ? number.bigEndian : number.littleEndian
    withUnsafeBytes(of: ordered) { bytes.append(contentsOf: $0) }
  }

  package mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  /// Appends a text with a zero behind it.
  package mutating func append(terminated text: String) {
    bytes += Self.withoutZeros(text) + [0]
  }

  /// Appends zeros up to a multiple of `size`.
  package mutating func pad(to size: Int) {
    while bytes.count % size != 0 { bytes.append(0) }
  }

  /// The UTF-8 of a text up to its first zero, which would end it.
  package static func withoutZeros(_ text: String) -> [UInt8] {
    Array(text.utf8.prefix { $0 != 0 })
  }

  /// The UTF-8 of as many characters of a text as fit.
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

/// A chunk that is to be written.
package struct Chunk: Hashable, Sendable {
  /// Four characters.
  package var name: String
  package var content: [UInt8]

  package init(name: String, content: [UInt8]) {
    self.name = name
    self.content = content
  }
}

extension ContainerHeader {
  /// Where a chunk's content stands in the file, and how long it says it is.
  package struct ChunkPlace: Hashable, Sendable {
    package var name: String
    package var offset: Int
    package var size: Int
  }
}

extension ByteReader {
  /// The text from `offset` on, up to a zero, `end`, or the end.
  package func terminatedText(at offset: Int, end: Int) -> String {
    guard offset >= 0, offset < min(end, bytes.count) else { return "" }
    return TagText.string(Array(bytes[offset..<min(end, bytes.count)].prefix { $0 != 0 }))
  }

  /// A text whose length stands before it in one byte; `nil` when it goes beyond the end.
  package func countedText(at offset: Int) -> String? {
    guard let count = number(at: offset, count: 1).map({ Int($0) }),
      offset + 1 + count <= bytes.count
    else { return nil }
    return TagText.string(Array(bytes[offset + 1..<offset + 1 + count].prefix { $0 != 0 }))
  }
}

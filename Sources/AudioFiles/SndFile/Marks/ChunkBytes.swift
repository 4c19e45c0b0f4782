/// The content of a chunk while it is put together.
struct ChunkBytes {
  private(set) var bytes: [UInt8] = []
  let isBigEndian: Bool

  /// Appends a number in the container's byte order.
  mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    let ordered = isBigEndian ? number.bigEndian : number.littleEndian
    withUnsafeBytes(of: ordered) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  /// Appends a text with a zero behind it.
  mutating func append(terminated text: String) {
    bytes += Self.withoutZeros(text) + [0]
  }

  /// Appends zeros up to a multiple of `size`.
  mutating func pad(to size: Int) {
    while bytes.count % size != 0 { bytes.append(0) }
  }

  /// The UTF-8 of a text up to its first zero, which would end it.
  static func withoutZeros(_ text: String) -> [UInt8] { Array(text.utf8.prefix { $0 != 0 }) }

  /// The UTF-8 of as many characters of a text as fit.
  static func prefix(of text: String, count: Int) -> [UInt8] {
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
struct Chunk: Hashable, Sendable {
  /// Four characters.
  var name: String
  var content: [UInt8]
}

extension ContainerHeader {
  /// Where a chunk's content stands in the file, and how long it says it is.
  struct ChunkPlace: Hashable, Sendable {
    var name: String
    var offset: Int
    var size: Int
  }
}

extension HeaderBytes {
  /// The text from `offset` on, up to a zero, `end`, or the end.
  func terminatedText(at offset: Int, end: Int) -> String {
    guard offset >= 0, offset < min(end, bytes.count) else { return "" }
    return TagText.string(Array(bytes[offset..<min(end, bytes.count)].prefix { $0 != 0 }))
  }

  /// A text whose length stands before it in one byte; `nil` when it goes beyond the end.
  func countedText(at offset: Int) -> String? {
    guard let count = number(at: offset, count: 1).map({ Int($0) }),
      offset + 1 + count <= bytes.count
    else { return nil }
    return TagText.string(Array(bytes[offset + 1..<offset + 1 + count].prefix { $0 != 0 }))
  }
}

package import AudioIO

/// A chunk of a RIFF, IFF or CAF file, or an atom of MP4.
package struct TagChunk: Hashable, Sendable {
  /// Four characters, each of Latin-1.
  package let name: String
  /// Where its content stands in the file, in bytes, cut off by the end of the file.
  package let content: Range<Int>
}

/// The chunks of a file, one level of them.
package enum TagChunks {
  /// Chunks beyond this many are not looked at.
  private static let mostChunks = 4096

  /// How a container tells the sizes of its chunks.
  package enum Layout {
    /// Name, then 32 bits; padded to even lengths.
    case riff, riffBigEndian, iff
    /// Name, then 64 bits, not padded.
    case caf
    /// 32 bits, which count themselves, then the name; 64 bits where the size says 1.
    case mp4
  }

  /// The chunks between two bytes of a file, as far as they go on.
  package static func list(
    _ input: borrowing InputFile, in range: Range<Int>, layout: Layout
  ) throws(AudioFileError) -> [TagChunk] {
    var chunks: [TagChunk] = []
    var position = range.lowerBound
    // RF64 has the true size of its audio in a chunk of its own (EBU Tech 3306).
    var largeSize: Int?
    while chunks.count < mostChunks, position + 8 <= range.upperBound {
      let head = try input.bytes(at: position, count: 16)
      guard let (name, header, told) = header(head, layout, range.upperBound - position) else {
        break
      }
      var size = told
      if name == "data", size == 0xFFFF_FFFF, let largeSize { size = largeSize }
      let start = position + header
      let end = min(range.upperBound, start.addingReportingOverflow(size).partialValue)
      guard size >= 0, end >= start else { break }
      if name == "ds64" { largeSize = try sizeOfData(input, at: start) }
      chunks.append(TagChunk(name: name, content: start..<end))
      let isPadded = layout == .riff || layout == .riffBigEndian || layout == .iff
      position = end + (isPadded ? size & 1 : 0)
    }
    return chunks
  }

  private static func sizeOfData(
    _ input: borrowing InputFile, at start: Int
  ) throws(AudioFileError) -> Int? {
    let bytes = try input.bytes(at: start + 8, count: 8)
    return Int(exactly: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  /// Name, bytes of the header, and bytes of the content.
  private static func header(
    _ head: [UInt8], _ layout: Layout, _ bytesLeft: Int
  ) -> (String, Int, Int)? {
    func number(_ range: Range<Int>) -> UInt64? {
      guard range.upperBound <= head.count else { return nil }
      return head[range].reduce(0) { $0 << 8 | UInt64($1) }
    }
    func name(_ offset: Int) -> String {
      String(String.UnicodeScalarView(head[offset..<offset + 4].map { Unicode.Scalar($0) }))
    }
    guard head.count >= 8 else { return nil }
    switch layout {
    case .riff: return number(4..<8).map { (name(0), 8, Int(UInt32($0).byteSwapped)) }
    case .riffBigEndian, .iff: return number(4..<8).map { (name(0), 8, Int($0)) }
    case .caf: return number(4..<12).flatMap { Int(exactly: $0) }.map { (name(0), 12, $0) }
    case .mp4:
      guard let short = number(0..<4) else { return nil }
      if short == 0 { return (name(4), 8, bytesLeft - 8) }
      if short > 1 { return short < 8 ? nil : (name(4), 8, Int(short) - 8) }
      guard let size = number(8..<16).flatMap({ Int(exactly: $0) }), size >= 16 else { return nil }
      return (name(4), 16, size - 16)
    }
  }
}

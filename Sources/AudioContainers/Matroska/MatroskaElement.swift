package import AudioIO

/// The head of an element of EBML, the grammar of Matroska: its identifier and its size.
///
/// Source: RFC 8794 sections 4 to 6.
package struct MatroskaElement: Sendable {
  /// The identifier, with its marker of length.
  package let id: UInt64
  /// The offset of its head in the file.
  package let offset: Int
  /// The offset of its content.
  package let contentStart: Int
  /// The size of its content; `nil` if it is unknown.
  package let contentSize: Int?

  /// The end of its content; `nil` if its size is unknown, or no file can be so large.
  package var end: Int? {
    guard let contentSize, contentSize < Int.max / 2 else { return nil }
    return contentStart + contentSize
  }

  /// Bytes that hold the head of every element.
  package static let maximumHeadBytes = 12

  /// Parses a head at `offset` of the file; `nil` if `bytes` do not begin with a complete head.
  package init?(_ bytes: some Collection<UInt8>, at offset: Int) {
    let bytes = Array(bytes.prefix(Self.maximumHeadBytes))
    guard let first = bytes.first, first != 0 else { return nil }
    let idCount = first.leadingZeroBitCount + 1
    guard idCount <= 4, bytes.count > idCount, bytes[idCount] != 0 else { return nil }
    let sizeCount = bytes[idCount].leadingZeroBitCount + 1
    guard bytes.count >= idCount + sizeCount else { return nil }
    let mask = UInt64(1) << UInt64(7 * sizeCount) - 1
    let size = mask & bytes[idCount..<idCount + sizeCount].bigEndianValue
    id = bytes[..<idCount].bigEndianValue
    self.offset = offset
    contentStart = offset + idCount + sizeCount
    // A size of all ones is unknown.
    contentSize = size == mask ? nil : Int(exactly: size) ?? Int.max
  }

  /// An element with its content.
  package struct Part: Sendable {
    package let id: UInt64
    package let content: Range<Int>

    /// The unsigned number that it holds.
    package func number(in input: borrowing InputFile) throws(AudioFileError) -> UInt64 {
      try input.bytes(at: content.lowerBound, count: min(8, content.count)).bigEndianValue
    }
  }

  /// The maximum number of elements to read at one level.
  private static let maximumCount = 1 << 16

  /// The elements of a range, up to the first with the id `last`.
  package static func parts(
    _ input: borrowing InputFile, in range: Range<Int>, until last: UInt64? = nil
  ) throws(AudioFileError) -> [Part] {
    var parts: [Part] = []
    var offset = range.lowerBound
    while parts.count < maximumCount, offset < range.upperBound {
      let bytes = try input.bytes(at: offset, count: maximumHeadBytes)
      guard let head = MatroskaElement(bytes, at: offset) else { break }
      let start = min(head.contentStart, range.upperBound)
      // An element of unknown size extends to the end.
      let end = min(head.end ?? range.upperBound, range.upperBound)
      if head.id == last { break }
      parts.append(Part(id: head.id, content: start..<max(start, end)))
      offset = end
    }
    return parts
  }

  /// The identifiers that are used here: RFC 9559, section 5.1.
  package enum ID {
    package static let header: UInt64 = 0x1A45_DFA3
    package static let segment: UInt64 = 0x1853_8067
    package static let tracks: UInt64 = 0x1654_AE6B
    static let cluster: UInt64 = 0x1F43_B675
    static let checksum: UInt64 = 0xBF
    static let simpleBlock: UInt64 = 0xA3
    static let blockGroup: UInt64 = 0xA0
    static let block: UInt64 = 0xA1
    package static let entry: UInt64 = 0xAE
    static let number: UInt64 = 0xD7
    package static let type: UInt64 = 0x83
    static let encodings: UInt64 = 0x6D80
    static let encoding: UInt64 = 0x6240
    static let encodingType: UInt64 = 0x5033
    static let encryption: UInt64 = 0x5035
    static let codec: UInt64 = 0x86
    static let codecDelay: UInt64 = 0x56AA
  }
}

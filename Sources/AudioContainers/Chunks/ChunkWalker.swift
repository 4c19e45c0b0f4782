package import AudioIO

/// Walks the chunks of one level of a RIFF, IFF, CAF, or Wave64 file, as long as their headers can be read.
///
/// A walk only parses headers. The caller decides how to treat a wrong size or one that exceeds the file, and
/// how far to skip.
package struct ChunkWalker: Sendable {
  /// The layout of chunk headers in a container.
  package enum Grammar: Sendable {
    /// Name, 32-bit size; padded to even lengths (IBM and Microsoft 1991).
    case riff, riffBigEndian
    /// The same in big-endian order (Electronic Arts 1985).
    case iff
    /// Name, 64-bit size; not padded (Apple, Core Audio Format Specification 1.0).
    case caf
    /// A GUID that begins with the name, and a 64-bit size that includes the header; padded to multiples of 8
    /// (Sony Wave64).
    case wave64

    /// Bytes of a chunk header: name and size.
    package var headerByteCount: Int {
      switch self {
      case .riff, .riffBigEndian, .iff: 8
      case .caf: 12
      case .wave64: 24
      }
    }

    package var isBigEndian: Bool { self == .riffBigEndian || self == .iff || self == .caf }

    /// The multiple of bytes that chunks are padded to.
    var alignment: Int {
      switch self {
      case .riff, .riffBigEndian, .iff: 2
      case .caf: 1
      case .wave64: 8
      }
    }
  }

  /// A chunk whose header was read.
  package struct Found: Sendable {
    /// The start of its header in the file.
    package let offset: Int
    /// The start of its content in the file.
    package let contentOffset: Int
    /// Bytes of content that the header declares. They may exceed the file, and may be negative in Wave64, where
    /// the size includes the header.
    package let declaredSize: Int
    /// The unmodified size field.
    package let sizeField: UInt64
    /// The first bytes of the chunk, including its header.
    package let head: ByteReader

    /// The first four bytes, as UTF-8.
    package var name: String { head.text(at: 0) ?? "" }
    /// The first four bytes, as Latin-1.
    package var type: String { head.type(at: 0) ?? "" }
    /// True if the first four bytes are printable ASCII, as in all names of RIFF, IFF and CAF.
    package var hasPrintableName: Bool { head.hasPrintableName(at: 0) }
  }

  /// The maximum number of chunks in a walk.
  private static let maximumCount = 4096

  package let grammar: Grammar
  /// The offset of the next chunk.
  package private(set) var position: Int
  /// The offset where the level ends.
  private let end: Int
  /// Bytes to read from the start of each chunk.
  private let headByteCount: Int
  private var count = 0
  /// The end of the chunk that was skipped last, if its size is odd and it should be padded.
  private var oddEnd: Int?
  /// The start of the first chunk that follows one of odd size without a pad byte.
  package private(set) var firstUnpadded: Int?

  /// A walk from offset `start` to `end` that reads the first `headByteCount` bytes of each chunk.
  package init(_ grammar: Grammar, from start: Int, to end: Int, headByteCount: Int = 24) {
    self.grammar = grammar
    self.end = end
    self.headByteCount = max(headByteCount, grammar.headerByteCount)
    position = start
  }

  /// The next chunk; `nil` at the end, after too many chunks, or if no header fits.
  package mutating func next(of input: borrowing InputFile) throws(AudioFileError) -> Found? {
    if let oddEnd, try isUnpadded(input, from: oddEnd) {
      position = oddEnd
      if firstUnpadded == nil { firstUnpadded = oddEnd }
    }
    oddEnd = nil
    guard position < end, position >= 0, count < Self.maximumCount else { return nil }
    count += 1
    let head = try ByteReader(
      of: input, isBigEndian: grammar.isBigEndian, at: position, count: headByteCount)
    let sizeOffset = grammar == .wave64 ? 16 : 4
    let width = grammar == .caf || grammar == .wave64 ? 8 : 4
    guard let size = head.number(at: sizeOffset, count: width) else { return nil }
    let counted = grammar == .wave64 ? grammar.headerByteCount : 0
    return Found(
      offset: position, contentOffset: position + grammar.headerByteCount,
      declaredSize: Int(clamping: size) - counted, sizeField: size, head: head)
  }

  /// Skips a chunk with `contentSize` bytes of content; moves to the end if the offset would overflow.
  package mutating func skip(_ chunk: Found, contentSize: Int) {
    let (end, overflows) = chunk.contentOffset.addingReportingOverflow(contentSize)
    let filling = (grammar.alignment - contentSize % grammar.alignment) % grammar.alignment
    let (next, overflowsToo) = end.addingReportingOverflow(filling)
    position = overflows || overflowsToo ? .max : next
    oddEnd = filling == 1 && !overflows ? end : nil
  }

  /// True if a chunk begins right after one of odd size, where its pad byte should be, and none begins after that byte.
  private func isUnpadded(
    _ input: borrowing InputFile, from start: Int
  ) throws(AudioFileError) -> Bool {
    guard start >= 0, start < end else { return false }
    let bytes = try ByteReader(
      of: input, isBigEndian: grammar.isBigEndian, at: start,
      count: grammar.headerByteCount + 1)
    func isChunk(_ offset: Int) -> Bool {
      guard bytes.hasPrintableName(at: offset), let size = bytes.int32(at: offset + 4) else {
        return false
      }
      return size <= end - start - offset
    }
    return isChunk(0) && !isChunk(1)
  }

  /// Skips a chunk by its declared size.
  package mutating func skip(_ chunk: Found) {
    skip(chunk, contentSize: chunk.declaredSize)
  }

  /// True if the file from `start` on is empty or contains only chunks with printable names, to within a
  /// byte.
  package static func isEndOrChunks(
    _ input: borrowing InputFile, _ grammar: Grammar, from start: Int
  ) throws(AudioFileError) -> Bool {
    var chunks = ChunkWalker(
      grammar, from: start, to: input.size - grammar.headerByteCount + 1,
      headByteCount: grammar.headerByteCount)
    for _ in 0..<64 {
      guard let chunk = try chunks.next(of: input) else { break }
      guard chunk.declaredSize <= input.size,
        chunk.hasPrintableName
      else { return false }
      chunks.skip(chunk)
    }
    return abs(chunks.position - input.size) <= 1
  }
}

/// A chunk whose content lies within the file.
package struct TagChunk: Hashable, Sendable {
  /// Four Latin-1 characters.
  package let name: String
  /// The range of the content in the file, in bytes, limited to the file.
  package let content: Range<Int>
}

extension ChunkWalker {
  /// The chunks in a range of a file, up to the first invalid one.
  package static func list(
    _ input: borrowing InputFile, in range: Range<Int>, _ grammar: Grammar
  ) throws(AudioFileError) -> [TagChunk] {
    var chunks: [TagChunk] = []
    var walker = ChunkWalker(grammar, from: range.lowerBound, to: range.upperBound - 7)
    // RF64 stores the size of its audio in the `ds64` chunk (EBU Tech 3306).
    var largeSize: Int?
    while let chunk = try walker.next(of: input) {
      guard chunk.sizeField <= UInt64(Int.max), chunk.declaredSize >= 0 else { break }
      var size = chunk.declaredSize
      if chunk.type == "data", size == 0xFFFF_FFFF, let largeSize { size = largeSize }
      if chunk.type == "ds64" {
        largeSize = chunk.head.uint64(at: grammar.headerByteCount + 8).flatMap { Int(exactly: $0) }
      }
      let start = chunk.contentOffset
      guard start <= range.upperBound else { break }
      let (end, overflows) = start.addingReportingOverflow(size)
      chunks.append(
        TagChunk(
          name: chunk.type,
          content: start..<(overflows ? range.upperBound : min(range.upperBound, end))))
      walker.skip(chunk, contentSize: size)
    }
    return chunks
  }
}

extension ByteReader {
  /// True if four bytes of printable ASCII are at an offset.
  fileprivate func hasPrintableName(at offset: Int) -> Bool {
    bytes.count >= offset + 4
      && bytes[offset..<offset + 4].allSatisfy { (0x20..<0x7F).contains($0) }
  }
}

/// Length fields that mean "unknown, up to the end of the file".
enum OpenLength {
  /// True if a 32-bit length of audio means that it is unknown.
  ///
  /// Measured: ffmpeg writes 0xFFFFFFFF into a pipe, sox 0x7FFFF000 (AIFF: 0x7F000000), and arecord
  /// 0x7FFFFF00 or 0x80000000; some subtract the size of the header.
  static func is32(_ value: Int) -> Bool {
    (0x7FFF_F000...0x8000_0000).contains(value) || value >= 0xFFFF_FF00 || value == 0x7F00_0000
  }

  /// True if a 64-bit length means that it is unknown: -1, or the maximum that ffmpeg writes.
  static func is64(_ value: UInt64) -> Bool { value >= 0x7FFF_FFFF_FFFF_0000 }
}

extension ContainerHeader {
  /// The reason for rejecting files that sox wrote into a pipe through libsndfile, which could not seek back.
  static let repeatedHeader =
    "the file has a second header instead of audio, probably because the program that wrote it "
    + "could not seek back in a pipe"

  /// The warning about a second description of the samples. FFmpeg takes the first one, too.
  static let furtherFormat = "it has more than one fmt chunk; the first one is used"
}

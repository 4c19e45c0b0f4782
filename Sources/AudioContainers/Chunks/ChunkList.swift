package import AudioIO

/// A chunk whose content lies within the file.
package struct TagChunk: Hashable, Sendable {
  /// Four characters, each of Latin-1.
  package let name: String
  /// Where its content stands in the file, in bytes, cut off by the end of the file.
  package let content: Range<Int>
}

extension ChunkWalker {
  /// The chunks between two bytes of a file, as far as they go on.
  package static func list(
    _ input: borrowing InputFile, in range: Range<Int>, _ grammar: Grammar
  ) throws(AudioFileError) -> [TagChunk] {
    var chunks: [TagChunk] = []
    var walker = ChunkWalker(grammar, from: range.lowerBound, to: range.upperBound - 7)
    // RF64 has the true size of its audio in a chunk of its own (EBU Tech 3306).
    var largeSize: Int?
    while let chunk = try walker.next(of: input) {
      guard chunk.sizeField <= UInt64(Int.max) else { break }
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

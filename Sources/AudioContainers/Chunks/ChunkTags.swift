internal import AudioIO
internal import AudioModel
internal import CTagLib

/// Reads the tags in chunks: ID3v2, and plain text.
enum ChunkTags {
  /// Reads the tags of RIFF, in either byte order.
  static func readRIFF(
    _ input: borrowing InputFile, at start: Int, into reading: inout TagReading
  ) throws(AudioFileError) {
    let isBigEndian = try input.bytes(at: start, count: 4).elementsEqual("RIFX".utf8)
    try read(
      input, start + 12..<max(start + 12, input.size), isBigEndian ? .riffBigEndian : .riff,
      into: &reading)
  }

  /// Reads the tags among the chunks in a range.
  static func read(
    _ input: borrowing InputFile, _ range: Range<Int>, _ grammar: ChunkWalker.Grammar,
    into reading: inout TagReading
  ) throws(AudioFileError) {
    let chunks = try chunks(of: input, range, grammar)
    for chunk in chunks where chunk.name.uppercased() == "ID3 " && grammar != .caf {
      try reading.take(CTAG_ID3V2, input, chunk.content)
    }
    reading.contents.metadata.hasID3Chunk = !reading.contents.metadata.comments.isEmpty
    var plain = TagContents()
    let kind: Metadata.Comment.Item.Kind =
      grammar == .iff ? .iff : grammar == .caf ? .caf : .info
    var texts = try TextDecoder(of: input, input.walkedBefore(ContainerHeader.self), kind)
    plain.metadata.comments = try TextChunks.comments(input, chunks, grammar, &texts)
    plain.metadata.add(texts.stored)
    reading.contents.complete(
      with: plain, from: grammar == .iff ? "the text chunks" : "LIST INFO")
  }

  /// The chunks that the header lists, or those in a range of a file whose header only its library reads.
  private static func chunks(
    of input: borrowing InputFile, _ range: Range<Int>, _ grammar: ChunkWalker.Grammar
  ) throws(AudioFileError) -> [TagChunk] {
    guard let header = input.walkedBefore(ContainerHeader.self) else {
      return try ChunkWalker.list(input, in: range, grammar)
    }
    return header.chunks.compactMap { place in
      guard place.size >= 0, place.offset <= input.size else { return nil }
      let (end, overflows) = place.offset.addingReportingOverflow(place.size)
      return TagChunk(
        name: place.name.hasPrefix("LIST ") ? "LIST" : place.name,
        content: place.offset..<(overflows ? input.size : min(end, input.size)))
    }
  }
}

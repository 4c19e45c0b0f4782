package import AudioIO
internal import SystemPackage

/// A chunk to write.
package struct Chunk: Hashable, Sendable {
  /// Four characters.
  package var name: String
  package var content: [UInt8]

  package init(name: String, content: [UInt8]) {
    self.name = name
    self.content = content
  }
}

extension ByteWriter {
  /// Appends a RIFF chunk (little-endian) or an IFF chunk (big-endian): the name, 32 bits of size, and the
  /// content, padded to an even length.
  package mutating func append(_ chunk: Chunk) {
    append(chunk.name)
    append32(chunk.content.count)
    append(chunk.content)
    appendZeros(chunk.content.count % 2)
  }

  /// Appends the header of a CAF chunk: the name and 64 bits of size. CAF does not pad chunks.
  mutating func appendCAFChunkHeader(_ name: String, size: Int) {
    append(name)
    append64(size)
  }
}

/// Appends chunks to a finished RIFF, RF64, IFF, or CAF file.
package enum TrailingChunks {
  /// Appends chunks and updates the container's header.
  ///
  /// Returns `false` and writes nothing if the size exceeds the header's 32 bits. In a RIFF file without audio
  /// (`isEmpty`), whose last chunk is the audio chunk, the chunks are inserted before it: some programs treat an
  /// empty audio chunk as one that extends to the end of the file.
  package static func append(
    _ chunks: [Chunk], to file: borrowing InputFile, isEmpty: Bool = false
  ) throws(AudioFileError) -> Bool {
    let head = try file.bytes(at: 0, count: 28)
    let isIFF = head.starts(with: Array("FORM".utf8))
    let isCAF = head.starts(with: Array("caff".utf8))
    let isLarge = head.starts(with: Array("RF64".utf8))
    var written = ByteWriter(isBigEndian: isIFF || isCAF)
    for chunk in chunks {
      if isCAF {
        written.appendCAFChunkHeader(chunk.name, size: chunk.content.count)
        written.append(chunk.content)
      } else {
        written.append(chunk)
      }
    }
    var start = file.size
    var last: [UInt8] = []
    if isEmpty, !isIFF, !isCAF, !isLarge {
      last = try file.bytes(at: file.size - 8, count: 8)
      if last.starts(with: Array("data".utf8)) { start -= 8 } else { last = [] }
    }
    // Chunks begin at even offsets, except in CAF.
    let bytes = (isCAF || file.size % 2 == 0 ? [] : [0]) + written.bytes + last
    let total = start + bytes.count - 8
    if !isCAF, !isLarge, total > Int(UInt32.max) { return false }
    try write(bytes, at: start, to: file)
    if isLarge {
      // RF64: the size is the first field of the `ds64` chunk (EBU Tech 3306).
      try write(total.littleEndianBytes(8), at: 20, to: file)
    } else if !isCAF {
      let size = total.bigEndianBytes(4)
      try write(isIFF ? size : size.reversed(), at: 4, to: file)
    }
    return true
  }

  private static func write(
    _ bytes: [UInt8], at offset: Int, to file: borrowing InputFile
  ) throws(AudioFileError) {
    do {
      try file.descriptor.writeAll(toAbsoluteOffset: Int64(offset), bytes)
    } catch {
      throw .cannotWrite(file.path, error as? Errno ?? .ioError)
    }
  }
}

package import AudioIO

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
  package mutating func appendCAFChunkHeader(_ name: String, size: Int) {
    append(name)
    append64(size)
  }

  /// Appends a CAF chunk.
  package mutating func appendCAF(_ chunk: Chunk) {
    appendCAFChunkHeader(chunk.name, size: chunk.content.count)
    append(chunk.content)
  }
}

/// Wave64: identifiers of 16 bytes, sizes of 64 bits with the header of 24 bytes.
///
/// Source: Sony Pictures Digital, "Sony Wave64 audio file format".
extension ByteWriter {
  /// The end of the identifiers of chunks.
  private static let guidTail: [UInt8] = [
    0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A,
  ]
  private static let fileTail: [UInt8] = [
    0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00,
  ]

  /// Appends the identifier of a chunk, of the file or of its content.
  package mutating func appendWave64Name(_ name: String) {
    append(name)
    append(name == "riff" ? Self.fileTail : Self.guidTail)
  }

  /// Appends a chunk, padded to a multiple of 8 bytes from an offset on.
  package mutating func appendWave64(_ chunk: Chunk, paddedFrom start: Int = 0) {
    appendWave64Header(chunk.name, size: chunk.content.count)
    append(chunk.content)
    appendZeros((8 - (bytes.count - start) % 8) % 8)
  }

  /// Appends the identifier of a chunk, and its size with the header of 24 bytes.
  package mutating func appendWave64Header(_ name: String, size: Int) {
    appendWave64Name(name)
    append64(size + 24)
  }
}

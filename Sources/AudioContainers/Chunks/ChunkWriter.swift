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

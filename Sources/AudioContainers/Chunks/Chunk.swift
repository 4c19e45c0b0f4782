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

package import AudioIO
package import AudioModel

/// Reads the marks, instrument, and loop properties in the chunks of a container.
package struct MarkReader {
  /// The maximum bytes of a chunk to read.
  static let maximumBytes = 1 << 22

  var marks: [Metadata.Mark] = []
  var instrument: Metadata.Instrument?
  var loopProperties: Metadata.LoopProperties?
  /// The beats of an Apple loop; 0 if unknown.
  var loopBeats: UInt32 = 0
  var broadcastExtension: [UInt8]?
  /// Chunks that are read here only as bytes.
  package var foreignChunks: [Metadata.ForeignChunk] = []
  /// Comments on the whole file among those on marks.
  var comments: [Metadata.Comment] = []
  /// Decodes the texts of marks.
  var texts: TextDecoder
  /// True if a chunk is damaged.
  var isDamaged = false
  /// Content that was found but is not supported.
  package private(set) var lost: [MetadataLoss] = []

  mutating func lose(_ kind: MetadataLoss.Kind, _ text: String) {
    let loss = MetadataLoss(kind, text)
    if !lost.contains(loss) { lost.append(loss) }
  }

  /// The metadata of the tags, plus everything that was read here.
  package func added(to tags: Metadata) -> Metadata {
    var metadata = tags
    metadata.marks = marks
    metadata.instrument = instrument
    metadata.loopProperties = loopProperties
    metadata.loopBeats = loopBeats
    metadata.broadcastExtension = broadcastExtension
    metadata.foreignChunks = foreignChunks
    metadata.add(texts.stored)
    for comment in comments {
      // A tag may hold the same text for other programs.
      if let index = metadata.comments.firstIndex(where: { $0 == comment && $0.item == nil }) {
        metadata.comments[index].item = comment.item
      } else {
        metadata.comments.append(comment)
      }
    }
    return metadata
  }

  /// Warnings for the user.
  package var warnings: [String] {
    isDamaged ? ["its markers are damaged; readable ones are kept"] : []
  }

  /// The chunks of a file by name.
  struct Chunks {
    private let places: [ContainerHeader.ChunkPlace]
    private let isBigEndian: Bool

    init(_ header: ContainerHeader) {
      places = header.chunks
      isBigEndian = header.isBigEndian
    }

    /// The content of the first chunk with a name; `nil` if there is none.
    func first(
      _ name: String, of input: borrowing InputFile
    ) throws(AudioFileError) -> ByteReader? {
      guard let place = places.first(where: { $0.name == name }) else { return nil }
      return try content(of: place, input)
    }

    /// The contents of the chunks with a name, at most 64.
    func all(_ name: String, of input: borrowing InputFile) throws(AudioFileError) -> [ByteReader] {
      var contents: [ByteReader] = []
      for place in places.lazy.filter({ $0.name == name }).prefix(64) {
        contents.append(try content(of: place, input))
      }
      return contents
    }

    private func content(
      of place: ContainerHeader.ChunkPlace, _ input: borrowing InputFile
    ) throws(AudioFileError) -> ByteReader {
      ByteReader(
        bytes: try input.bytes(at: place.offset, count: min(place.size, MarkReader.maximumBytes)),
        isBigEndian: isBigEndian)
    }
  }
}

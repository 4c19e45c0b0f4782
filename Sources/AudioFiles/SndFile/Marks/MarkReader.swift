internal import AudioModel

/// Reads what the chunks of a container say about the time of its audio.
struct MarkReader {
  /// The most of a chunk that is looked at, in bytes.
  private static let mostBytes = 1 << 22

  var marks: [Metadata.Mark] = []
  var instrument: Metadata.Instrument?
  var loopProperties: Metadata.LoopProperties?
  var broadcastExtension: [UInt8]?
  /// Whether a chunk did not hold what it says.
  var isDamaged = false
  /// What was found and has no place here.
  private(set) var lost: [String] = []

  mutating func lose(_ name: String) {
    if !lost.contains(name) { lost.append(name) }
  }

  /// What the header's chunks say.
  static func read(
    _ input: borrowing InputFile, _ header: ContainerHeader, format: AudioFormat
  ) throws(AudioFileError) -> MarkReader {
    var reader = MarkReader()
    let chunks = Chunks(header)
    switch format.id {
    case "wav", "wavex", "rf64": try reader.readRIFF(input, chunks)
    case "aiff", "aifc": try reader.readAIFF(input, chunks)
    case "caf", "caf-alac": try reader.readCAF(input, chunks)
    case "w64": reader.broadcastExtension = try chunks.first("bext", of: input)?.bytes
    default: break
    }
    return reader
  }

  /// The tags with all that was read.
  func added(to tags: Metadata) -> Metadata {
    var metadata = tags
    metadata.marks = marks
    metadata.instrument = instrument
    metadata.loopProperties = loopProperties
    metadata.broadcastExtension = broadcastExtension
    return metadata
  }

  /// What the user should know.
  var warnings: [String] {
    isDamaged ? ["its markers are damaged; what can be read of them is kept"] : []
  }

  /// Corrections that show libsndfile empty room in place of the chunks that are read here.
  ///
  /// It does not hold itself to their sizes: a loop count too large, and it finds no audio.
  static func hiding(
    _ chunks: [ContainerHeader.ChunkPlace], format: AudioFormat
  ) -> [SndFileStream.Patch] {
    let names: Set<String> =
      switch format.id {
      case "wav", "rf64": ["cue ", "LIST adtl", "smpl", "inst", "acid", "bext"]
      case "aiff", "aifc": ["MARK", "INST", "COMT"]
      default: []
      }
    return chunks.filter { names.contains($0.name) }.map { chunk in
      SndFileStream.Patch(offset: chunk.offset - 8, bytes: Array("JUNK".utf8))
    }
  }

  /// The chunks of a file, to be had by name.
  struct Chunks {
    private let places: [ContainerHeader.ChunkPlace]
    private let isBigEndian: Bool

    init(_ header: ContainerHeader) {
      places = header.chunks
      isBigEndian = header.lengthField.isBigEndian
    }

    /// The content of the first chunk of a name; `nil` when there is none.
    func first(
      _ name: String, of input: borrowing InputFile
    ) throws(AudioFileError) -> HeaderBytes? {
      guard let place = places.first(where: { $0.name == name }) else { return nil }
      return try content(of: place, input)
    }

    /// The contents of all chunks of a name.
    func all(_ name: String, of input: borrowing InputFile) throws(AudioFileError) -> [HeaderBytes]
    {
      var contents: [HeaderBytes] = []
      for place in places where place.name == name {
        contents.append(try content(of: place, input))
      }
      return contents
    }

    private func content(
      of place: ContainerHeader.ChunkPlace, _ input: borrowing InputFile
    ) throws(AudioFileError) -> HeaderBytes {
      HeaderBytes(
        bytes: try input.bytes(at: place.offset, count: min(place.size, MarkReader.mostBytes)),
        isBigEndian: isBigEndian)
    }
  }
}

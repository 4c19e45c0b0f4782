internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import SystemPackage

/// The tags of a file that libsndfile writes. None are written through libsndfile, which supports
/// only ten strings.
struct SndFileTagTarget {
  private let form: AudioFormat.MetadataForm
  private let description: OutputDescription
  private let path: FilePath
  /// Names of what the file cannot hold.
  private(set) var notCarried: [MetadataLoss] = []

  private var metadata: Metadata { description.metadata }

  init(_ description: OutputDescription, path: FilePath) {
    self.description = description
    self.path = path
    form = description.format.metadata
    switch form {
    case .id3, .riff, .iff: break
    case .vorbisComments: noteLost(texts: false, pictures: false)
    case .caf: noteLost(texts: false, pictures: true)
    case .flac, .mp4, .ape, .iffTexts, .wave64, .none: noteLost(texts: true, pictures: true)
    }
  }

  private mutating func noteLost(texts: Bool, pictures: Bool) {
    if pictures, !metadata.pictures.isEmpty {
      notCarried.append(MetadataLoss(.picture, "pictures"))
    }
    // The encoder's name is not worth a warning.
    let lost = texts ? metadata.comments.filter { $0.name.uppercased() != "ENCODER" } : []
    notCarried += TagNames.grouped(lost).map { MetadataLoss(.tag, "tag \($0.name)") }
    if !metadata.syncedLyrics.isEmpty {
      notCarried.append(MetadataLoss(.lyrics, "synchronized lyrics"))
    }
  }

  /// The tag before the audio.
  mutating func leadingTag() throws(AudioFileError) -> [UInt8] {
    form == .id3 ? try id3() : []
  }

  private mutating func id3() throws(AudioFileError) -> [UInt8] {
    try TagWriter.id3(
      of: metadata, spec: description.spec, frameCount: description.frameCount,
      notCarried: &notCarried, path: path)
  }

  /// The content of a chunk before the audio: FFmpeg derives the length of a CAF file from the size
  /// of everything after its header. libsndfile's header has room for 100 KB; larger content is
  /// written after the audio.
  var leadingInformation: [UInt8]? {
    guard form == .caf, let info = TextChunks.caf(metadata.comments),
      info.count <= Self.maximumLeadingBytes
    else { return nil }
    return info
  }

  private static let maximumLeadingBytes = 1 << 15

  /// The chunks after the audio.
  mutating func trailingChunks() throws(AudioFileError) -> [Chunk] {
    var chunks: [Chunk] = []
    switch form {
    case .riff:
      if let info = TextChunks.info(metadata.comments) {
        chunks.append(Chunk(name: "LIST", content: info))
      }
      if metadata.hasID3Chunk || !TextChunks.infoHolds(metadata) {
        chunks.append(Chunk(name: "id3 ", content: try id3()))
      }
    case .iff:
      chunks += TextChunks.aiff(metadata.comments)
      chunks.append(Chunk(name: "ID3 ", content: try id3()))
    case .caf:
      if leadingInformation == nil, let info = TextChunks.caf(metadata.comments) {
        chunks.append(Chunk(name: "info", content: info))
      }
    default: break
    }
    return chunks.filter { !$0.content.isEmpty }
  }
}

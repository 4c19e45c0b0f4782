internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import AudioTags
internal import SystemPackage

/// The tags of a file that libsndfile writes. None are written through libsndfile, which supports
/// only ten strings.
struct SndFileTagTarget {
  private enum Place {
    /// An ID3v2 tag before the audio.
    case leadingID3
    /// `LIST INFO` and an ID3v2 tag, in chunks after the audio.
    case riff
    /// Text chunks and an ID3v2 tag, after the audio.
    case iff
    /// An `info` chunk.
    case caf
    case opus
    case nowhere
  }

  private let place: Place
  private let description: OutputDescription
  private let path: FilePath
  /// Names of what the file cannot hold.
  private(set) var notCarried: [String] = []

  private var metadata: Metadata { description.metadata }

  init(_ description: OutputDescription, path: FilePath) {
    self.description = description
    self.path = path
    place =
      switch description.format.container {
      case .mpegAudio: .leadingID3
      case .wav, .rf64: .riff
      case .aiff, .aiffC: .iff
      case .caf: .caf
      case .ogg: .opus
      default: .nowhere
      }
    switch place {
    case .leadingID3, .riff, .iff: break
    case .opus: noteLost(texts: false, pictures: false)
    case .caf: noteLost(texts: false, pictures: true)
    case .nowhere: noteLost(texts: true, pictures: true)
    }
  }

  private mutating func noteLost(texts: Bool, pictures: Bool) {
    if pictures, !metadata.pictures.isEmpty { notCarried.append("pictures") }
    // The encoder's name is not worth a warning.
    let lost = texts ? metadata.comments.filter { $0.name.uppercased() != "ENCODER" } : []
    notCarried += TagNames.grouped(lost).map { "tag \($0.name)" }
    if !metadata.syncedLyrics.isEmpty { notCarried.append("synchronized lyrics") }
  }

  /// The tag before the audio.
  mutating func leadingTag() throws(AudioFileError) -> [UInt8] {
    place == .leadingID3 ? try id3() : []
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
    guard place == .caf, let info = TextChunks.caf(metadata.comments),
      info.count <= Self.mostLeadingBytes
    else { return nil }
    return info
  }

  private static let mostLeadingBytes = 1 << 15

  /// The chunks after the audio.
  mutating func trailingChunks() throws(AudioFileError) -> [Chunk] {
    var chunks: [Chunk] = []
    switch place {
    case .riff:
      if let info = TextChunks.info(metadata.comments) {
        chunks.append(Chunk(name: "LIST", content: info))
      }
      if !TextChunks.infoHolds(metadata) { chunks.append(Chunk(name: "id3 ", content: try id3())) }
    case .iff:
      chunks += TextChunks.aiff(metadata.comments)
      chunks.append(Chunk(name: "ID3 ", content: try id3()))
    case .caf:
      if leadingInformation == nil, let info = TextChunks.caf(metadata.comments) {
        chunks.append(Chunk(name: "info", content: info))
      }
    case .leadingID3, .opus, .nowhere: break
    }
    return chunks.filter { !$0.content.isEmpty }
  }

  /// Writes tags that are not chunks into a file whose audio is complete.
  mutating func complete(_ file: borrowing InputFile) throws(AudioFileError) {
    guard place == .opus else { return }
    try OpusComments.write(metadata, to: file.descriptor, notCarried: &notCarried, path: path)
  }
}

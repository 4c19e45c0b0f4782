internal import AudioModel
internal import SystemPackage

/// The chunks that are put behind the audio of a file that libsndfile has finished.
///
/// libsndfile's own way (`sf_set_chunk`, and commands for cues and instruments) rounds sizes up to
/// multiples of 4, writes no labels, and fails without a word when a header passes 100 KiB. Behind
/// the audio, where editors write them too, there is no limit but the container's.
struct TrailingChunks {
  private enum Container { case riff, interchange, coreAudio }

  private(set) var warnings: [String] = []
  private let container: Container?
  private var chunks: [Chunk] = []

  init(_ description: OutputDescription) {
    let metadata = description.metadata
    switch description.format.id {
    case "wav", "wavex", "rf64":
      container = .riff
      let made = RIFFMarks.chunks(for: metadata, sampleRate: description.spec.sampleRate)
      chunks = made.chunks
      if made.lost > 0 { warnings.append("\(made.lost) markers are beyond the reach of WAV") }
      if let bytes = metadata.broadcastExtension, Self.leadingExtension(metadata) == nil {
        chunks.append(Chunk(name: "bext", content: bytes))
      }
    case "aiff", "aifc":
      container = .interchange
      let made = AIFFMarks(metadata)
      chunks = made.chunks
      if made.lostCount > 0 { warnings.append("AIFF cannot hold \(made.lostCount) of the markers") }
      if made.cutCount > 0 {
        warnings.append("\(made.cutCount) labels or notes are too long for AIFF and are cut")
      }
    case "caf":
      container = .coreAudio
      chunks = CAFMarks(metadata).chunks
    default: container = nil
    }
  }

  /// The most of a broadcast extension that stands before the audio; libsndfile's header is limited.
  private static let mostLeadingBytes = 1 << 16

  /// The broadcast extension that goes before the audio, where programs look for it first, filled up
  /// with zeros to what libsndfile makes of its size.
  static func leadingExtension(_ metadata: Metadata) -> [UInt8]? {
    guard let bytes = metadata.broadcastExtension, bytes.count <= mostLeadingBytes else {
      return nil
    }
    return bytes + Array(repeating: 0, count: (4 - bytes.count % 4) % 4)
  }

  /// Appends the chunks to a finished file and makes its sizes true.
  mutating func append(to stream: SndFileStream, path: FilePath) throws(AudioFileError) {
    guard let container, !chunks.isEmpty else { return }
    let size = stream.writtenByteCount
    let isWide = container == .coreAudio
    var bytes: [UInt8] = []
    // Chunks begin at even bytes in all but CAF.
    if !isWide, size % 2 == 1 { bytes.append(0) }
    for chunk in chunks {
      var head = ChunkBytes(isBigEndian: container != .riff)
      head.append(chunk.name.utf8)
      if isWide {
        head.append(UInt64(chunk.content.count))
      } else {
        head.append(UInt32(clamping: chunk.content.count))
      }
      bytes += head.bytes + chunk.content
      if !isWide, chunk.content.count % 2 == 1 { bytes.append(0) }
    }
    guard let field = try Self.sizeField(container, fileSize: size + bytes.count, stream, path)
    else {
      warnings.append("the file is too long to hold markers as well; they are left out")
      return
    }
    do {
      _ = try stream.descriptor.writeAll(toAbsoluteOffset: Int64(size), bytes)
      _ = try stream.descriptor.writeAll(toAbsoluteOffset: Int64(field.offset), field.bytes)
    } catch {
      throw .cannotWrite(path, error as? Errno ?? .ioError)
    }
  }

  /// The bytes that tell a container's size, and where; `nil` when the field is too small.
  private static func sizeField(
    _ container: Container, fileSize: Int, _ stream: SndFileStream, _ path: FilePath
  ) throws(AudioFileError) -> SndFileStream.Patch? {
    switch container {
    case .coreAudio: return SndFileStream.Patch(offset: 0, bytes: [])
    case .interchange:
      return ContainerHeader.LengthField(offset: 4, byteCount: 4, isBigEndian: true, overhead: -8)
        .patch(fileSize)
    case .riff:
      let name = try stream.reopened(path: path).bytes(at: 0, count: 4)
      // The size in RF64 stands in its first chunk, ds64.
      let isLarge = name.elementsEqual("RF64".utf8)
      return ContainerHeader.LengthField(
        offset: isLarge ? 20 : 4, byteCount: isLarge ? 8 : 4, isBigEndian: false, overhead: -8
      ).patch(fileSize)
    }
  }
}

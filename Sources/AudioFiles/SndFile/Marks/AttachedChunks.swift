internal import AudioModel
internal import SystemPackage

/// The chunks that are put around the audio of a file that libsndfile writes.
///
/// libsndfile's own ways to write them round sizes up to multiples of 4 (`sf_set_chunk`) or hold no
/// labels, few loops and short names (its commands for cues and instruments), and everything before
/// the audio fails without a word when it passes 100 KiB. So most go behind the audio, where editors
/// write them too and where there is no limit but the container's.
struct AttachedChunks {
  private enum Container { case riff, interchange, coreAudio }

  /// The most bytes that go before the audio.
  private static let mostLeadingBytes = 1 << 16

  private(set) var warnings: [String] = []
  /// The chunks that libsndfile is to write before the audio, with sizes that are multiples of 4.
  private(set) var leading: [Chunk] = []
  private var trailing: [Chunk] = []
  private let container: Container?

  init(_ description: OutputDescription) {
    let metadata = description.metadata
    switch description.format.id {
    case "wav", "wavex", "rf64":
      container = .riff
      let made = RIFFMarks.chunks(for: metadata, sampleRate: description.spec.sampleRate)
      trailing = made.chunks
      if made.lost > 0 { warnings.append("\(made.lost) markers are beyond the reach of WAV") }
      // Programs look for the broadcast extension before the audio.
      if let bytes = metadata.broadcastExtension { lead([Chunk(name: "bext", content: bytes)]) }
    case "aiff", "aifc":
      container = .interchange
      let made = AIFFMarks(metadata)
      trailing = made.chunks
      if made.lostCount > 0 { warnings.append("AIFF cannot hold \(made.lostCount) of the markers") }
      if made.cutCount > 0 {
        warnings.append("\(made.cutCount) labels or notes are too long for AIFF and are cut")
      }
    case "caf":
      container = .coreAudio
      // FFmpeg takes everything from the audio on to the end for its length.
      lead(CAFMarks(metadata).chunks)
    default: container = nil
    }
  }

  /// Puts chunks whose content may end in zeros before the audio, or behind it when they are long.
  private mutating func lead(_ chunks: [Chunk]) {
    guard chunks.reduce(0, { $0 + $1.content.count }) <= Self.mostLeadingBytes else {
      trailing += chunks
      return
    }
    leading += chunks.map { chunk in
      let padding = [UInt8](repeating: 0, count: (4 - chunk.content.count % 4) % 4)
      return Chunk(name: chunk.name, content: chunk.content + padding)
    }
  }

  /// Appends the chunks to a finished file and makes its sizes true.
  mutating func append(to stream: SndFileStream, path: FilePath) throws(AudioFileError) {
    guard let container, !trailing.isEmpty else { return }
    let size = stream.writtenByteCount
    let isWide = container == .coreAudio
    var bytes: [UInt8] = []
    // Chunks begin at even bytes in all but CAF.
    if !isWide, size % 2 == 1 { bytes.append(0) }
    for chunk in trailing {
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

internal import AudioModel

/// The chunks that tell of the time of a file's audio, which are put behind it.
///
/// libsndfile's own way (`sf_set_chunk`, and commands for cues and instruments) rounds sizes up to
/// multiples of 4, writes no labels, and fails without a word when a header passes 100 KiB. Behind
/// the audio, where editors write them too, there is no limit but the container's.
struct MarkChunks {
  /// The chunks that go behind the audio.
  private(set) var chunks: [Chunk] = []
  /// The broadcast extension that goes before the audio, where programs look for it first, filled up
  /// with zeros to what libsndfile makes of its size.
  private(set) var leadingExtension: [UInt8]?
  /// What the chunks cannot say.
  private(set) var warnings: [String] = []

  init(_ description: OutputDescription) {
    let metadata = description.metadata
    switch description.format.id {
    case "wav", "wavex", "rf64":
      let made = RIFFMarks.chunks(for: metadata, sampleRate: description.spec.sampleRate)
      chunks = made.chunks
      if made.lost > 0 { warnings.append("\(made.lost) markers are beyond the reach of WAV") }
      if let bytes = metadata.broadcastExtension {
        if bytes.count <= Self.mostLeadingBytes {
          leadingExtension = Self.padded(bytes)
        } else {
          chunks.append(Chunk(name: "bext", content: bytes))
        }
      }
    case "aiff", "aifc":
      let made = AIFFMarks(metadata)
      chunks = made.chunks
      if made.lostCount > 0 { warnings.append("AIFF cannot hold \(made.lostCount) of the markers") }
      if made.cutCount > 0 {
        warnings.append("\(made.cutCount) labels or notes are too long for AIFF and are cut")
      }
    case "caf":
      chunks = CAFMarks(metadata).chunks
    default: break
    }
  }

  /// The most of a broadcast extension that stands before the audio; libsndfile's header is limited.
  private static let mostLeadingBytes = 1 << 16

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + Array(repeating: 0, count: (4 - bytes.count % 4) % 4)
  }
}

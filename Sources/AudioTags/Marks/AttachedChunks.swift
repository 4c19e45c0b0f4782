package import AudioContainers
package import AudioIO
internal import AudioModel

/// The chunks that are put around the audio of a file that libsndfile writes.
///
/// libsndfile's own ways to write them round sizes up to multiples of 4 (`sf_set_chunk`) or hold no
/// labels, few loops and short names (its commands for cues and instruments), and everything before
/// the audio fails without a word when it passes 100 KiB. So most go behind the audio, where editors
/// write them too and where there is no limit but the container's.
package struct AttachedChunks {
  /// The most bytes that go before the audio.
  private static let maximumLeadingBytes = 1 << 15

  package private(set) var warnings: [String] = []
  /// What the file cannot hold.
  package private(set) var notCarried: [String] = []
  /// The chunks that libsndfile is to write before the audio, with sizes that are multiples of 4.
  package private(set) var leading: [Chunk] = []
  /// The chunks that go behind the audio.
  package private(set) var trailing: [Chunk] = []

  package init(_ description: OutputDescription) {
    let metadata = description.metadata
    switch description.format.container {
    case .wav, .rf64:
      let made = RIFFMarks.chunks(for: metadata, sampleRate: description.spec.sampleRate)
      trailing = made.chunks
      if made.lost > 0 { notCarried.append("\(made.lost) markers") }
      // Programs look for the broadcast extension before the audio.
      if let bytes = metadata.broadcastExtension { lead([Chunk(name: "bext", content: bytes)]) }
    case .aiff, .aiffC:
      let made = AIFFMarks(metadata)
      trailing = made.chunks
      if made.lostCount > 0 { notCarried.append("\(made.lostCount) markers") }
      if made.cutCount > 0 {
        warnings.append("\(made.cutCount) labels or notes are too long for AIFF and are cut")
      }
    case .caf:
      // FFmpeg takes everything from the audio on to the end for its length.
      lead(CAFMarks(metadata).chunks)
    default: break
    }
  }

  /// Puts chunks whose content may end in zeros before the audio, or behind it when they are long.
  private mutating func lead(_ chunks: [Chunk]) {
    guard chunks.reduce(0, { $0 + $1.content.count }) <= Self.maximumLeadingBytes else {
      trailing += chunks
      return
    }
    leading += chunks.map { chunk in
      let padding = [UInt8](repeating: 0, count: (4 - chunk.content.count % 4) % 4)
      return Chunk(name: chunk.name, content: chunk.content + padding)
    }
  }
}

/// What is in a file besides audio and text tags, and is not carried.
package enum UnsupportedChunks {
  /// Names of chunks, in any of the containers, and what people call their content.
  private static let known: [String: String] = [
    "plst": "a playlist", "cart": "a cart", "iXML": "iXML", "axml": "axml", "aXML": "aXML",
    "chna": "track identifiers", "_PMX": "XMP", "midi": "MIDI data", "MIDI": "MIDI data",
    "umid": "a unique material identifier", "APPL": "application data", "AESD": "recording data",
    // Wave64's GUID for markers, whose content Sony has not described in public.
    "Vb\u{FFFD}\u{FFFD}": "markers", "uuid": "user-defined data",
  ]

  /// The names of what will be missing.
  package static func names(in header: ContainerHeader?) -> [String] {
    var names: [String] = []
    for chunk in header?.chunks.map(\.name) ?? [] {
      if let name = known[chunk], !names.contains(name) { names.append(name) }
    }
    return names
  }
}

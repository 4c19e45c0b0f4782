package import AudioIO
package import AudioModel
package import SystemPackage

/// The chunks that hold the tags and marks of a file of PCM, before and after its audio.
///
/// Most go after the audio, where editors write them too.
package struct AttachedChunks {
  /// The maximum bytes of chunks before the audio: libsndfile opens no file with 100 KiB of them.
  private static let maximumLeadingBytes = 1 << 15

  package private(set) var warnings: [String] = []
  /// Metadata that the file cannot hold.
  package private(set) var notCarried: [MetadataLoss] = []
  /// The chunks to write before the audio, with sizes that are multiples of 4.
  package private(set) var leading: [Chunk] = []
  /// The chunks to write after the audio.
  package private(set) var trailing: [Chunk] = []

  package init(_ description: OutputDescription, path: FilePath) throws(AudioFileError) {
    let metadata = description.metadata
    switch description.format.metadata {
    case .riff:
      // libsndfile finds the tags of RF64 only before markers.
      if let info = TextChunks.info(metadata) {
        trailing.append(Chunk(name: "LIST", content: info))
      }
      if metadata.hasID3Chunk || !TextChunks.infoHolds(metadata) {
        try appendID3("id3 ", description, .info, path)
      }
      let made = RIFFMarks.chunks(for: metadata, sampleRate: description.spec.sampleRate)
      trailing += made.chunks
      if made.lost > 0 { notCarried.append(MetadataLoss(.mark, "\(made.lost) markers")) }
      if let stored = metadata.storedTexts, stored.kind == .info, let bytes = stored.characterSet {
        _ = lead([Chunk(name: "CSET", content: bytes)])
      }
      // Programs expect the broadcast extension before the audio.
      if let bytes = metadata.broadcastExtension {
        let chunk = Chunk(name: "bext", content: bytes)
        if !lead([chunk]) { trailing.append(chunk) }
      }
      trailing += metadata.foreignChunks.map { Chunk(name: $0.name, content: $0.content) }
    case .wave64:
      noteLost(metadata, texts: true)
      let chunks =
        (metadata.broadcastExtension.map { [Chunk(name: "bext", content: $0)] } ?? [])
        + metadata.foreignChunks.map { Chunk(name: $0.name, content: $0.content) }
      // Chunks of Wave64 are padded outside of their content.
      let byteCount = chunks.reduce(0) { $0 + $1.content.count }
      if byteCount <= Self.maximumLeadingBytes { leading = chunks } else { trailing = chunks }
    case .iff:
      trailing = TextChunks.aiff(metadata).filter { !$0.content.isEmpty }
      try appendID3("ID3 ", description, .iff, path)
      let made = AIFFMarks(metadata)
      trailing += made.chunks
      if made.lostCount > 0 { notCarried.append(MetadataLoss(.mark, "\(made.lostCount) markers")) }
      if made.truncatedCount > 0 {
        warnings.append(
          "\(made.truncatedCount) labels or notes are too long for AIFF and are truncated")
      }
    case .caf:
      noteLost(metadata, texts: false)
      // FFmpeg treats everything from the audio to the end of the file as audio.
      let marks = CAFMarks(metadata).chunks
      let marksLead = lead(marks)
      if let info = TextChunks.caf(metadata) {
        let chunk = Chunk(name: "info", content: info)
        if !lead([chunk]) { trailing.append(chunk) }
      }
      if !marksLead { trailing += marks }
    default: noteLost(metadata, texts: true)
    }
  }

  private mutating func noteLost(_ metadata: Metadata, texts: Bool) {
    if !metadata.pictures.isEmpty { notCarried.append(MetadataLoss(.picture, "pictures")) }
    // The encoder's name is not worth a warning.
    let lost = texts ? metadata.comments.filter { $0.name.uppercased() != "ENCODER" } : []
    notCarried += TagNames.grouped(lost).map { MetadataLoss(.tag, "tag \($0.name)") }
    if !metadata.syncedLyrics.isEmpty {
      notCarried.append(MetadataLoss(.lyrics, "synchronized lyrics"))
    }
  }

  private mutating func appendID3(
    _ name: String, _ description: OutputDescription, _ kind: Metadata.Comment.Item.Kind,
    _ path: FilePath
  ) throws(AudioFileError) {
    let tag = try TagWriter.id3(
      of: description.metadata.withoutAssumedTexts(in: kind), spec: description.spec,
      frameCount: description.frameCount,
      notCarried: &notCarried, path: path)
    if !tag.isEmpty { trailing.append(Chunk(name: name, content: tag)) }
  }

  /// Puts chunks whose content may end in zeros before the audio; `false` if they are too long.
  private mutating func lead(_ chunks: [Chunk]) -> Bool {
    guard chunks.reduce(0, { $0 + $1.content.count }) <= Self.maximumLeadingBytes else {
      return false
    }
    leading += chunks.map { chunk in
      let padding = [UInt8](repeating: 0, count: (4 - chunk.content.count % 4) % 4)
      return Chunk(name: chunk.name, content: chunk.content + padding)
    }
    return true
  }
}

/// Chunks of RIFF and Wave64 that are carried as they are, apart from times that are known.
enum ForeignChunks {
  /// The maximum number of chunks, and of their bytes together.
  private static let maximumCount = 64
  private static let maximumBytes = 1 << 24
  /// The names of chunks of text, which have no byte order.
  private static let texts: Set<String> = ["iXML", "axml", "aXML", "_PMX"]
  /// The end of the identifiers of Wave64 that begin with the name of a chunk of RIFF.
  private static let guidTail: [UInt8] = [
    0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A,
  ]

  /// Reads the chunks.
  static func read(
    _ input: borrowing InputFile, _ header: ContainerHeader, _ form: AudioFormat.MetadataForm
  ) throws(AudioFileError) -> [Metadata.ForeignChunk] {
    guard form == .riff || form == .wave64 else { return [] }
    var found: [Metadata.ForeignChunk] = []
    var room = maximumBytes
    for place in header.chunks {
      guard found.count < maximumCount, let title = UnsupportedChunks.title(of: place.name, form),
        place.size >= 0, place.size <= min(room, MarkReader.maximumBytes),
        !header.isBigEndian || texts.contains(place.name)
      else { continue }
      // The name of a list includes its type, with which its content begins.
      let isList = place.name.hasPrefix("LIST ") && place.name.utf8.count == 9
      let name = isList ? "LIST" : place.name
      guard name.utf8.count == 4, name.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }),
        place.name != "LIST wavl"
      else { continue }
      if form == .wave64 {
        let tail = try input.bytes(at: place.offset - 20, count: guidTail.count)
        if tail != guidTail { continue }
      }
      let content = try input.bytes(at: place.offset, count: place.size)
      // A chunk that the file cuts off is damaged.
      guard content.count == place.size else { continue }
      room -= content.count
      found.append(.init(name: name, title: title, content: content))
    }
    return found
  }
}

/// Chunks whose content is not carried to the output.
package enum UnsupportedChunks {
  /// Display names of content by chunk name, for all containers.
  private static let known: [String: String] = [
    "plst": "a playlist", "cart": "a cart", "iXML": "iXML", "axml": "axml", "aXML": "aXML",
    "chna": "track identifiers", "_PMX": "XMP", "midi": "MIDI data", "MIDI": "MIDI data",
    "umid": "a unique material identifier", "APPL": "application data", "AESD": "recording data",
    // Wave64's GUID for markers, whose content Sony has not published.
    "Vb\u{FFFD}\u{FFFD}": "markers", "uuid": "user-defined data",
    "levl": "a peak envelope (levl)", "r64m": "markers (r64m)", "LIST wavl": "a list of waves",
    "strc": "beats (strc)", "regn": "regions (regn)", "elm1": "a list of edits (elm1)",
    "ovwf": "an overview (ovwf)", "LGWV": "an overview (LGWV)", "r128": "a loudness (r128)",
    "MD5 ": "a checksum of the samples (MD5)", "SAXL": "acceleration data (SAXL)",
    "edct": "an edit comment (edct)",
  ]

  /// Chunks that fill space; in lower case.
  private static let padding: Set<String> = [
    "junk", "junq", "pad ", "fllr", "fake", "filr", "free", "\0\0\0\0", "",
  ]

  /// Chunks that are read, or that describe how the original is stored; in lower case.
  private static func usual(in form: AudioFormat.MetadataForm) -> Set<String> {
    switch form {
    case .riff:
      [
        "fmt ", "data", "fact", "ds64", "list info", "list adtl", "cue ", "smpl", "inst", "acid",
        "bext", "id3 ", "peak", "slnt", "cset",
      ]
    case .wave64: ["fmt ", "data", "fact", "bext"]
    case .caf:
      [
        "desc", "data", "chan", "info", "kuki", "pakt", "mark", "regn", "strg", "inst", "ovvw",
        "peak",
      ]
    default:
      [
        "comm", "ssnd", "fver", "mark", "inst", "chan", "name", "auth", "(c) ", "anno", "comt",
        "vhdr", "body", "id3 ", "peak",
      ]
    }
  }

  private static let maximumLosses = 50

  /// The content that is missing from the metadata, and so from the output, besides chunks that are carried.
  package static func losses(
    in header: ContainerHeader?, of form: AudioFormat.MetadataForm,
    besides carried: [Metadata.ForeignChunk]
  ) -> [MetadataLoss] {
    var losses: [MetadataLoss] = []
    for chunk in header?.chunks.map(\.name) ?? [] where losses.count < maximumLosses {
      guard let title = title(of: chunk, form), case let loss = MetadataLoss(.chunk, title),
        !losses.contains(loss), !carried.contains(where: { $0.title == title })
      else { continue }
      losses.append(loss)
    }
    return losses
  }

  /// The name for people of a chunk that is not read here; `nil` for one that is, and for one that fills space.
  static func title(of chunk: String, _ form: AudioFormat.MetadataForm) -> String? {
    let lowered = chunk.lowercased()
    if padding.contains(lowered) || usual(in: form).contains(lowered) { return nil }
    // After damage, a walk may find anything.
    let isPrintable = chunk.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    // Wave64 has identifiers of 16 bytes.
    let unknown = form == .wave64 ? "a chunk of unknown kind" : nil
    return known[chunk] ?? (isPrintable ? "chunk \(chunk)" : unknown)
  }
}

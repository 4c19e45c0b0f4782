internal import AudioIO
internal import AudioModel

/// Marks in WAV: cue points, and their list of labels, notes, and regions.
///
/// Source: IBM and Microsoft, "Multimedia Programming Interface and Data Specifications 1.0" (1991),
/// chapter 3, "Cue-Points Chunk" and "Associated Data List".
extension MarkReader {
  mutating func readRIFF(
    _ input: borrowing InputFile, _ chunks: Chunks
  ) throws(AudioFileError) {
    for cue in try chunks.all("cue ", of: input) { takeCuePoints(cue) }
    for list in try chunks.all("LIST adtl", of: input) { takeAssociatedData(list) }
    if let sampler = try chunks.first("smpl", of: input) { takeSampler(sampler) }
    if let instrument = try chunks.first("inst", of: input) { takeInstrument(instrument) }
    if let acid = try chunks.first("acid", of: input) { takeLoopProperties(acid) }
    if let extensionChunk = try chunks.first("bext", of: input) {
      broadcastExtension = extensionChunk.bytes
    }
    for (name, title) in [("bext", "broadcast extension"), ("smpl", "sampler chunk")]
    where try chunks.all(name, of: input).count > 1 {
      lose(.tag, "another \(title)")
    }
  }

  private mutating func takeCuePoints(_ cue: ByteReader) {
    guard let count = cue.int32(at: 0) else {
      isDamaged = true
      return
    }
    let there = (cue.bytes.count - 4) / RIFFMarks.cuePointSize
    if count > there { isDamaged = true }
    for index in 0..<min(count, there) {
      let offset = 4 + index * RIFFMarks.cuePointSize
      guard let id = cue.uint32(at: offset), let position = cue.uint32(at: offset + 4),
        let blockStart = cue.uint32(at: offset + 16), let sample = cue.uint32(at: offset + 20)
      else { break }
      // "dwSampleOffset" is relative to the block; some programs set only the position in play order.
      let start = sample == 0 && blockStart == 0 ? position : sample
      marks.append(Metadata.Mark(id: id, start: Double(start)))
    }
  }

  private mutating func takeAssociatedData(_ list: ByteReader) {
    var numbers: [UInt32: Int] = [:]
    for (index, mark) in marks.enumerated() {
      if let id = mark.id, numbers[id] == nil { numbers[id] = index }
    }
    var seen: Set<[UInt8]> = []
    // The list type, "adtl", comes first.
    var offset = 4
    while offset + 8 <= list.bytes.count {
      guard let name = list.text(at: offset), let size = list.int32(at: offset + 4) else { break }
      let start = offset + 8
      let end = start + size
      if end > list.bytes.count { isDamaged = true }
      if !["labl", "note", "ltxt"].contains(name) {
        lose(.chunk, "chunk LIST adtl \(name.filter { $0.isASCII && !$0.isWhitespace })")
      } else if size < 4 || list.uint32(at: start).flatMap({ numbers[$0] }) == nil {
        lose(.mark, "labels without markers")
      } else if name != "ltxt" || size >= Self.regionSize,
        !seen.insert(Array(name.utf8) + list.bytes[start..<min(start + 4, list.bytes.count)])
          .inserted
      {
        lose(.mark, "further labels of one marker")
      } else if let id = list.uint32(at: start), let index = numbers[id] {
        take(name, list, start: start, end: end, index)
      }
      offset = end + size & 1
    }
  }

  private mutating func take(
    _ name: String, _ list: ByteReader, start: Int, end: Int, _ index: Int
  ) {
    switch name {
    case "labl":
      marks[index].label = texts.string(list.terminatedBytes(at: start + 4, end: end))
      marks[index].isLabeledByText = false
    case "note":
      marks[index].note = texts.string(list.terminatedBytes(at: start + 4, end: end))
    default: takeRegion(list, at: start, end: end, of: index)
    }
  }

  /// The bytes of a labeled text chunk before its text.
  private static let regionSize = 20

  /// Reads a labeled text chunk: the length and purpose of a region.
  private mutating func takeRegion(_ list: ByteReader, at start: Int, end: Int, of index: Int) {
    guard end - start >= Self.regionSize, let length = list.uint32(at: start + 4),
      let purpose = list.text(at: start + 8)
    else {
      isDamaged = true
      return
    }
    marks[index].length = Double(length)
    marks[index].purpose = purpose.utf8.allSatisfy { (0x20..<0x7F).contains($0) } ? purpose : ""
    // Country, language, dialect and code page precede the text.
    let codePage = list.int16(at: start + 18) ?? 0
    let text = texts.string(list.terminatedBytes(at: start + 20, end: end), codePage: codePage)
    marks[index].text = text
    if !list.isBigEndian {
      marks[index].locale = Array(list.bytes.dropFirst(start + 12).prefix(8))
    }
    if marks[index].label.isEmpty {
      marks[index].label = text
      marks[index].isLabeledByText = true
    }
  }
}

/// The marks and instrument of a recording as WAV chunks.
enum RIFFMarks {
  static let cuePointSize = 24

  /// The chunks to write after the audio, and the number of marks whose positions exceed 32 bits.
  static func chunks(for metadata: Metadata, sampleRate: Int) -> (chunks: [Chunk], lost: Int) {
    let placed = numbered(metadata.marks).filter { UInt32(exactly: $0.mark.start.rounded()) != nil }
    var chunks: [Chunk] = []
    if !placed.isEmpty {
      chunks.append(Chunk(name: "cue ", content: cuePoints(placed)))
      let list = associatedData(placed, metadata)
      if list.count > 4 { chunks.append(Chunk(name: "LIST", content: list)) }
    }
    if let loop = metadata.loopProperties {
      chunks.append(Chunk(name: "acid", content: SamplerChunks.acid(loop)))
    }
    // The chunk of odd size is last because libsndfile does not find chunks after it in RF64.
    if let instrument = metadata.instrument {
      chunks += SamplerChunks.chunks(for: instrument, sampleRate: sampleRate)
    }
    return (chunks, metadata.marks.count - placed.count)
  }

  /// The marks with unique IDs.
  private static func numbered(
    _ marks: [Metadata.Mark]
  ) -> [(mark: Metadata.Mark, id: UInt32)] {
    var taken: Set<UInt32> = []
    var next: UInt32 = 1
    let own = Set(marks.compactMap(\.id))
    return marks.map { mark in
      if let id = mark.id, taken.insert(id).inserted { return (mark, id) }
      while taken.contains(next) || own.contains(next) { next &+= 1 }
      taken.insert(next)
      return (mark, next)
    }
  }

  private static func cuePoints(_ marks: [(mark: Metadata.Mark, id: UInt32)]) -> [UInt8] {
    var chunk = ByteWriter(isBigEndian: false)
    chunk.append(UInt32(clamping: marks.count))
    for (mark, id) in marks {
      let position = UInt32(exactly: mark.start.rounded()) ?? 0
      chunk.append(id)
      chunk.append(position)
      chunk.append("data".utf8)
      // "dwChunkStart" and "dwBlockStart" are 0 with a single uncompressed data chunk.
      chunk.append(UInt32(0))
      chunk.append(UInt32(0))
      chunk.append(position)
    }
    return chunk.bytes
  }

  private static func associatedData(
    _ marks: [(mark: Metadata.Mark, id: UInt32)], _ metadata: Metadata
  ) -> [UInt8] {
    func stored(_ text: String) -> [UInt8] { metadata.terminatedBytes(of: text, in: .info) }
    var list = ByteWriter(isBigEndian: false)
    list.append("adtl".utf8)
    for (mark, id) in marks {
      let isTextOnly = mark.isLabeledByText && mark.label == mark.text
      if !mark.label.isEmpty, !isTextOnly {
        append("labl", id, stored(mark.label), &list)
      }
      if !mark.note.isEmpty { append("note", id, stored(mark.note), &list) }
      if mark.length > 0 || !mark.purpose.isEmpty || !mark.text.isEmpty {
        append("ltxt", id, region(mark, text: stored(mark.text)), &list)
      }
    }
    return list.bytes
  }

  /// A region's length and purpose; country, language, dialect, and code page are 0 if the source has none.
  private static func region(_ mark: Metadata.Mark, text: [UInt8]) -> [UInt8] {
    var content = ByteWriter(isBigEndian: false)
    content.append(UInt32(exactly: mark.length.rounded()) ?? .max)
    let purpose = mark.purpose.utf8.count == 4 ? mark.purpose : "rgn "
    content.append(purpose.utf8)
    content.append(mark.locale.count == 8 ? mark.locale : [UInt8](repeating: 0, count: 8))
    if !mark.text.isEmpty {
      content.append(text)
    }
    return content.bytes
  }

  private static func append(
    _ name: String, _ id: UInt32, _ content: [UInt8], _ list: inout ByteWriter
  ) {
    list.append(Chunk(name: name, content: Int(id).littleEndianBytes(4) + content))
  }
}

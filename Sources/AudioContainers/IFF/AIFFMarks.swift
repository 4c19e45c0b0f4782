internal import AudioIO
internal import AudioModel

/// Marks in AIFF: markers, comments on markers, and the loops of an instrument.
///
/// Source: Apple, "Audio Interchange File Format AIFF-C", draft of 26 August 1991, "Marker Chunk",
/// "Comments Chunk" and "Instrument Chunk".
extension MarkReader {
  mutating func readAIFF(
    _ input: borrowing InputFile, _ chunks: Chunks
  ) throws(AudioFileError) {
    for chunk in try chunks.all("MARK", of: input) { takeMarkers(chunk) }
    for chunk in try chunks.all("COMT", of: input) { takeComments(chunk) }
    if let chunk = try chunks.first("INST", of: input) { takeKeyedInstrument(chunk) }
    // Apple's chunk of loops has no published specification: a version, and the number of beats, in 32 bits each.
    if let chunk = try chunks.first("basc", of: input), chunk.uint32(at: 0) == 1 {
      loopBeats = chunk.uint32(at: 4) ?? 0
    }
  }

  private mutating func takeMarkers(_ chunk: ByteReader) {
    guard let count = chunk.int16(at: 0) else {
      isDamaged = true
      return
    }
    var offset = 2
    for _ in 0..<count {
      guard let id = chunk.int16(at: offset), let position = chunk.uint32(at: offset + 2),
        let label = chunk.countedBytes(at: offset + 6),
        let length = chunk.number(at: offset + 6, count: 1).map({ Int($0) })
      else {
        isDamaged = true
        return
      }
      marks.append(
        Metadata.Mark(id: UInt32(id), start: Double(position), label: texts.string(label)))
      // A text and its length byte together are padded to an even length.
      offset += 6 + (length + 2) & ~1
    }
  }

  /// Reads comments on markers, and those on the whole file, which are tags.
  private mutating func takeComments(_ chunk: ByteReader) {
    guard let count = chunk.int16(at: 0) else { return }
    var noted: Set<Int> = []
    var numbers: [UInt32: Int] = [:]
    for (index, mark) in marks.enumerated() {
      if let id = mark.id, numbers[id] == nil { numbers[id] = index }
    }
    var offset = 2
    for _ in 0..<count {
      guard let id = chunk.int16(at: offset + 4), let length = chunk.int16(at: offset + 6) else {
        isDamaged = true
        return
      }
      let text = texts.string(chunk.terminatedBytes(at: offset + 8, end: offset + 8 + length))
      let time = chunk.uint32(at: offset) ?? 0
      if id == 0 {
        for var comment in TextChunks.unnamed(text) {
          comment.item = .init(.iff, "\(AIFFMarks.commentItem)\(time)")
          comments.append(comment)
        }
      } else if let index = numbers[UInt32(id)], noted.insert(index).inserted {
        marks[index].note = text
        marks[index].noteTime = time
      } else {
        lose(.mark, "comments on markers")
      }
      offset += 8 + (length + 1) & ~1
    }
  }

  private mutating func takeKeyedInstrument(_ chunk: ByteReader) {
    let fields = (0..<6).compactMap { chunk.number(at: $0, count: 1).map { UInt8($0) } }
    guard fields.count == 6, let gain = chunk.int16(at: 6) else {
      isDamaged = true
      return
    }
    // "detune": "how much the instrument should alter the pitch of the sound when it is played".
    var found = Metadata.Instrument(
      baseNote: min(fields[0], 127), detune: -Double(Int8(bitPattern: fields[1])),
      gain: Double(Int16(truncatingIfNeeded: gain)),
      notes: SamplerChunks.range(fields[2], fields[3]),
      velocities: SamplerChunks.range(fields[4], fields[5]))
    for (offset, isRelease) in [(8, false), (14, true)] {
      guard let mode = chunk.int16(at: offset), let begin = chunk.int16(at: offset + 2),
        let end = chunk.int16(at: offset + 4)
      else {
        isDamaged = true
        break
      }
      guard let first = marks.first(where: { $0.id == UInt32(begin) }),
        let last = marks.first(where: { $0.id == UInt32(end) }), last.start > first.start
      else {
        // A loop that is off need not have a place.
        if mode != 0 { isDamaged = true }
        continue
      }
      var loop = Metadata.Instrument.Loop(
        mode: mode == 0 ? .off : mode == 2 ? .alternating : .forward, start: first.start,
        end: last.start, isRelease: isRelease)
      loop.markers = [UInt16(begin), UInt16(end)]
      found.loops.append(loop)
    }
    instrument = found
  }
}

/// The marks and instrument of a recording as AIFF chunks.
struct AIFFMarks {
  private(set) var chunks: [Chunk] = []
  /// The number of marks that AIFF cannot store.
  private(set) var lostCount = 0
  /// The number of marks with truncated labels or notes.
  private(set) var truncatedCount = 0
  private var markers: [(id: UInt16, position: UInt32, label: [UInt8])] = []
  private var notes: [(time: UInt32, id: UInt16, text: [UInt8])] = []
  /// The prefix of items that hold comments on the whole file; a time stamp follows.
  static let commentItem = "COMT@"
  private var takenIDs: Set<UInt16> = []
  private let metadata: Metadata
  /// The IDs that marks already have.
  private let ownIDs: Set<UInt32>
  private var nextID: UInt16 = 1
  /// IDs are signed 16-bit numbers and positive.
  private static let highestID: UInt16 = 0x7FFF

  init(_ metadata: Metadata) {
    self.metadata = metadata
    ownIDs = Set(metadata.marks.compactMap(\.id))
    for mark in metadata.marks { add(mark) }
    for comment in metadata.comments {
      if let item = comment.itemName(in: .iff), item.hasPrefix(Self.commentItem),
        comment.name.uppercased() == "COMMENT"
      {
        let time = UInt32(item.dropFirst(Self.commentItem.count)) ?? 0
        notes.append((time, 0, stored(comment.value, count: 0xFFFF)))
      }
    }
    let instrument = metadata.instrument.map { instrumentContent($0) }
    if !markers.isEmpty { chunks.append(Chunk(name: "MARK", content: markerContent)) }
    if !notes.isEmpty { chunks.append(Chunk(name: "COMT", content: noteContent)) }
    if let instrument { chunks.append(Chunk(name: "INST", content: instrument)) }
  }

  /// The next unused ID; `nil` if there is none.
  private mutating func freeID() -> UInt16? {
    while nextID <= Self.highestID {
      defer { nextID += 1 }
      if !takenIDs.contains(nextID), !ownIDs.contains(UInt32(nextID)) { return nextID }
    }
    return nil
  }

  /// The bytes of a text as the source stores them, or of as much of it as fits.
  private func stored(_ text: String, count: Int) -> [UInt8] {
    let bytes = metadata.bytes(of: text, in: .iff)
    return bytes.count <= count ? bytes : ByteWriter.prefix(of: text, count: count)
  }

  private mutating func add(_ mark: Metadata.Mark) {
    let asked = mark.id.flatMap { UInt16(exactly: $0) }
    let kept = asked.flatMap {
      (1...Self.highestID).contains($0) && !takenIDs.contains($0) ? $0 : nil
    }
    guard let position = UInt32(exactly: mark.start.rounded()),
      let id = kept ?? freeID()
    else {
      lostCount += 1
      return
    }
    takenIDs.insert(id)
    let label = stored(mark.label, count: 255)
    let note = stored(mark.note, count: 0xFFFF)
    if label.count < metadata.bytes(of: mark.label, in: .iff).count
      || note.count < metadata.bytes(of: mark.note, in: .iff).count
    {
      truncatedCount += 1
    }
    markers.append((id, position, label))
    if !note.isEmpty { notes.append((mark.noteTime, id, note)) }
  }

  /// The ID of an existing or new marker at a frame, by preference `id`; 0 if there cannot be one.
  private mutating func marker(at moment: Double, _ id: UInt16?, label: String) -> UInt16 {
    guard let position = UInt32(exactly: moment.rounded()) else { return 0 }
    if let id, markers.contains(where: { ($0.id, $0.position) == (id, position) }) { return id }
    if let there = markers.first(where: { $0.position == position }) { return there.id }
    guard let id = freeID() else { return 0 }
    takenIDs.insert(id)
    markers.append((id, position, Array(label.utf8)))
    return id
  }

  private mutating func instrumentContent(_ instrument: Metadata.Instrument) -> [UInt8] {
    var chunk = ByteWriter(isBigEndian: true)
    chunk.append(instrument.baseNote)
    chunk.append(Int8(max(-50, min(50, -instrument.detune)).rounded()))
    for range in [instrument.notes, instrument.velocities] {
      chunk.append(range.lowerBound)
      chunk.append(range.upperBound)
    }
    chunk.append(Int16(max(-32768, min(32767, instrument.gain)).rounded()))
    for isRelease in [false, true] {
      let loop = instrument.loops.first { $0.isRelease == isRelease && $0.mode != .backward }
      let begin = loop.map { marker(at: $0.start, $0.markers.first, label: "beg loop") } ?? 0
      let end = loop.map { marker(at: $0.end, $0.markers.last, label: "end loop") } ?? 0
      let isPlaced = begin != 0 && end != 0
      let mode: UInt16 =
        switch loop?.mode {
        case .forward? where isPlaced: 1
        case .alternating? where isPlaced: 2
        default: 0
        }
      chunk.append(mode)
      chunk.append(isPlaced ? begin : 0)
      chunk.append(isPlaced ? end : 0)
    }
    return chunk.bytes
  }

  private var markerContent: [UInt8] {
    var chunk = ByteWriter(isBigEndian: true)
    chunk.append(UInt16(clamping: markers.count))
    for marker in markers {
      chunk.append(marker.id)
      chunk.append(marker.position)
      chunk.append(UInt8(clamping: marker.label.count))
      chunk.append(marker.label)
      chunk.pad(to: 2)
    }
    return chunk.bytes
  }

  private var noteContent: [UInt8] {
    var chunk = ByteWriter(isBigEndian: true)
    chunk.append(UInt16(clamping: notes.count))
    for note in notes {
      // 0 if the time is unknown.
      chunk.append(note.time)
      chunk.append(note.id)
      chunk.append(UInt16(clamping: note.text.count))
      chunk.append(note.text)
      chunk.pad(to: 2)
    }
    return chunk.bytes
  }
}

internal import AudioIO
package import AudioModel

/// Marks in CAF: markers, regions, their names, and an instrument with looped regions.
///
/// Source: Apple, "Core Audio Format Specification 1.0", "Marker Chunk", "Region Chunk", "Strings
/// Chunk" and "Instrument Chunk".
extension MarkReader {
  private static let markerSize = 28

  mutating func readCAF(
    _ input: borrowing InputFile, _ chunks: Chunks
  ) throws(AudioFileError) {
    let names = try chunks.first("strg", of: input).map { strings($0) } ?? [:]
    if let chunk = try chunks.first("inst", of: input) {
      if chunk.uint32(at: 12) ?? 0 != 0 { lose(.mark, "the start region of the instrument") }
      if let id = chunk.uint32(at: 24), names[id] != nil {
        lose(.mark, "the name of the instrument")
      }
    }
    if let chunk = try chunks.first("mark", of: input) { takeMarkers(chunk, names) }
    var regions: [CAFMarks.Region] = []
    if let chunk = try chunks.first("regn", of: input) { regions = self.regions(chunk) }
    if let chunk = try chunks.first("inst", of: input) { takeInstrument(chunk, &regions) }
    take(regions, names)
    marks.sort { $0.start < $1.start }
    for chunk in try chunks.all("uuid", of: input) { takeLoop(chunk) }
    // SMPTE times refer to a film or broadcast, not to the audio.
    for name in ["mark", "regn"] {
      if let type = try chunks.first(name, of: input)?.uint32(at: 0), type != 0 {
        lose(.mark, "SMPTE times")
      }
    }
  }

  /// The identity of the chunk of Apple Loops, 29819273-B5BF-4AEF-B78D-62D1EF90BB2C.
  private static let loopIdentity: [UInt8] = [
    0x29, 0x81, 0x92, 0x73, 0xB5, 0xBF, 0x4A, 0xEF, 0xB7, 0x8D, 0x62, 0xD1, 0xEF, 0x90, 0xBB, 0x2C,
  ]

  /// The beats of an Apple loop. The chunk has no published specification: after its identity come the number of entries
  /// and, as in "info", pairs of texts, of which `beat count` is a number.
  private mutating func takeLoop(_ chunk: ByteReader) {
    guard chunk.bytes.starts(with: Self.loopIdentity), let count = chunk.int32(at: 16) else {
      return
    }
    let texts = chunk.bytes.dropFirst(20).split(separator: 0, omittingEmptySubsequences: false)
    for index in 0..<min(count, texts.count / 2) {
      if texts[2 * index].elementsEqual("beat count".utf8),
        let beats = UInt32(String(decoding: texts[2 * index + 1], as: UTF8.self))
      {
        loopBeats = beats
      }
    }
  }

  private mutating func takeMarkers(_ chunk: ByteReader, _ names: [UInt32: String]) {
    guard let count = chunk.int32(at: 4) else {
      isDamaged = true
      return
    }
    let there = (chunk.bytes.count - 8) / Self.markerSize
    if count > there { isDamaged = true }
    for index in 0..<min(count, there) {
      guard let marker = Self.marker(chunk, at: 8 + index * Self.markerSize) else {
        isDamaged = true
        continue
      }
      var mark = Metadata.Mark(
        id: marker.id, start: marker.position, label: names[marker.id] ?? "",
        purpose: marker.type)
      mark.place = marker.place
      marks.append(mark)
    }
  }

  /// A marker; `nil` if its position is invalid.
  private static func marker(_ chunk: ByteReader, at offset: Int) -> CAFMarks.Marker? {
    guard let type = chunk.uint32(at: offset), let name = chunk.text(at: offset),
      let bits = chunk.number(at: offset + 4, count: 8), let id = chunk.uint32(at: offset + 12)
    else { return nil }
    let position = Double(bitPattern: bits)
    guard (0...0x1p53).contains(position) else { return nil }
    let isName = type != 0 && name.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    return CAFMarks.Marker(
      type: isName ? name : "", position: position, id: id,
      place: Array(chunk.bytes.dropFirst(offset + 16).prefix(12)))
  }

  private mutating func regions(_ chunk: ByteReader) -> [CAFMarks.Region] {
    guard let count = chunk.int32(at: 4) else {
      isDamaged = true
      return []
    }
    var regions: [CAFMarks.Region] = []
    var offset = 8
    while regions.count < count {
      guard let id = chunk.uint32(at: offset), let flags = chunk.uint32(at: offset + 4),
        let markerCount = chunk.int32(at: offset + 8),
        markerCount <= (chunk.bytes.count - offset - 12) / Self.markerSize
      else {
        isDamaged = true
        break
      }
      offset += 12
      let markers = (0..<markerCount).compactMap {
        Self.marker(chunk, at: offset + $0 * Self.markerSize)
      }
      offset += markerCount * Self.markerSize
      if markers.count > 2 { lose(.mark, "further markers of regions") }
      if let first = markers.map(\.position).min(), let last = markers.map(\.position).max() {
        var region = CAFMarks.Region(
          id: id, flags: flags, start: first, end: last, markerIDs: markers.map(\.id))
        region.place = markers[0].place
        regions.append(region)
      }
    }
    return regions
  }

  /// Strings by the ID of the marker or region that they name.
  private mutating func strings(_ chunk: ByteReader) -> [UInt32: String] {
    guard let count = chunk.int32(at: 0) else {
      isDamaged = true
      return [:]
    }
    let entrySize = 12
    let there = (chunk.bytes.count - 4) / entrySize
    if count > there {
      isDamaged = true
      return [:]
    }
    let start = 4 + count * entrySize
    var strings: [UInt32: String] = [:]
    for index in 0..<count {
      let entry = 4 + index * entrySize
      guard let id = chunk.uint32(at: entry),
        let offset = chunk.number(at: entry + 4, count: 8).flatMap({ Int(exactly: $0) }),
        offset < chunk.bytes.count - start
      else {
        isDamaged = true
        continue
      }
      strings[id] = texts.string(
        chunk.terminatedBytes(at: start + offset, end: chunk.bytes.count))
    }
    return strings
  }

  /// Reads the instrument, and removes its looped regions from `regions`.
  private mutating func takeInstrument(_ chunk: ByteReader, _ regions: inout [CAFMarks.Region]) {
    guard let base = chunk.uint32(at: 0), let gain = chunk.uint32(at: 8),
      let sustain = chunk.uint32(at: 16), let release = chunk.uint32(at: 20)
    else {
      isDamaged = true
      return
    }
    let fields = (4..<8).compactMap { chunk.number(at: $0, count: 1).map { UInt8($0) } }
    let note = Double(Float(bitPattern: base))
    let decibels = Double(Float(bitPattern: gain))
    guard fields.count == 4, (0...127).contains(note), decibels.isFinite else {
      isDamaged = true
      return
    }
    let nearest = note.rounded()
    var found = Metadata.Instrument(
      baseNote: UInt8(nearest), detune: (note - nearest) * 100, gain: decibels,
      notes: SamplerChunks.range(fields[0], fields[1]),
      velocities: SamplerChunks.range(fields[2], fields[3]))
    for (id, isRelease) in [(sustain, false), (release, true)] where id != 0 {
      guard let index = regions.firstIndex(where: { $0.id == id }) else { continue }
      if let loop = regions.remove(at: index).loop(isRelease: isRelease) {
        found.loops.append(loop)
      }
    }
    instrument = found
  }

  /// Adds looped regions to the instrument, and others as marks.
  private mutating func take(_ regions: [CAFMarks.Region], _ names: [UInt32: String]) {
    for region in regions {
      if region.flags & CAFMarks.Region.loops != 0, let loop = region.loop(isRelease: false) {
        instrument = instrument ?? Metadata.Instrument()
        instrument?.loops.append(loop)
      } else {
        let name = names[region.id] ?? region.markerIDs.lazy.compactMap { names[$0] }.first
        var mark = Metadata.Mark(
          id: region.id, start: region.start, length: region.end - region.start,
          label: name ?? "")
        (mark.place, mark.flags) = (region.place, region.flags)
        marks.append(mark)
      }
    }
  }
}

extension CAFMarks.Region {
  static let loops: UInt32 = 1
  static let playsForward: UInt32 = 2
  static let playsBackward: UInt32 = 4

  /// The region as a loop; `nil` if it is empty.
  fileprivate func loop(isRelease: Bool) -> Metadata.Instrument.Loop? {
    guard end > start else { return nil }
    let isBackward = flags & Self.playsBackward != 0
    let mode: Metadata.Instrument.Loop.Mode =
      isBackward ? flags & Self.playsForward != 0 ? .alternating : .backward : .forward
    return Metadata.Instrument.Loop(
      markID: id, mode: mode, start: start, end: end, isRelease: isRelease)
  }
}

/// The marks and instrument of a recording as CAF chunks.
package struct CAFMarks {
  struct Marker {
    /// Four characters; empty for a marker without type.
    var type: String
    var position: Double
    var id: UInt32
    /// The SMPTE time and the channel.
    var place: [UInt8] = []
  }

  struct Region {
    var id: UInt32
    var flags: UInt32
    var start: Double
    var end: Double
    var markerIDs: [UInt32] = []
    /// The SMPTE time and the channel of its markers.
    var place: [UInt8] = []
  }

  package private(set) var chunks: [Chunk] = []
  private var markers: [Marker] = []
  private var regions: [(region: Region, kinds: (String, String))] = []
  private var names: [(id: UInt32, text: String)] = []
  private let metadata: Metadata
  private var nextID: UInt32 = 1
  /// The IDs of marks, and those that are in use.
  private let ownIDs: Set<UInt32>
  private var takenIDs: Set<UInt32> = []

  package init(_ metadata: Metadata) {
    self.metadata = metadata
    ownIDs = Set(metadata.marks.compactMap(\.id))
    for mark in metadata.marks { add(mark) }
    let instrument = metadata.instrument.map { instrumentContent($0) }
    if !markers.isEmpty { chunks.append(Chunk(name: "mark", content: markerContent)) }
    if !regions.isEmpty { chunks.append(Chunk(name: "regn", content: regionContent)) }
    if let instrument { chunks.append(Chunk(name: "inst", content: instrument)) }
    if !names.isEmpty { chunks.append(Chunk(name: "strg", content: nameContent)) }
  }

  /// A new ID. Markers and regions share one sequence because names refer to either.
  private mutating func newID() -> UInt32 {
    while ownIDs.contains(nextID) { nextID &+= 1 }
    defer { nextID &+= 1 }
    return nextID
  }

  private mutating func add(_ mark: Metadata.Mark) {
    let own = mark.id.flatMap { $0 != 0 && takenIDs.insert($0).inserted ? $0 : nil }
    let id = own ?? newID()
    if mark.length > 0 {
      var region = Region(
        id: id, flags: mark.flags & ~Region.loops, start: mark.start, end: mark.start + mark.length)
      region.place = mark.place
      regions.append((region, ("rbeg", "rend")))
    } else {
      let type = mark.purpose.utf8.count == 4 ? mark.purpose : ""
      markers.append(Marker(type: type, position: mark.start, id: id, place: mark.place))
    }
    if !mark.label.isEmpty { names.append((id, mark.label)) }
  }

  private mutating func instrumentContent(_ instrument: Metadata.Instrument) -> [UInt8] {
    var chunk = ByteWriter(isBigEndian: true)
    chunk.append(Float(Double(instrument.baseNote) + instrument.detune / 100).bitPattern)
    for range in [instrument.notes, instrument.velocities] {
      chunk.append(range.lowerBound)
      chunk.append(range.upperBound)
    }
    chunk.append(Float(instrument.gain).bitPattern)
    chunk.append(UInt32(0))
    for isRelease in [false, true] {
      let loop = instrument.loops.first { $0.isRelease == isRelease }
      chunk.append(loop.map { addRegion(for: $0) } ?? 0)
    }
    // The instrument has no name.
    chunk.append(UInt32(0))
    return chunk.bytes
  }

  private mutating func addRegion(for loop: Metadata.Instrument.Loop) -> UInt32 {
    let id = newID()
    let direction =
      switch loop.mode {
      case .forward, .off: Region.playsForward
      case .backward: Region.playsBackward
      case .alternating: Region.playsForward | Region.playsBackward
      }
    let region = Region(
      id: id, flags: Region.loops | direction, start: loop.start, end: loop.end)
    regions.append((region, loop.isRelease ? ("rlbg", "rlen") : ("slbg", "slen")))
    return id
  }

  private static func append(_ marker: Marker, to chunk: inout ByteWriter) {
    if marker.type.isEmpty { chunk.append(UInt32(0)) } else { chunk.append(marker.type.utf8) }
    chunk.append(marker.position.bitPattern)
    chunk.append(marker.id)
    // An invalid SMPTE time stays. By default there is none, and the marker is of all channels.
    let isTimeless = marker.place.count == 12 && marker.place[..<8].allSatisfy { $0 == 0xFF }
    chunk.append([UInt8](repeating: isTimeless ? 0xFF : 0, count: 8))
    chunk.append(marker.place.count == 12 ? Array(marker.place[8...]) : [0, 0, 0, 0])
  }

  private var markerContent: [UInt8] {
    var chunk = ByteWriter(isBigEndian: true)
    chunk.append(UInt32(0))
    chunk.append(UInt32(clamping: markers.count))
    for marker in markers { Self.append(marker, to: &chunk) }
    return chunk.bytes
  }

  private var regionContent: [UInt8] {
    var chunk = ByteWriter(isBigEndian: true)
    chunk.append(UInt32(0))
    chunk.append(UInt32(clamping: regions.count))
    for (region, kinds) in regions {
      chunk.append(region.id)
      chunk.append(region.flags)
      chunk.append(UInt32(2))
      for (kind, position) in [(kinds.0, region.start), (kinds.1, region.end)] {
        Self.append(
          Marker(type: kind, position: position, id: region.id, place: region.place), to: &chunk)
      }
    }
    return chunk.bytes
  }

  private var nameContent: [UInt8] {
    var chunk = ByteWriter(isBigEndian: true)
    var texts = ByteWriter(isBigEndian: true)
    chunk.append(UInt32(clamping: names.count))
    for name in names {
      chunk.append(name.id)
      chunk.append(UInt64(texts.bytes.count))
      texts.append(metadata.terminatedBytes(of: name.text, in: .caf))
    }
    return chunk.bytes + texts.bytes
  }
}

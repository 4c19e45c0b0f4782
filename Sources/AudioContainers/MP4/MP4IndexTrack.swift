internal import AudioIO

/// One track: its timing, and where its packets and its metadata are.
package struct MP4IndexTrack {
  /// A segment of the media to play.
  struct Edit: Hashable {
    /// In units of the movie; 0 for the rest of the media.
    var duration: Int
    /// The start in the media, in units of the track; `nil` for an empty segment.
    var mediaTime: Int?
  }

  private(set) var id = 0
  /// Units per second of times in the track.
  private(set) var timescale = 0
  /// The declared duration, in units of the track; 0 if it is unknown.
  private(set) var duration = 0
  /// The edit list, in order.
  private(set) var edits: [Edit] = []
  /// The durations of the samples (packets).
  var samples = MP4SampleTimes()
  /// True if the track has samples in fragments.
  var isFragmented = false
  /// The positions of the packets.
  var places = MP4PacketPlaces()
  /// The kind of its media, such as `soun`, `vide` or `text`.
  private(set) var handler = ""
  /// True if the track is sound.
  var isSound: Bool { handler == "soun" }
  /// The IDs of the tracks with its chapters.
  private(set) var chapterTracks: [Int] = []
  /// The places of the track's own metadata.
  private(set) var metadata = MP4MetadataPlaces()
  /// True if one of its sample descriptions is for encrypted samples.
  package private(set) var isEncrypted = false
  /// Why the track cannot be read; `nil` if nothing is known.
  private(set) var damage: String?
  /// The title in the user data of the track.
  package private(set) var title: String?
  /// The content of Core Audio's channel layout.
  package private(set) var coreAudioLayout: [UInt8]?

  /// The maximum number of edits to read.
  private static let maximumEditCount = 4096
  /// The maximum length of a title to read, in bytes.
  private static let maximumTitleCount = 4096

  init(_ input: borrowing InputFile, _ box: MP4Box) throws(AudioFileError) {
    var track = MP4IndexTrack()
    try track.take(input, box)
    self = track
  }

  private init() {}

  private mutating func take(
    _ input: borrowing InputFile, _ parent: MP4Box
  ) throws(AudioFileError) {
    var found = self
    var sizes: MP4Box?
    try MP4Box.forEach(input, in: parent.content) { (input, box) throws(AudioFileError) in
      switch (parent.type, box.type) {
      case ("trak", "tkhd"):
        let fields = try box.fields(input)
        found.id = fields.int32(at: fields.version == 1 ? 20 : 12) ?? 0
      case ("mdia", "mdhd"):
        let fields = try box.fields(input)
        found.timescale = fields.int32(at: fields.version == 1 ? 20 : 12) ?? 0
        found.duration = fields.duration(at: 16, 24)
      case ("mdia", "hdlr"):
        found.handler = try box.fields(input, count: 12).type(at: 8) ?? ""
      case ("tref", "chap"):
        let fields = try box.fields(input)
        found.chapterTracks = stride(from: 0, to: fields.bytes.count - 3, by: 4).compactMap {
          fields.int32(at: $0)
        }
      case ("udta", "meta"), ("trak", "meta"): found.metadata.take(box, in: parent.type)
      case ("stbl", "stsd"):
        found.isEncrypted = try Self.isEncrypted(input, box)
        found.coreAudioLayout = try Self.coreAudioLayout(input, box)
      case ("udta", "name") where box.content.count <= Self.maximumTitleCount:
        let bytes = try input.bytes(at: box.content.lowerBound, count: box.content.count)
        let text = String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self) ?? ""
        found.title = text.isEmpty ? nil : text
      case ("edts", "elst"):
        found.edits = Self.edits(try box.fields(input, count: 8 + 20 * Self.maximumEditCount))
      case ("stbl", "stts"):
        try found.samples.appendTable(input, box)
        found.places.tables.durations = box
      case ("stbl", "stsz"):
        sizes = box
        found.places.tables.sizes = box
      case ("stbl", "stsc"): found.places.tables.counts = box
      case ("stbl", "stco"), ("stbl", "co64"): found.places.tables.chunks = box
      case ("trak", "udta"):
        found.metadata.take(box, in: "trak")
        try found.take(input, box)
      case ("trak", "edts"), ("trak", "tref"), ("trak", "mdia"), ("mdia", "minf"), ("minf", "stbl"):
        try found.take(input, box)
      default: break
      }
    }
    self = found
    if let sizes { try checkSizes(input, sizes) }
  }

  /// Notes damage if the file has no room for the declared number of packets, for which libavformat allocates memory.
  private mutating func checkSizes(
    _ input: borrowing InputFile, _ box: MP4Box
  ) throws(AudioFileError) {
    let fields = try box.fields(input, count: 12)
    guard let size = fields.int32(at: 4), let count = fields.int32(at: 8) else { return }
    // QuickTime's compressed sound counts frames, which have a size of 1; libavformat indexes its chunks.
    if size > 0, samples.isRegular, samples.first == 1, samples.last == 1 { return }
    // Either all packets have one size, or each has an entry of 4 bytes.
    let maximum = size > 0 ? input.size / size : (box.content.count - 12) / 4
    if count > maximum {
      damage = "\(count) packets are declared, but there is room for only \(maximum)"
    }
  }

  /// True if one of the sample entries is for encrypted sound, by its type (Common Encryption, iTunes,
  /// Audible) or by its protection scheme.
  ///
  /// Source: ISO/IEC 14496-12 section 8.12.
  private static func isEncrypted(
    _ input: borrowing InputFile, _ box: MP4Box
  ) throws(AudioFileError) -> Bool {
    var found = false
    let entries = min(box.content.lowerBound + 8, box.content.upperBound)..<box.content.upperBound
    try MP4Box.forEach(input, in: entries) { (input, entry) throws(AudioFileError) in
      if ["enca", "drms", "aavd"].contains(entry.type) { found = true }
      // Version 0 of the entry's fields; QuickTime's versions 1 and 2 are longer.
      let version = try entry.fields(input, count: 28).int16(at: 8) ?? 0
      let start = entry.content.lowerBound + 28 + ([1: 16, 2: 36][version] ?? 0)
      guard start < entry.content.upperBound else { return }
      let boxes = start..<entry.content.upperBound
      for type in ["sinf", "adrm"] where try MP4Box.first(type, in: boxes, of: input) != nil {
        found = true
      }
    }
    return found
  }

  /// Core Audio's layout in the sample entries, without the version and flags of its box; `nil` if there is none.
  ///
  /// Source: Apple, "QuickTime File Format", section Sound Sample Description Extensions.
  private static func coreAudioLayout(
    _ input: borrowing InputFile, _ box: MP4Box
  ) throws(AudioFileError) -> [UInt8]? {
    var found: [UInt8]?
    let entries = min(box.content.lowerBound + 8, box.content.upperBound)..<box.content.upperBound
    try MP4Box.forEach(input, in: entries) { (input, entry) throws(AudioFileError) in
      let version = try entry.fields(input, count: 28).int16(at: 8) ?? 0
      let start = entry.content.lowerBound + 28 + ([1: 16, 2: 36][version] ?? 0)
      guard found == nil, start < entry.content.upperBound else { return }
      let boxes = start..<entry.content.upperBound
      guard let layout = try MP4Box.first("chan", in: boxes, of: input), layout.count >= 16 else {
        return
      }
      found = try input.bytes(at: layout.lowerBound + 4, count: min(layout.count - 4, 4096))
    }
    return found
  }

  private static func edits(_ fields: ByteReader) -> [Edit] {
    let isLong = fields.version == 1
    let size = isLong ? 20 : 12
    var edits: [Edit] = []
    for index in 0..<min(fields.int32(at: 4) ?? 0, maximumEditCount) {
      let start = 8 + index * size
      let duration: Int?
      let time: Int?
      if isLong {
        duration = fields.uint64(at: start).flatMap { Int(exactly: $0) }
        time = fields.uint64(at: start + 8).map { Int(Int64(bitPattern: $0)) }
      } else {
        duration = fields.int32(at: start)
        time = fields.uint32(at: start + 4).map { Int(Int32(bitPattern: $0)) }
      }
      guard let duration, let time else { break }
      edits.append(Edit(duration: duration, mediaTime: time < 0 ? nil : time))
    }
    return edits
  }
}

extension ByteReader {
  /// A duration of 32 bits in version 0 of a full box, or of 64 bits in version 1; 0 if it is unknown.
  func duration(at offset: Int, _ longOffset: Int) -> Int {
    if version == 1 { return uint64(at: longOffset).flatMap { Int(exactly: $0) } ?? 0 }
    return uint32(at: offset).map { $0 == .max ? 0 : Int($0) } ?? 0
  }
}

/// The durations of the samples of a track, in its units. MP4 calls a packet a sample.
struct MP4SampleTimes: Hashable {
  /// Packets.
  private(set) var count = 0
  /// The sum of their durations; `nil` if it overflows.
  private(set) var total: Int? = 0
  /// The duration of the first packet.
  private(set) var first: Int?
  /// True if all packets but the last are as long as the first.
  private(set) var isRegular = true
  /// The duration of the last packet.
  private(set) var last = 0

  /// The number of table entries to read at a time.
  private static let window = 8192

  /// Adds the entries of a time-to-sample box.
  mutating func appendTable(
    _ input: borrowing InputFile, _ box: MP4Box
  ) throws(AudioFileError) {
    guard let declared = try box.fields(input, count: 8).int32(at: 4) else { return }
    let entries = min(declared, (box.content.count - 8) / 8)
    try forEachWindow(input, from: box.content.lowerBound + 8, entries: entries, size: 8) {
      times, fields, index in
      times.append(fields.int32(at: index) ?? 0, of: fields.int32(at: index + 4) ?? 0)
    }
  }

  /// Adds the samples of a track run.
  mutating func appendRun(
    _ input: borrowing InputFile, _ box: MP4Box, defaultDuration: Int
  ) throws(AudioFileError) {
    let head = try box.fields(input, count: 16)
    guard let flags = head.int32(at: 0), let declared = head.int32(at: 4) else { return }
    // Optional fields of the run: data offset and flags of the first sample.
    let start = 8 + (flags & 1 != 0 ? 4 : 0) + (flags & 4 != 0 ? 4 : 0)
    // Optional fields of each sample: duration, size, flags, composition time.
    let size = 4 * (flags >> 8 & 0xF).nonzeroBitCount
    guard flags & 0x100 != 0 else {
      // Each sample has an entry with its size, or at least one byte of data.
      append(min(declared, size > 0 ? box.content.count / size : input.size), of: defaultDuration)
      return
    }
    let entries = min(declared, max(0, box.content.count - start) / size)
    try forEachWindow(input, from: box.content.lowerBound + start, entries: entries, size: size) {
      times, fields, index in
      times.append(1, of: fields.int32(at: index) ?? 0)
    }
  }

  private mutating func forEachWindow(
    _ input: borrowing InputFile, from start: Int, entries: Int, size: Int,
    _ body: (inout MP4SampleTimes, ByteReader, Int) -> Void
  ) throws(AudioFileError) {
    var done = 0
    while done < entries {
      let part = min(Self.window, entries - done)
      let fields = ByteReader(
        bigEndian: try input.bytes(at: start + done * size, count: part * size))
      for index in 0..<part { body(&self, fields, index * size) }
      done += part
    }
  }

  private mutating func append(_ number: Int, of duration: Int) {
    guard number > 0 else { return }
    let (product, overflows) = number.multipliedReportingOverflow(by: duration)
    if let sum = total, !overflows, product <= Int(Int32.max) << 16 {
      total = sum.addingReportingOverflow(product).overflow ? nil : sum + product
    } else {
      total = nil
    }
    // The previous last packet now counts as one of the others.
    if let first {
      if last != first || number > 1 && duration != first { isRegular = false }
    } else {
      first = duration
    }
    count += number
    last = duration
  }
}

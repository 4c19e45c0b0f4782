internal import AudioIO

/// The positions of a track's packets in its file.
///
/// Source: ISO/IEC 14496-12, sections 8.7 (sample tables) and 8.8 (fragments).
struct MP4PacketPlaces {
  /// The boxes of the movie with the durations and sizes of packets, their number in each chunk, and the offsets of
  /// chunks.
  struct Tables {
    var durations, sizes, counts, chunks: MP4Box?
  }

  /// One packet.
  struct Packet {
    /// Its range in the file, which may end before.
    let bytes: Range<Int>
    /// In units of the track.
    let duration: Int
  }

  var tables = Tables()
  /// The end of the packets in fragments.
  private var fragmentsEnd = 0
  /// The packets in fragments, in a track of chapters.
  private var kept: [Packet] = []

  /// The maximum number of packets to list.
  private static let maximumCount = 1 << 16

  // MARK: Fragments

  /// A run of packets in a fragment.
  struct Run {
    /// The base of the run's own offset.
    private let base: Int
    /// The size of packets that do not have their own size.
    fileprivate let size: Int
    /// The end of the previous run.
    private var end: Int

    init(start: Int, size: Int) {
      (base, self.size, end) = (start, size, start)
    }

    /// Reads a track fragment header.
    init(header: ByteReader, fragment: Int, defaultSize: Int) {
      let flags = header.int32(at: 0) ?? 0
      var position = 8
      var start = fragment
      if flags & 1 != 0 {
        start = header.uint64(at: position).flatMap { Int(exactly: $0) } ?? fragment
        position += 8
      }
      if flags & 2 != 0 { position += 4 }
      if flags & 8 != 0 { position += 4 }
      self.init(
        start: start, size: flags & 0x10 != 0 ? header.int32(at: position) ?? 0 : defaultSize)
    }

    /// The start of the packets of the run with this header.
    fileprivate func start(_ head: ByteReader) -> Int {
      guard head.int32(at: 0).map({ $0 & 1 != 0 }) == true, let offset = head.uint32(at: 8) else {
        return end
      }
      return base &+ Int(Int32(bitPattern: offset))
    }

    /// Reads a track run; returns the end of its packets.
    mutating func take(
      _ input: borrowing InputFile, _ box: MP4Box
    ) throws(AudioFileError) -> Int {
      let head = try box.fields(input, count: 16)
      guard let flags = head.int32(at: 0), let count = head.int32(at: 4) else { return end }
      end = self.start(head)
      guard flags & 0x200 != 0 else {
        end = end &+ count &* size
        return end
      }
      let start = 8 + (flags & 1 != 0 ? 4 : 0) + (flags & 4 != 0 ? 4 : 0)
      let width = 4 * (flags >> 8 & 0xF).nonzeroBitCount
      let entries = min(count, max(0, box.content.count - start) / width)
      var table = EntryReader(box.content.lowerBound + start, width: width, count: entries)
      for index in 0..<entries {
        end = end &+ (try table.number(input, index, at: flags & 0x100 != 0 ? 4 : 0) ?? 0)
      }
      return end
    }
  }

  /// Keeps the packets of a run, whose size and duration may be those of the run.
  mutating func keep(
    _ run: Run, _ input: borrowing InputFile, _ box: MP4Box, defaultDuration: Int
  ) throws(AudioFileError) {
    let head = try box.fields(input, count: 16)
    guard let flags = head.int32(at: 0), let count = head.int32(at: 4) else { return }
    let start = 8 + (flags & 1 != 0 ? 4 : 0) + (flags & 4 != 0 ? 4 : 0)
    let width = 4 * (flags >> 8 & 0xF).nonzeroBitCount
    let most = Self.maximumCount - kept.count
    let entries = min(
      count, width > 0 ? min(most, max(0, box.content.count - start) / width) : most)
    var table = EntryReader(box.content.lowerBound + start, width: width, count: entries)
    var position = run.start(head)
    for index in 0..<entries {
      var (size, duration): (Int?, Int?) = (run.size, defaultDuration)
      if flags & 0x100 != 0 { duration = try table.number(input, index) }
      if flags & 0x200 != 0 {
        size = try table.number(input, index, at: flags & 0x100 != 0 ? 4 : 0)
      }
      guard let size, let duration, position >= 0,
        case let (end, overflows) = position.addingReportingOverflow(size), !overflows
      else { return }
      kept.append(Packet(bytes: position..<end, duration: duration))
      position = end
    }
  }

  mutating func append(
    _ run: inout Run, _ input: borrowing InputFile, _ box: MP4Box
  ) throws(AudioFileError) {
    fragmentsEnd = max(fragmentsEnd, try run.take(input, box))
  }

  // MARK: Tables

  /// The end of the last packet in the file; `nil` if it cannot be found.
  func end(_ input: borrowing InputFile) throws(AudioFileError) -> Int? {
    guard let sizes = tables.sizes, let counts = tables.counts, let chunks = tables.chunks else {
      return fragmentsEnd > 0 ? fragmentsEnd : nil
    }
    let head = try sizes.fields(input, count: 12)
    guard let size = head.int32(at: 4), let total = head.int32(at: 8),
      let chunkCount = try chunks.fields(input, count: 8).int32(at: 4),
      let runCount = try counts.fields(input, count: 8).int32(at: 4)
    else { return nil }
    // In QuickTime's compressed sound, each frame has a size of 1, which is not in bytes.
    if size == 1 { return nil }
    if total == 0 { return fragmentsEnd > 0 ? fragmentsEnd : nil }
    var list = ChunkReader(chunks, chunkCount, counts, runCount, packetCount: total)
    var packets = EntryReader(sizes.content.lowerBound + 12, width: 4, count: total)
    var end = fragmentsEnd
    while let chunk = try list.next(input) {
      var position = chunk.offset
      if size > 0 {
        position = position &+ size &* chunk.packets.count
      } else {
        for index in chunk.packets {
          position = position &+ (try packets.number(input, index) ?? 0)
        }
      }
      end = max(end, position)
    }
    return list.isComplete ? end : nil
  }

  /// The packets in the order of the file, up to a maximum.
  func packets(_ input: borrowing InputFile) throws(AudioFileError) -> [Packet] {
    guard let durations = tables.durations, let sizes = tables.sizes, let counts = tables.counts,
      let chunks = tables.chunks, case let head = try sizes.fields(input, count: 12),
      let size = head.int32(at: 4), let total = head.int32(at: 8),
      let chunkCount = try chunks.fields(input, count: 8).int32(at: 4),
      let runCount = try counts.fields(input, count: 8).int32(at: 4),
      let durationCount = try durations.fields(input, count: 8).int32(at: 4)
    else { return kept }
    var list = ChunkReader(
      chunks, chunkCount, counts, runCount, packetCount: min(total, Self.maximumCount))
    var table = EntryReader(sizes.content.lowerBound + 12, width: 4, count: total)
    let durationEntries = min(durationCount, durations.content.count / 8)
    var times = EntryReader(durations.content.lowerBound + 8, width: 8, count: durationEntries)
    var (time, ofTime) = (0, 0)
    var packets: [Packet] = []
    while let chunk = try list.next(input) {
      var position = chunk.offset
      for index in chunk.packets {
        let bytes = size > 0 ? size : try table.number(input, index) ?? 0
        let (end, overflows) = position.addingReportingOverflow(bytes)
        if overflows { return packets + kept }
        let duration = try times.number(input, time, at: 4) ?? 0
        packets.append(Packet(bytes: position..<end, duration: duration))
        position = end
        ofTime += 1
        // The last duration is that of all further packets.
        if time + 1 < durationEntries, ofTime == (try times.number(input, time)) {
          (time, ofTime) = (time + 1, 0)
        }
      }
    }
    return packets + kept
  }

  /// Reads the offsets of chunks and the numbers of their packets.
  private struct ChunkReader {
    private let width: Int
    private let count: Int
    private let runCount: Int
    private let packetCount: Int
    private var offsets, runs: EntryReader
    private var (chunk, run, perChunk, packet) = (0, 0, 0, 0)
    /// True if all chunks were read, and have all packets.
    var isComplete: Bool { chunk == count && packet == packetCount }

    /// Boxes with the offsets of chunks and with runs of chunks of one size, and the numbers of entries that they
    /// declare.
    init(
      _ chunks: MP4Box, _ chunkCount: Int, _ counts: MP4Box, _ runCount: Int, packetCount: Int
    ) {
      width = chunks.type == "co64" ? 8 : 4
      count = min(chunkCount, chunks.content.count / width)
      self.runCount = min(runCount, counts.content.count / 12)
      self.packetCount = packetCount
      offsets = EntryReader(chunks.content.lowerBound + 8, width: width, count: count)
      runs = EntryReader(counts.content.lowerBound + 8, width: 12, count: self.runCount)
    }

    /// The offset of the next chunk and the numbers of its packets; `nil` after the last, or if there is no offset.
    mutating func next(
      _ input: borrowing InputFile
    ) throws(AudioFileError) -> (offset: Int, packets: Range<Int>)? {
      guard chunk < count else { return nil }
      if run < runCount, try runs.number(input, run) == chunk + 1 {
        perChunk = try runs.number(input, run, at: 4) ?? 0
        run += 1
      }
      guard let offset = try offsets.number(input, chunk, bytes: width) else { return nil }
      let next = max(packet, min(packetCount, packet + perChunk))
      defer { (chunk, packet) = (chunk + 1, next) }
      return (offset, packet..<next)
    }
  }

  /// Reads the entries of a table in parts.
  private struct EntryReader {
    private let start: Int
    private let width: Int
    private let count: Int
    private var first = 0
    private var bytes: [UInt8] = []

    private static let window = 8192

    init(_ start: Int, width: Int, count: Int) {
      (self.start, self.width, self.count) = (start, width, count)
    }

    /// The number in some bytes of an entry; `nil` beyond the file.
    mutating func number(
      _ input: borrowing InputFile, _ index: Int, at place: Int = 0, bytes size: Int = 4
    ) throws(AudioFileError) -> Int? {
      if index < first || (index - first + 1) * width > bytes.count {
        first = index
        let entries = max(1, min(Self.window, count - index))
        bytes = try input.bytes(at: start + index * width, count: entries * width)
      }
      let offset = (index - first) * width + place
      guard place + size <= width, offset + size <= bytes.count else { return nil }
      return Int(exactly: bytes[offset..<offset + size].bigEndianValue)
    }
  }
}

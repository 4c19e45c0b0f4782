internal import AudioIO

/// The positions of a track's packets in its file.
///
/// Source: ISO/IEC 14496-12, sections 8.7 (sample tables) and 8.8 (fragments).
struct MP4PacketPlaces {
  /// The boxes of the movie with the sizes of packets, their number in each chunk, and the offsets of chunks.
  struct Tables {
    var sizes, counts, chunks: MP4Box?
  }

  var tables = Tables()
  /// The end of the packets in fragments.
  private var fragmentsEnd = 0

  // MARK: Fragments

  /// A run of packets in a fragment.
  struct Run {
    /// The base of the run's own offset.
    private let base: Int
    /// The size of packets that do not have their own size.
    private let size: Int
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

    /// Reads a track run; returns the end of its packets.
    mutating func take(
      _ input: borrowing InputFile, _ box: MP4Box
    ) throws(AudioFileError) -> Int {
      let head = try box.fields(input, count: 16)
      guard let flags = head.int32(at: 0), let count = head.int32(at: 4) else { return end }
      if flags & 1 != 0, let offset = head.uint32(at: 8) {
        end = base &+ Int(Int32(bitPattern: offset))
      }
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
    let width = chunks.type == "co64" ? 8 : 4
    let chunkEntries = min(chunkCount, chunks.content.count / width)
    let runEntries = min(runCount, counts.content.count / 12)
    var offsets = EntryReader(
      chunks.content.lowerBound + 8, width: width, count: chunkEntries)
    var runs = EntryReader(counts.content.lowerBound + 8, width: 12, count: runEntries)
    var packets = EntryReader(sizes.content.lowerBound + 12, width: 4, count: total)
    var (packet, run, perChunk, end) = (0, 0, 0, fragmentsEnd)
    for chunk in 0..<chunkEntries {
      if run < runEntries, try runs.number(input, run) == chunk + 1 {
        perChunk = try runs.number(input, run, at: 4) ?? 0
        run += 1
      }
      guard var position = try offsets.number(input, chunk, bytes: width) else { return nil }
      let next = min(total, packet + perChunk)
      if size > 0 {
        position = position &+ size &* (next - packet)
      } else {
        for index in packet..<max(packet, next) {
          position = position &+ (try packets.number(input, index) ?? 0)
        }
      }
      packet = next
      end = max(end, position)
    }
    return packet == total ? end : nil
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

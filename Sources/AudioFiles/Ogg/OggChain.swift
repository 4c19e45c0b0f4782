/// The links of an Ogg file: groups of logical streams, one group after another.
///
/// RFC 3533 section 4: grouped streams run side by side and have all their first pages in front; a chain
/// is one complete group behind another. Only the headers of pages are read here; whether pages are
/// sound is for the decoders.
struct OggChain: Hashable, Sendable {
  /// One group of logical streams.
  struct Link: Hashable, Sendable {
    /// The bytes of the file that belong to it.
    var bytes: Range<Int>
    /// Its logical streams, in the order of their first pages.
    var streams: [Stream]
  }

  /// A logical stream, by its first page.
  struct Stream: Hashable, Sendable {
    let serialNumber: UInt32
    /// The row of the table of formats for its codec; `nil` for video and the like.
    let formatID: String?
  }

  private(set) var links: [Link] = []
  /// More links than this are not a recording but an attack.
  private static let mostLinks = 65536
  /// Gaps between pages beyond which no more pages are looked for.
  private static let mostGaps = 1024

  /// Walks the pages of `input`, over gaps too.
  init(of input: borrowing InputFile) throws(AudioFileError) {
    var window = ReadWindow()
    var isBetweenFirstPages = false
    var gaps = 0
    var position = 0
    while position < input.size {
      guard let page = OggPageHeader(try window.bytes(of: input, at: position, count: 300)) else {
        gaps += 1
        guard gaps <= Self.mostGaps, let next = try Self.nextPage(in: input, after: position)
        else { break }
        position = next
        continue
      }
      if page.beginsStream {
        if !isBetweenFirstPages {
          guard links.count < Self.mostLinks else { break }
          links.append(Link(bytes: position..<input.size, streams: []))
        }
        links[links.count - 1].streams.append(
          Stream(serialNumber: page.serialNumber, formatID: page.formatID))
      }
      isBetweenFirstPages = page.beginsStream
      position += page.byteCount
    }
    // What stands between two links is the first's to complain of.
    for index in links.indices.dropLast() {
      links[index].bytes = links[index].bytes.lowerBound..<links[index + 1].bytes.lowerBound
    }
    if let first = links.first { links[0].bytes = 0..<first.bytes.upperBound }
  }

  /// The next whole and sound page behind a gap.
  static func nextPage(
    in input: borrowing InputFile, after position: Int
  ) throws(AudioFileError) -> Int? {
    let stride = 1 << 16
    var start = position + 1
    var attempts = 0
    while start < input.size {
      let bytes = try input.bytes(at: start, count: stride + 3)
      for offset in bytes.indices.dropLast(3)
      where bytes[offset] == 0x4F && bytes[offset + 1] == 0x67 && bytes[offset + 2] == 0x67
        && bytes[offset + 3] == 0x53
      {
        attempts += 1
        if attempts > mostGaps { return nil }
        if try OggPage(of: input, at: start + offset) != nil { return start + offset }
      }
      start += stride
    }
    return nil
  }
}

/// What the header of an Ogg page says, and the codec where it begins a stream (RFC 3533 section 6).
struct OggPageHeader: Sendable {
  let beginsStream: Bool
  let granulePosition: Int64
  let serialNumber: UInt32
  /// Bytes of header and body together.
  let byteCount: Int
  /// The row of the table of formats for the codec of the first packet; `nil` where it is none of these.
  let formatID: String?

  /// The header at the start of `bytes`, of which the longest header needs 282, and 8 more tell the codec.
  init?(_ bytes: ArraySlice<UInt8>) {
    let head = Array(bytes.prefix(300))
    guard head.count >= 27, head.starts(with: [0x4F, 0x67, 0x67, 0x53, 0]) else { return nil }
    let segments = Int(head[26])
    guard head.count >= 27 + segments else { return nil }
    beginsStream = head[5] & 2 != 0
    granulePosition = head[6..<14].reversed().reduce(0) { $0 << 8 | Int64($1) }
    serialNumber = head[14..<18].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    byteCount = 27 + segments + head[27..<27 + segments].reduce(0) { $0 + Int($1) }
    formatID = beginsStream ? Self.formatID(ofPacket: head[(27 + segments)...]) : nil
  }

  /// The row of the table of formats for a stream that begins with this packet.
  static func formatID(ofPacket packet: ArraySlice<UInt8>) -> String? {
    let marks: [([UInt8], String)] = [
      ([1] + Array("vorbis".utf8), "ogg"), (Array("OpusHead".utf8), "opus"),
      ([0x7F] + Array("FLAC".utf8), "oga"),
    ]
    return marks.first { packet.starts(with: $0.0) }?.1
  }
}

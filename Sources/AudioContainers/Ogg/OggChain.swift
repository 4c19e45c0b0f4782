package import AudioIO

/// The links of an Ogg file: groups of logical streams, one group after another.
///
/// RFC 3533 section 4: grouped streams run side by side and have all their first pages in front; a chain
/// is one complete group behind another. Only the headers of pages are read here; whether pages are
/// sound is for the decoders.
package struct OggChain: Hashable, Sendable {
  /// One group of logical streams.
  package struct Link: Hashable, Sendable {
    /// The bytes of the file that belong to it.
    package var bytes: Range<Int>
    /// Its logical streams, in the order of their first pages.
    package var streams: [Stream]
  }

  /// A logical stream, by its first page.
  package struct Stream: Hashable, Sendable {
    package let serialNumber: UInt32
    /// Its codec; `nil` for video and the like.
    package let codec: AudioFormat.Codec?
  }

  package private(set) var links: [Link] = []
  /// More links than this are not a recording but an attack.
  private static let mostLinks = 65536
  /// Gaps between pages beyond which no more pages are looked for.
  private static let mostGaps = 1024

  /// Walks the pages of `input`, over gaps too.
  package init(of input: borrowing InputFile) throws(AudioFileError) {
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
          Stream(serialNumber: page.serialNumber, codec: page.codec))
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
  package static func nextPage(
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
package struct OggPageHeader: Sendable {
  package let beginsStream: Bool
  let granulePosition: Int64
  package let serialNumber: UInt32
  /// Bytes of header and body together.
  package let byteCount: Int
  /// The codec that the first packet names; `nil` where it names none that is known.
  package let codec: AudioFormat.Codec?

  /// The header at the start of `bytes`, of which the longest header needs 282, and 8 more tell the codec.
  package init?(_ bytes: ArraySlice<UInt8>) {
    let head = Array(bytes.prefix(300))
    guard head.count >= 27, head.starts(with: [0x4F, 0x67, 0x67, 0x53, 0]) else { return nil }
    let segments = Int(head[26])
    guard head.count >= 27 + segments else { return nil }
    beginsStream = head[5] & 2 != 0
    granulePosition = Int64(bitPattern: head[6..<14].littleEndianValue)
    serialNumber = UInt32(head[14..<18].littleEndianValue)
    byteCount = 27 + segments + head[27..<27 + segments].reduce(0) { $0 + Int($1) }
    codec = beginsStream ? Self.codec(ofPacket: head[(27 + segments)...]) : nil
  }

  /// The codec of a stream that begins with this packet.
  package static func codec(ofPacket packet: ArraySlice<UInt8>) -> AudioFormat.Codec? {
    let marks: [([UInt8], AudioFormat.Codec)] = [
      ([1] + Array("vorbis".utf8), .vorbis), (Array("OpusHead".utf8), .opus),
      ([0x7F] + Array("FLAC".utf8), .flac),
    ]
    return marks.first { packet.starts(with: $0.0) }?.1
  }
}

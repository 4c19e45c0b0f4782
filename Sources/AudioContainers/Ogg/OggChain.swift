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
  private static let maximumLinkCount = 65536

  /// Walks the pages of `input`, over gaps too.
  package init(of input: borrowing InputFile) throws(AudioFileError) {
    var pages = OggPageWalker(byteCount: OggPageHeader.maximumByteCount)
    var isBetweenFirstPages = false
    while let page = try pages.next(of: input) {
      if page.header.beginsStream {
        if !isBetweenFirstPages {
          guard links.count < Self.maximumLinkCount else { break }
          links.append(Link(bytes: page.offset..<input.size, streams: []))
        }
        links[links.count - 1].streams.append(
          Stream(serialNumber: page.header.serialNumber, codec: page.header.codec))
      }
      isBetweenFirstPages = page.header.beginsStream
    }
    // What stands between two links is the first's to complain of.
    for index in links.indices.dropLast() {
      links[index].bytes = links[index].bytes.lowerBound..<links[index + 1].bytes.lowerBound
    }
    if let first = links.first { links[0].bytes = 0..<first.bytes.upperBound }
  }
}

/// How an Ogg file ends: what its last whole page says.
///
/// A logical stream ends with a page that carries the end-of-stream flag (RFC 3533 section 6, header
/// type 0x04). An Ogg file whose last page lacks it was cut.
package struct OggStreamEnd: Hashable, Sendable {
  /// Whether the last whole page carries the end-of-stream flag.
  let isMarked: Bool
  /// The serial number of the logical stream that the last whole page belongs to.
  let serialNumber: UInt32
  /// The last whole page's granule position; -1 where no packet ends on it.
  package let granulePosition: Int64
  /// Bytes after the last whole page.
  package let trailingByteCount: Int
  /// Whether those bytes begin a further page, which is cut or damaged.
  let isFollowedByBrokenPage: Bool

  /// Whether the file ends as RFC 3533 demands. Bytes that are no page (a tag, padding) may follow.
  package var isWhole: Bool { isMarked && !isFollowedByBrokenPage }

  /// How far from the end of the file the last page is looked for, in bytes.
  private static let reach = 16 * OggPage.maximumByteCount

  /// Looks for the last whole page of `input`, within some of its bytes and of one logical stream where
  /// those are given.
  ///
  /// `nil` when there is none near the end. A page counts only when its checksum is right.
  package init?(
    of input: borrowing InputFile, in bytes: Range<Int>? = nil, serialNumber: UInt32? = nil
  ) throws(AudioFileError) {
    let bytes = (bytes ?? 0..<input.size).clamped(to: 0..<input.size)
    let lowest = max(bytes.lowerBound, bytes.upperBound - Self.reach)
    var brokenPages: Set<Int> = []
    var upper = bytes.upperBound
    while upper > lowest {
      // Windows overlap by three bytes, so that no capture pattern falls between two.
      let lower = max(lowest, upper - OggPage.maximumByteCount)
      let window = try input.bytes(at: lower, count: min(upper + 3, bytes.upperBound) - lower)
      for offset in Self.capturePatterns(in: window).reversed() {
        let start = lower + offset
        guard let page = try OggPage(of: input, at: start) else {
          brokenPages.insert(start)
          continue
        }
        if let serialNumber, page.serialNumber != serialNumber { continue }
        isMarked = page.endsStream
        self.serialNumber = page.serialNumber
        granulePosition = page.granulePosition
        let end = start + page.byteCount
        trailingByteCount = bytes.upperBound - end
        isFollowedByBrokenPage = brokenPages.contains(end)
        return
      }
      upper = lower
    }
    return nil
  }

  /// Where `OggS` stands in `bytes`, in ascending order.
  private static func capturePatterns(in bytes: [UInt8]) -> [Int] {
    guard bytes.count >= 4 else { return [] }
    return (0...bytes.count - 4).filter {
      bytes[$0] == 0x4F && bytes[$0 + 1] == 0x67 && bytes[$0 + 2] == 0x67 && bytes[$0 + 3] == 0x53
    }
  }
}

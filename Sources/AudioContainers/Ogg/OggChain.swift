package import AudioIO

/// The links of an Ogg file: groups of logical streams, one group after another.
///
/// RFC 3533 section 4: grouped streams are interleaved and have all their first pages at the start; a chain is
/// a sequence of complete groups. Only page headers are read; the decoders verify the pages.
package struct OggChain: Hashable, Sendable {
  /// One group of logical streams.
  package struct Link: Hashable, Sendable {
    /// The bytes of the link in the file.
    package var bytes: Range<Int>
    /// The logical streams, in the order of their first pages.
    package var streams: [Stream]
    /// True if its streams have only headers, as in a radio station's file without audio.
    package fileprivate(set) var isEmpty = true
    /// The end of its last page.
    fileprivate var pageEnd = 0
  }

  /// A logical stream, by its first page.
  package struct Stream: Hashable, Sendable {
    package let serialNumber: UInt32
    /// The codec; `nil` for video and other unsupported codecs.
    package let codec: AudioFormat.Codec?
    /// The rate in Hz at which its header suggests to decode Opus; `nil` for other codecs.
    package let opusRate: Int?
  }

  package private(set) var links: [Link] = []
  /// The maximum number of links, against malicious files.
  private static let maximumLinkCount = 65536

  /// Walks the pages of `input`, skipping gaps.
  package init(of input: borrowing InputFile) throws(AudioFileError) {
    var pages = OggPageWalker(byteCount: OggPageHeader.maximumByteCount)
    var isBetweenFirstPages = false
    // True if the last page ends its stream.
    var endsStream = false
    while let page = try pages.next(of: input) {
      if page.header.beginsStream {
        if !isBetweenFirstPages {
          guard links.count < Self.maximumLinkCount else { break }
          links.append(Link(bytes: page.offset..<input.size, streams: []))
        }
        links[links.count - 1].streams.append(
          Stream(
            serialNumber: page.header.serialNumber, codec: page.header.codec,
            opusRate: page.header.codec == .opus ? OpusHeader.rate(inPage: page.bytes) : nil))
      }
      if !links.isEmpty {
        let last = links.count - 1
        links[last].pageEnd = page.offset + page.header.byteCount
        // Pages of headers have the position 0.
        if page.header.granulePosition != 0 { links[last].isEmpty = false }
        if last > 0, page.header.beginsStream, links[last].streams.count == 1,
          links[last - 1].pageEnd != page.offset
        {
          links[last - 1].isEmpty = false
        }
      }
      isBetweenFirstPages = page.header.beginsStream
      endsStream = page.header.endsStream
    }
    if let last = links.last, last.pageEnd != input.size || !endsStream {
      links[links.count - 1].isEmpty = false
    }
    // Data between two links counts as part of the first, whose decoder reports it.
    for index in links.indices.dropLast() {
      links[index].bytes = links[index].bytes.lowerBound..<links[index + 1].bytes.lowerBound
    }
    if let first = links.first { links[0].bytes = 0..<first.bytes.upperBound }
  }
}

/// The end of an Ogg file, from its last complete page.
///
/// A logical stream ends with a page that carries the end-of-stream flag (RFC 3533 section 6, header
/// type 0x04). Some recorders never write it, and a stream may have been cut between two pages.
package struct OggStreamEnd: Hashable, Sendable {
  /// True if the last complete page carries the end-of-stream flag.
  let isMarked: Bool
  /// True if the last packet on the last complete page ends there.
  private let endsPacket: Bool
  /// The serial number of the last complete page.
  let serialNumber: UInt32
  /// The granule position of the last complete page; -1 if no packet ends on it.
  package let granulePosition: Int64
  /// The offset of the last complete page.
  package let offset: Int
  /// Bytes after the last complete page.
  package let trailingByteCount: Int
  /// True if those bytes begin with a truncated or damaged page.
  let isFollowedByBrokenPage: Bool

  /// True if the file ends as RFC 3533 requires. Other data (a tag, padding) may follow.
  package var isWhole: Bool { isMarked && !isFollowedByBrokenPage }

  /// True if the file ends with a complete page and packet of audio but without the flag, so that it may be
  /// truncated.
  package var isOpen: Bool {
    !isMarked && endsPacket && trailingByteCount == 0 && granulePosition > 0
  }

  /// The warning about a stream that may continue.
  package static let openWarning =
    "its last page does not end the stream; the file may be truncated"

  /// How far to search for the last page from the end of the file, in bytes.
  private static let reach = 16 * OggPage.maximumByteCount

  /// Searches for the last complete page of `input`, optionally in a range of bytes and of one logical stream.
  ///
  /// `nil` if there is none near the end. Only pages with correct checksums count.
  package init?(
    of input: borrowing InputFile, in bytes: Range<Int>? = nil, serialNumber: UInt32? = nil
  ) throws(AudioFileError) {
    let bytes = (bytes ?? 0..<input.size).clamped(to: 0..<input.size)
    let lowest = max(bytes.lowerBound, bytes.upperBound - Self.reach)
    var brokenPages: Set<Int> = []
    var upper = bytes.upperBound
    while upper > lowest {
      // Windows overlap by three bytes so that no capture pattern is split.
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
        endsPacket = page.endsPacket
        self.serialNumber = page.serialNumber
        granulePosition = page.granulePosition
        self.offset = start
        let end = start + page.byteCount
        trailingByteCount = bytes.upperBound - end
        isFollowedByBrokenPage = brokenPages.contains(end)
        return
      }
      upper = lower
    }
    return nil
  }

  /// The offsets of `OggS` in `bytes`, in ascending order.
  private static func capturePatterns(in bytes: [UInt8]) -> [Int] {
    guard bytes.count >= 4 else { return [] }
    return (0...bytes.count - 4).filter {
      bytes[$0] == 0x4F && bytes[$0 + 1] == 0x67 && bytes[$0 + 2] == 0x67 && bytes[$0 + 3] == 0x53
    }
  }
}

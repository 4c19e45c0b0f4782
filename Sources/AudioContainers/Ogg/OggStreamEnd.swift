package import AudioIO
internal import COgg

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

  /// The largest page: a header of 27 bytes, 255 lacing values, 255 segments of 255 bytes.
  package static let largestPage = 27 + 255 + 255 * 255
  /// How far from the end of the file the last page is looked for, in bytes.
  private static let reach = 16 * largestPage

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
      let lower = max(lowest, upper - Self.largestPage)
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

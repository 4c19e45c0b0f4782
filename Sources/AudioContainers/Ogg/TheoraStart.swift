package import AudioIO
internal import AudioModel

/// The place of Theora's pictures in the timeline of an Ogg file.
package enum TheoraStart {
  private static let mark = [0x80] + Array("theora".utf8)

  /// Seconds from position 0 to the first picture of the file's first Theora stream; `nil` if it has none.
  ///
  /// A position is the number of the last key frame, shifted, plus that of the pictures since then. From version 3.2.1
  /// on, it counts the pictures up to its own, before that those before it (Theora specification, sections 6.2 and A.2.3).
  package static func seconds(of input: borrowing InputFile) throws(AudioFileError) -> Double? {
    var pages = OggPageWalker(byteCount: OggPageHeader.maximumByteCount)
    var header: Header?
    while let page = try pages.next(of: input) {
      if page.header.beginsStream {
        if header == nil { header = Header(page) }
      } else {
        // Streams begin before all else (RFC 3533, section 4).
        guard let header else { return nil }
        if page.header.serialNumber == header.serialNumber, let start = header.start(of: page) {
          return start
        }
      }
    }
    return nil
  }

  /// The fields of the first packet that positions depend on.
  private struct Header {
    let serialNumber: UInt32
    private let rate: Double
    private let shift: Int
    private let countsItself: Bool

    init?(_ page: OggPageWalker.Found) {
      let bytes = page.bytes
      guard bytes.count > 27 else { return nil }
      let packet = Array(bytes.dropFirst(27 + Int(bytes[bytes.startIndex + 26])))
      guard packet.count >= 42, packet.starts(with: TheoraStart.mark) else { return nil }
      let (count, divisor) = (
        packet[22..<26].bigEndianValue, packet[26..<30].bigEndianValue
      )
      guard count > 0, divisor > 0 else { return nil }
      serialNumber = page.header.serialNumber
      rate = Double(count) / Double(divisor)
      shift = Int(packet[40] & 3) << 3 | Int(packet[41] >> 5)
      countsItself = packet[7...9].bigEndianValue >= 0x030201
    }

    /// Seconds to the first picture of a page; `nil` if the page states no position.
    func start(of page: OggPageWalker.Found) -> Double? {
      let bytes = page.bytes
      let position = page.header.granulePosition
      let count = Int(bytes[bytes.startIndex + 26])
      let packets = bytes.dropFirst(27).prefix(count).count { $0 < 255 }
      // A page on which no packet ends has the position -1.
      guard position > 0, packets > 0 else { return nil }
      let last = Double(position >> shift) + Double(position & (1 << shift - 1))
      return max(0, last - Double(packets) + (countsItself ? 0 : 1)) / rate
    }
  }
}

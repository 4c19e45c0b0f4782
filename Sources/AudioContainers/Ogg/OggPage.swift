package import AudioIO
internal import COgg

/// The header of one whole Ogg page whose checksum is right (RFC 3533 section 6).
package struct OggPage: Hashable, Sendable {
  /// Bytes of header and body together.
  package let byteCount: Int
  /// Whether it is the last page of its logical stream.
  package let endsStream: Bool
  /// The position of the last packet that ends on it, in units of the codec; -1 where none does.
  package let granulePosition: Int64
  /// The logical stream that it belongs to.
  package let serialNumber: UInt32
  /// The page's number within its logical stream.
  package let sequenceNumber: Int

  /// The page that begins at byte `start` of `input`; `nil` when there is no whole, sound page.
  package init?(of input: borrowing InputFile, at start: Int) throws(AudioFileError) {
    let head = try input.bytes(at: start, count: 27 + 255)
    guard head.count >= 27, head.starts(with: [0x4F, 0x67, 0x67, 0x53, 0]) else { return nil }
    let segments = Int(head[26])
    guard head.count >= 27 + segments else { return nil }
    let headerCount = 27 + segments
    let bodyCount = head[27..<headerCount].reduce(0) { $0 + Int($1) }
    var bytes = try input.bytes(at: start, count: headerCount + bodyCount)
    guard bytes.count == headerCount + bodyCount else { return nil }
    let checksum = Array(bytes[22..<26])
    let facts = bytes.withUnsafeMutableBufferPointer { buffer -> OggPage? in
      guard let base = buffer.baseAddress else { return nil }
      var page = ogg_page(
        header: base, header_len: headerCount, body: base + headerCount, body_len: bodyCount)
      // Writes the right checksum into the header.
      ogg_page_checksum_set(&page)
      return OggPage(&page)
    }
    guard let facts, Array(bytes[22..<26]) == checksum else { return nil }
    self = facts
  }

  /// Gives a whole page another granule position, and the checksum that goes with it.
  package static func setGranulePosition(_ position: Int64, of bytes: inout [UInt8]) {
    for index in 0..<8 where bytes.count > 27 {
      bytes[6 + index] = UInt8(truncatingIfNeeded: position >> Int64(8 * index))
    }
    bytes.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress, buffer.count > 27 else { return }
      let headerCount = min(buffer.count, 27 + Int(buffer[26]))
      var page = ogg_page(
        header: base, header_len: headerCount, body: base + headerCount,
        body_len: buffer.count - headerCount)
      ogg_page_checksum_set(&page)
    }
  }

  private init(_ page: inout ogg_page) {
    byteCount = page.header_len + page.body_len
    endsStream = ogg_page_eos(&page) != 0
    granulePosition = ogg_page_granulepos(&page)
    serialNumber = UInt32(bitPattern: ogg_page_serialno(&page))
    sequenceNumber = Int(ogg_page_pageno(&page))
  }
}

package import AudioIO
internal import AudioModel
internal import COgg
internal import SystemPackage

/// The header of a complete Ogg page with a correct checksum (RFC 3533 section 6).
package struct OggPage: Hashable, Sendable {
  /// Bytes of header and body together.
  package let byteCount: Int
  /// True if the page is the last of its logical stream.
  package let endsStream: Bool
  /// The position of the last packet that ends on the page, in units of the codec; -1 if none does.
  package let granulePosition: Int64
  /// The serial number of the logical stream.
  package let serialNumber: UInt32
  /// The page's number within its logical stream.
  package let sequenceNumber: Int
  /// True if the last packet on the page ends there.
  let endsPacket: Bool

  /// The page at offset `start` of `input`; `nil` if there is no complete page with a correct checksum.
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
    let page = bytes.withUnsafeMutableBufferPointer { buffer -> OggPage? in
      guard let base = buffer.baseAddress else { return nil }
      var page = ogg_page(
        header: base, header_len: headerCount, body: base + headerCount, body_len: bodyCount)
      // Writes the correct checksum into the header.
      ogg_page_checksum_set(&page)
      return OggPage(&page)
    }
    guard let page, Array(bytes[22..<26]) == checksum else { return nil }
    self = page
  }

  /// Sets the granule position of a complete page, and updates its checksum.
  package static func setGranulePosition(_ position: Int64, of bytes: inout [UInt8]) {
    for index in 0..<8 where bytes.count > 27 {
      bytes[6 + index] = UInt8(truncatingIfNeeded: position >> Int64(8 * index))
    }
    setChecksum(of: &bytes)
  }

  /// Sets the number of a complete page within its logical stream, and updates its checksum.
  package static func setSequenceNumber(_ number: Int, of bytes: inout [UInt8]) {
    for index in 0..<4 where bytes.count > 27 {
      bytes[18 + index] = UInt8(truncatingIfNeeded: number >> (8 * index))
    }
    setChecksum(of: &bytes)
  }

  /// Marks a complete page as the end of its logical stream, and updates its checksum.
  package static func markEnd(of bytes: inout [UInt8]) {
    if bytes.count > 27 { bytes[5] |= 4 }
    setChecksum(of: &bytes)
  }

  /// The two pages that result from splitting a complete page after its first `count` lacing values, which end a
  /// header packet. The second page gets the next sequence number.
  package static func split(_ bytes: [UInt8], after count: Int) -> (header: [UInt8], rest: [UInt8])?
  {
    guard bytes.count > 27, count > 0, count < bytes[26], bytes.count >= 27 + Int(bytes[26]) else {
      return nil
    }
    let lacing = bytes[27..<27 + Int(bytes[26])]
    let body = bytes[lacing.endIndex...]
    let size = lacing.prefix(count).reduce(0) { $0 + Int($1) }
    guard size <= body.count else { return nil }
    func page(_ lacing: ArraySlice<UInt8>, _ body: ArraySlice<UInt8>) -> [UInt8] {
      bytes[..<26] + [UInt8(lacing.count)] + lacing + body
    }
    var header = page(lacing.prefix(count), body.prefix(size))
    var rest = page(lacing.dropFirst(count), body.dropFirst(size))
    // The end of the stream is on the second, and nothing continues onto it.
    header[5] &= ~4
    rest[5] &= ~3
    setGranulePosition(0, of: &header)
    // A page without the end of a packet has no position.
    if !lacing.dropFirst(count).contains(where: { $0 < 255 }) { setGranulePosition(-1, of: &rest) }
    setSequenceNumber(Int(bytes[18..<22].littleEndianValue) + 1, of: &rest)
    return (header, rest)
  }

  private static func setChecksum(of bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress, buffer.count > 27 else { return }
      let headerCount = min(buffer.count, 27 + Int(buffer[26]))
      var page = ogg_page(
        header: base, header_len: headerCount, body: base + headerCount,
        body_len: buffer.count - headerCount)
      ogg_page_checksum_set(&page)
    }
  }

  /// The offset at which the complete, consecutive pages of a logical stream end; the size of the file if all pages
  /// are consecutive.
  package static func firstGap(
    in input: borrowing InputFile, serialNumber: UInt32?
  ) throws(AudioFileError) -> Int {
    var (offset, number) = (0, Int?.none)
    while offset < input.size, let page = try OggPage(of: input, at: offset) {
      if page.serialNumber == serialNumber {
        if let number, page.sequenceNumber != number + 1 { break }
        number = page.sequenceNumber
      }
      offset += page.byteCount
    }
    return offset
  }

  /// Passes on the whole pages of a file in order, each with its bytes and its offset, until `take` returns `false`.
  /// Skips what is not a whole page with a correct checksum.
  package static func each(
    of input: borrowing InputFile, _ take: (OggPage, [UInt8], Int) -> Bool
  ) throws(AudioFileError) {
    var offset = 0
    while offset < input.size {
      guard let page = try OggPage(of: input, at: offset) else {
        guard let next = try nextOffset(in: input, after: offset) else { return }
        offset = next
        continue
      }
      let bytes = try input.bytes(at: offset, count: page.byteCount)
      guard take(page, bytes, offset) else { return }
      offset += page.byteCount
    }
  }

  /// The maximum size of a page: a header of 27 bytes, 255 lacing values, 255 segments of 255 bytes.
  package static let maximumByteCount = 27 + 255 + 255 * 255

  /// Capture patterns after which the search for a page ends.
  private static let maximumAttemptCount = 1024

  /// The offset of the next whole page with a correct checksum; `nil` if there is none.
  package static func nextOffset(
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
        if attempts > maximumAttemptCount { return nil }
        if try OggPage(of: input, at: start + offset) != nil { return start + offset }
      }
      start += stride
    }
    return nil
  }

  private init(_ page: inout ogg_page) {
    byteCount = page.header_len + page.body_len
    endsStream = ogg_page_eos(&page) != 0
    granulePosition = ogg_page_granulepos(&page)
    serialNumber = UInt32(bitPattern: ogg_page_serialno(&page))
    sequenceNumber = Int(ogg_page_pageno(&page))
    endsPacket = page.header_len > 27 && page.header[page.header_len - 1] < 255
  }
}

/// Serial numbers for the logical streams of Ogg files.
package enum OggSerialNumber {
  /// A number that depends only on the output, so that equal input gives equal files.
  ///
  /// The number is a 32-bit FNV-1a hash. RFC 3533 section 4 requires only that it differ between the streams of
  /// a file.
  package static func number(for description: OutputDescription) -> Int32 {
    let values = [
      description.spec.sampleRate, description.spec.channelCount, description.frameCount,
    ]
    var hash: UInt32 = 0x811C_9DC5
    func mix(_ byte: UInt8) { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    for value in values {
      withUnsafeBytes(of: value.littleEndian) { $0.forEach(mix) }
    }
    for comment in description.metadata.comments {
      comment.name.utf8.forEach(mix)
      comment.value.utf8.forEach(mix)
    }
    // Some programs treat the number as signed; 0 and -1 have been used as sentinels.
    return Int32(hash & 0x7FFF_FFFF | 1)
  }
}

/// The header of an Ogg page without checksum verification, and the codec if the page begins a stream (RFC 3533
/// section 6).
package struct OggPageHeader: Sendable {
  package let beginsStream: Bool
  let granulePosition: Int64
  package let serialNumber: UInt32
  /// The page's number within its logical stream.
  let sequenceNumber: Int
  let endsStream: Bool
  /// Bytes of header and body together.
  package let byteCount: Int
  /// The codec of the first packet; `nil` if it is not supported.
  package let codec: AudioFormat.Codec?
  /// True if the first packet belongs to video, subtitles, or a description of other streams.
  package let isPictures: Bool

  /// Bytes that hold any header, and the start of a first packet that identifies the codec.
  package static let maximumByteCount = 300

  /// Parses the start of `bytes`: up to 282 bytes of header, and 8 that identify the codec.
  package init?(_ bytes: ArraySlice<UInt8>) {
    let head = Array(bytes.prefix(Self.maximumByteCount))
    guard head.count >= 27, head.starts(with: [0x4F, 0x67, 0x67, 0x53, 0]) else { return nil }
    let segments = Int(head[26])
    guard head.count >= 27 + segments else { return nil }
    beginsStream = head[5] & 2 != 0
    granulePosition = Int64(bitPattern: head[6..<14].littleEndianValue)
    serialNumber = UInt32(head[14..<18].littleEndianValue)
    sequenceNumber = Int(head[18..<22].littleEndianValue)
    endsStream = head[5] & 4 != 0
    byteCount = 27 + segments + head[27..<27 + segments].reduce(0) { $0 + Int($1) }
    let packet = head[(27 + segments)...]
    codec = beginsStream ? Self.codec(ofPacket: packet) : nil
    isPictures = beginsStream && Self.pictures.contains { packet.starts(with: $0) }
  }

  /// Theora, Dirac, VP8, Ogg Media's video, Kate and Skeleton: wiki.xiph.org/MIMETypesCodecs.
  private static let pictures =
    [[0x80] + Array("theora".utf8), [1] + Array("video".utf8), [0x80] + Array("kate".utf8)]
    + ["BBCD", "OVP80", "fishead"].map { Array($0.utf8) }

  /// The codec of a stream whose first packet is `packet`.
  package static func codec(ofPacket packet: ArraySlice<UInt8>) -> AudioFormat.Codec? {
    let marks: [([UInt8], AudioFormat.Codec)] = [
      ([1] + Array("vorbis".utf8), .vorbis), (Array("OpusHead".utf8), .opus),
      ([0x7F] + Array("FLAC".utf8), .flac),
    ]
    return marks.first { packet.starts(with: $0.0) }?.1
  }
}

/// Walks the pages of an Ogg file in order, and skips gaps between them.
///
/// Reads only headers; the decoders verify the pages.
package struct OggPageWalker {
  /// A page whose header was found.
  package struct Found {
    /// The start of the page in the file.
    let offset: Int
    package let header: OggPageHeader
    /// The first bytes of the page, as many as the walk reads.
    package let bytes: ArraySlice<UInt8>
  }

  /// Gaps after which the walk ends.
  private static let maximumGapCount = 1024

  /// Bytes of each page that are read.
  private let byteCount: Int
  private var window = ReadWindow()
  private var position = 0
  private var gapCount = 0

  /// A walk from the start of the file that reads up to `byteCount` bytes of each page.
  package init(byteCount: Int) { self.byteCount = byteCount }

  /// The next page; `nil` at the end of the file, or after too many gaps.
  package mutating func next(of input: borrowing InputFile) throws(AudioFileError) -> Found? {
    while position < input.size {
      let bytes = try window.bytes(of: input, at: position, count: byteCount)
      var end = Int.max
      if let header = OggPageHeader(bytes) {
        end = position + header.byteCount
        if try !isCut(input, end: end) {
          defer { position = end }
          return Found(offset: position, header: header, bytes: bytes)
        }
      }
      gapCount += 1
      guard gapCount <= Self.maximumGapCount else { return nil }
      let next = try OggPage.nextOffset(in: input, after: position)
      if let header = OggPageHeader(bytes), next ?? Int.max >= end {
        // Nothing begins within the page: it is damaged.
        defer { position = end }
        return Found(offset: position, header: header, bytes: bytes)
      }
      guard let next else { return nil }
      position = next
    }
    return nil
  }

  /// True if a page may be truncated, with others beginning before its declared end: no page begins there,
  /// and the checksum is wrong.
  private mutating func isCut(
    _ input: borrowing InputFile, end: Int
  ) throws(AudioFileError) -> Bool {
    if end == input.size { return false }
    if try window.bytes(of: input, at: end, count: 4).elementsEqual("OggS".utf8) { return false }
    return try OggPage(of: input, at: position) == nil
  }
}

/// Copies of Ogg files with edited pages.
package enum OggCopy {
  /// A copy of a file in an anonymous file.
  ///
  /// - Parameters:
  ///   - edit: Edits the bytes of each page. It gets the page and its offset; the page is `nil` for bytes that are
  ///     not an undamaged page, which the decoder reports.
  package static func make(
    of input: borrowing InputFile, edit: (inout [UInt8], OggPage?, Int) -> Void
  ) throws(AudioFileError) -> InputFile {
    let file = try Spool.makeFile()
    do throws(AudioFileError) {
      var position = 0
      // The next page after bytes that are no page.
      var next = 0
      while position < input.size {
        let page = next > position ? nil : try OggPage(of: input, at: position)
        if page == nil, next <= position {
          next = try OggPage.nextOffset(in: input, after: position) ?? input.size
        }
        let count = page?.byteCount ?? min(next - position, OggPage.maximumByteCount)
        var bytes = try input.bytes(at: position, count: count)
        guard !bytes.isEmpty else { break }
        edit(&bytes, page, position)
        do {
          try file.writeAll(bytes)
        } catch {
          throw AudioFileError.cannotWrite(input.path, error as? Errno ?? .ioError)
        }
        position += count
      }
    } catch {
      try? file.close()
      throw error
    }
    return try InputFile(copyOf: input, in: file)
  }
}

package import AudioIO
internal import AudioModel

extension AudioFormat.Container {
  package static let ogg = Self(
    "ogg", displayName: "Ogg", metadata: .vorbisComments,
    tags: { (input, _, reading) throws(AudioFileError) in
      reading.contents.complete(with: try OpusComments.read(input))
    },
    // The first packet follows the page's 27 bytes and segment table.
    codec: { head in
      guard head.bytes.count > 26 else { return nil }
      return OggPageHeader.codec(ofPacket: head.bytes.dropFirst(27 + Int(head.bytes[26])))
    },
    recognizes: { head in head.has("OggS") })
}

/// The pages of an Opus file: the bytes and frames of all packets, and pages that come again.
///
/// Source: RFC 3533 section 6 (pages), RFC 7845 sections 4 and 5.
package struct OpusPages {
  /// The Opus stream of the current link.
  private struct Stream {
    let serialNumber: UInt32
    /// Header packets still to come.
    var headersLeft = 2
    /// The granule position of the last packet.
    var granulePosition = 0
    /// The number of the last page.
    var pageNumber = -1
  }

  private var stream: Stream?
  private var followsFirstPage = false
  private var linkCount = 0
  /// Bytes of all packets.
  package private(set) var byteCount = 0
  /// Bytes so far of the current packet, which may span pages.
  private var packetBytes = 0
  /// The first bytes of the current packet, as many as needed.
  private var packetHead: [UInt8] = []
  private var opus: OpusTiming?
  /// The offset of the first Opus page that is repeated, or whose position is lower than on the page before; `nil` if
  /// there is none.
  package private(set) var repeatedOffset: Int?

  /// Walks the pages of `input`, skipping gaps.
  package init(of input: borrowing InputFile) throws(AudioFileError) {
    var pages = OggPageWalker(byteCount: OggPage.maximumByteCount)
    while let page = try pages.next(of: input) {
      if page.header.beginsStream { begin(page.header) }
      if page.header.serialNumber == stream?.serialNumber {
        take(page.header, page.bytes, at: page.offset)
      }
      followsFirstPage = page.header.beginsStream
    }
  }

  /// Begins a stream; the first Opus stream of a link counts.
  private mutating func begin(_ page: OggPageHeader) {
    if !followsFirstPage {
      stream = nil
      linkCount += 1
    }
    guard page.codec == .opus, stream == nil else { return }
    stream = Stream(serialNumber: page.serialNumber)
  }

  /// Adds the packets and parts of packets on a page.
  private mutating func take(_ page: OggPageHeader, _ bytes: ArraySlice<UInt8>, at start: Int) {
    let page0 = bytes.startIndex
    let segments = Int(bytes[page0 + 26])
    var position = page0 + 27 + segments
    for lacing in bytes[page0 + 27..<page0 + 27 + segments] {
      if packetHead.count < 64 {
        packetHead += bytes.dropFirst(position - page0).prefix(Int(lacing))
      }
      packetBytes += Int(lacing)
      position += Int(lacing)
      if lacing < 255 { endPacket() }
    }
    if let stream, opus != nil, repeatedOffset == nil, page.granulePosition >= 0,
      page.granulePosition < stream.granulePosition
        || page.granulePosition > 0 && page.granulePosition == stream.granulePosition
          && page.sequenceNumber <= stream.pageNumber
    {
      repeatedOffset = start
    }
    stream?.pageNumber = page.sequenceNumber
    if page.granulePosition > 0 { stream?.granulePosition = Int(page.granulePosition) }
  }

  private mutating func endPacket() {
    defer { (packetBytes, packetHead) = (0, []) }
    guard let stream else { return }
    if stream.headersLeft > 0 {
      self.stream?.headersLeft -= 1
      if opus == nil { opus = OpusTiming(header: packetHead) }
      return
    }
    if packetBytes == 0 { return }
    byteCount += packetBytes
    opus?.add(packet: packetHead)
  }

  /// Frames after the audio that fill the last packet, at a sample rate; `nil` if unknown.
  package func padding(at sampleRate: Int) -> Int? {
    guard linkCount == 1, let opus, let end = stream?.granulePosition, opus.frameCount >= end else {
      return nil
    }
    return (opus.frameCount - end) * sampleRate / OpusTiming.rate
  }
}

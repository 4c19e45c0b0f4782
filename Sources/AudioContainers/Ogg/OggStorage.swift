package import AudioIO
internal import AudioModel

extension AudioFormat.Container {
  package static let ogg = Self(
    "ogg", displayName: "Ogg", metadata: .vorbisComments,
    // The first packet follows the page's 27 bytes and segment table.
    codec: { head in
      guard head.bytes.count > 26 else { return nil }
      return OggPageHeader.codec(ofPacket: head.bytes.dropFirst(27 + Int(head.bytes[26])))
    },
    recognizes: { head in head.has("OggS") })
}

/// Describes how an Ogg file stores its audio: the packets of the first audio stream of each link.
///
/// Source: RFC 3533 section 6 (pages), RFC 7845 sections 4 and 5 (Opus), RFC 9639 section 10.1 (FLAC),
/// Vorbis I specification section 4.2.
package struct OggStorage {
  /// The audio stream of the current link.
  private struct Stream {
    let serialNumber: UInt32
    let codec: AudioFormat.Codec
    /// Header packets still to come.
    var headersLeft: Int
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
  private var audioStreams: [String] = []

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

  /// Begins a stream; the first audio stream of a link is the one to describe.
  private mutating func begin(_ page: OggPageHeader) {
    if !followsFirstPage {
      stream = nil
      linkCount += 1
    }
    guard let codec = page.codec else { return }
    if linkCount == 1 { audioStreams.append(Self.name(of: codec)) }
    guard stream == nil else { return }
    stream = Stream(
      serialNumber: page.serialNumber, codec: codec,
      headersLeft: codec == .vorbis ? 3 : codec == .opus ? 2 : 1)
  }

  private static func name(of codec: AudioFormat.Codec) -> String {
    switch codec {
    case .vorbis: "Ogg Vorbis"
    case .opus: "Ogg Opus"
    default: "Ogg FLAC"
    }
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
      takeHeader(stream)
      return
    }
    if packetBytes == 0 { return }
    byteCount += packetBytes
    opus?.add(packet: packetHead)
  }

  private mutating func takeHeader(_ stream: Stream) {
    if stream.codec == .opus, opus == nil { opus = OpusTiming(header: packetHead) }
  }

  /// The excess of the last position of an Opus stream over its packets, in frames at 48 kHz, if that is less than a
  /// packet; otherwise 0. Some encoders round the length of their source up.
  package var excessFrames: Int {
    guard linkCount == 1, let opus, let last = opus.lastFrames, let stream else { return 0 }
    let (excess, overflows) = stream.granulePosition.subtractingReportingOverflow(opus.frameCount)
    return !overflows && (1..<max(2, last)).contains(excess) ? excess : 0
  }

  /// Frames after the audio that fill the last packet, at a sample rate; `nil` if unknown.
  package func padding(at sampleRate: Int) -> Int? {
    guard linkCount == 1, let opus, let end = stream?.granulePosition, opus.frameCount >= end else {
      return nil
    }
    return (opus.frameCount - end) * sampleRate / OpusTiming.rate
  }
}

package import AudioIO
internal import AudioModel

/// How an Ogg file stores its audio: the packets of the first audio stream of each link.
///
/// Source: RFC 3533 section 6 (pages), RFC 7845 sections 4 and 5 (Opus), RFC 9639 section 10.1 (FLAC),
/// Vorbis I specification section 4.2.
package struct OggStorage {
  /// The stream of the link at hand, and how many of its packets are headers.
  private struct Stream {
    let serialNumber: UInt32
    let codec: AudioFormat.Codec
    var headersLeft: Int
    /// The position of the last packet.
    var granulePosition = 0
  }

  private var stream: Stream?
  private var followsFirstPage = false
  private var linkCount = 0
  private var packets = StorageFacts.Packets()
  /// Bytes of all those packets.
  package private(set) var byteCount = 0
  private var offset: Int?
  /// Bytes of the packet that goes on from page to page.
  private var packetBytes = 0
  /// The first bytes of that packet.
  private var packetHead: [UInt8] = []
  private var opus: OpusTiming?
  private var streamInfo: FLACStreamInfo?
  private var audioStreams: [String] = []

  /// Gaps between pages beyond which no more pages are looked for.
  private static let mostGaps = 1024

  package static func facts(
    of input: borrowing InputFile, sampleRate: Int
  ) throws(AudioFileError) -> StorageFacts {
    var facts = StorageFacts(container: "Ogg")
    try OggStorage(of: input).add(to: &facts, sampleRate: sampleRate)
    return facts
  }

  /// Walks the pages of `input`, over gaps too.
  package init(of input: borrowing InputFile) throws(AudioFileError) {
    var window = ReadWindow()
    var position = 0
    var gaps = 0
    while position < input.size {
      let bytes = try window.bytes(of: input, at: position, count: OggStreamEnd.largestPage)
      guard let page = OggPageHeader(bytes) else {
        gaps += 1
        guard gaps <= Self.mostGaps,
          let next = try OggChain.nextPage(in: input, after: position)
        else { return }
        position = next
        continue
      }
      if page.beginsStream { begin(page) }
      if page.serialNumber == stream?.serialNumber { take(page, bytes, at: position) }
      followsFirstPage = page.beginsStream
      position += page.byteCount
    }
  }

  /// Takes notice of a new stream, which is the link's if it is its first of audio.
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

  /// Takes the packets, or parts of them, on a page of the stream.
  private mutating func take(_ page: OggPageHeader, _ bytes: ArraySlice<UInt8>, at start: Int) {
    let page0 = bytes.startIndex
    let segments = Int(bytes[page0 + 26])
    var position = page0 + 27 + segments
    for lacing in bytes[page0 + 27..<page0 + 27 + segments] {
      if packetHead.count < 64 {
        packetHead += bytes.dropFirst(position - page0).prefix(min(Int(lacing), 64))
      }
      packetBytes += Int(lacing)
      position += Int(lacing)
      if lacing < 255 { endPacket(at: start) }
    }
    if page.granulePosition > 0 { stream?.granulePosition = Int(page.granulePosition) }
  }

  private mutating func endPacket(at pageStart: Int) {
    defer { (packetBytes, packetHead) = (0, []) }
    guard let stream else { return }
    if stream.headersLeft > 0 {
      self.stream?.headersLeft -= 1
      takeHeader(stream)
      return
    }
    // FLAC's encoder leaves an empty packet at the end.
    if packetBytes == 0 { return }
    offset = offset ?? pageStart
    packets.add(byteCount: packetBytes)
    byteCount += packetBytes
    opus?.add(packet: packetHead)
  }

  private mutating func takeHeader(_ stream: Stream) {
    if stream.codec == .opus, opus == nil { opus = OpusTiming(header: packetHead) }
    guard stream.codec == .flac, packetHead.count >= 17 + FLACStreamInfo.byteCount,
      packetHead[0] == 0x7F
    else { return }
    self.stream?.headersLeft = Int(packetHead[7]) << 8 | Int(packetHead[8])
    if streamInfo == nil { streamInfo = FLACStreamInfo(Array(packetHead[17...])) }
  }

  private func add(to facts: inout StorageFacts, sampleRate: Int) {
    guard packets.count != nil else { return }
    facts.audioOffset = offset
    facts.audioByteCount = byteCount
    facts.bitRateMode = packets.bitRateMode
    facts.packets = packets
    streamInfo?.add(to: &facts, frameCount: 0)
    if linkCount > 1 { facts.declaredMD5 = nil }
    if let opus {
      facts.packets?.frameCount = opus.packetFrames.map { $0 * sampleRate / OpusTiming.rate }
      facts.delay = opus.preSkip * sampleRate / OpusTiming.rate
      if linkCount == 1, let end = stream?.granulePosition, opus.frameCount >= end {
        facts.padding = (opus.frameCount - end) * sampleRate / OpusTiming.rate
      }
    }
    guard audioStreams.count > 1 else { return }
    facts.tracks = audioStreams.enumerated().map { index, codec in
      StorageFacts.Track(
        number: index + 1, codec: codec, sampleRate: 0, channelCount: 0, isTaken: index == 0)
    }
  }
}

/// How much audio the packets of an Opus stream hold, in frames at 48 kHz.
///
/// Source: RFC 7845 section 5.1 (pre-skip), RFC 6716 section 3.1 (the byte that begins a packet).
struct OpusTiming: Hashable, Sendable {
  /// The rate in which Opus counts, in Hz.
  static let rate = 48000

  /// Frames before the audio.
  let preSkip: Int
  /// Frames of all packets.
  private(set) var frameCount = 0
  /// Frames of the first packet, and of the last so far.
  private var firstFrames: Int?
  private var lastFrames: Int?
  /// Whether all packets but the last are alike.
  private var isRegular = true

  init?(header: [UInt8]) {
    guard header.count >= 12 else { return nil }
    preSkip = Int(header[10]) | Int(header[11]) << 8
  }

  mutating func add(packet: [UInt8]) {
    guard let first = packet.first else { return }
    let configuration = Int(first >> 3)
    let frame =
      configuration < 12
      ? [480, 960, 1920, 2880][configuration & 3]
      : configuration < 16
        ? [480, 960][configuration & 1] : [120, 240, 480, 960][configuration & 3]
    let counts = [1, 2, 2, packet.count > 1 ? Int(packet[1] & 0x3F) : 0]
    let frames = frame * counts[Int(first & 3)]
    if lastFrames != firstFrames { isRegular = false }
    firstFrames = firstFrames ?? frames
    lastFrames = frames
    frameCount += frames
  }

  /// Frames of each packet, the last perhaps left out; `nil` where they differ.
  var packetFrames: Int? { isRegular ? firstFrames : nil }
}

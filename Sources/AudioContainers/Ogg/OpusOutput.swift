package import AudioIO
package import AudioModel
internal import COgg
internal import SystemPackage

/// Ogg Opus made of the pages that a library writes, with comments and a serial number of our own.
///
/// The pre-skip hides the packets before an output that begins within a stream that goes on. The last granule position hides
/// the frames after the end that the library has to get, because it does not flush the encoder's delay.
///
/// Source: RFC 7845 sections 4 and 5.
package final class OpusOutput {
  /// Parts of the metadata that comments cannot hold, by display name.
  package let notCarried: [MetadataLoss]
  private let description: OutputDescription
  private let path: FilePath
  private let entries: [[UInt8]]
  private let file: OpusFile
  private var splice: PacketSplice?
  private var (own, next) = (OggPackets(), OggPackets())

  /// Seconds and packets after which decoders that begin at different packets agree; RFC 7845 asks for 80 ms at least, and
  /// where the encoder changed between SILK and CELT, 160 ms were too few in measurements.
  package static let needs = PacketSplice.Needs(
    framesPerPacket: OpusTiming.rate / 50, before: 16, shared: 8...16, endsByItself: true)

  /// Begins a file; the sample rate must be one of Opus.
  package init(
    _ output: borrowing OutputFile, _ description: OutputDescription
  ) throws(AudioFileError) {
    path = output.path
    self.description = description
    (entries, notCarried) = CommentField.entries(of: description.metadata)
    guard
      let file = OpusFile(
        try OutputCursor(output), serialNumber: OggSerialNumber.number(for: description), path: path
      )
    else { throw .cannotWrite(path, .noMemory) }
    self.file = file
  }

  /// Frames of 48 kHz for each frame.
  private var scale: Int { OpusTiming.rate / max(1, description.spec.sampleRate) }

  /// True if the output's own encoder need not go on.
  package var isComplete: Bool { splice?.isComplete ?? false }

  /// Takes bytes of the library's stream of the output.
  package func take(_ bytes: UnsafeRawBufferPointer) throws(AudioFileError) {
    for (number, packet) in own.packets(bytes) {
      switch number {
      case 0: try begin(packet)
      case 1: try file.append(header: OpusComments.packet(like: packet, entries: entries))
      default:
        try packet.withUnsafeBufferPointer { (bytes) throws(AudioFileError) in
          try splice?.append(UnsafeRawBufferPointer(bytes))
        }
      }
    }
  }

  /// Takes bytes of the library's stream that begins at the pre-roll of the next output.
  package func takeNext(_ bytes: UnsafeRawBufferPointer) {
    for (number, packet) in next.packets(bytes) where number > 1 {
      packet.withUnsafeBytes { splice?.appendNext($0) }
    }
  }

  /// Completes the file.
  package func finish() throws(AudioFileError) {
    try splice?.finish()
    try file.finish()
  }

  private func begin(_ header: [UInt8]) throws(AudioFileError) {
    guard header.count >= 19, let timing = OpusTiming(header: header) else {
      throw .encoderFailed(path, reason: "it wrote no header of Opus")
    }
    let splice = PacketSplice(
      description, scale: scale, delay: timing.preSkip, Self.needs, into: file
    ) { Int($0.first ?? 0) >> 3 }
    self.splice = splice
    var header = header
    header.replaceSubrange(10..<12, with: splice.delay.littleEndianBytes(2))
    guard let changed = OpusTiming(header: header), changed.preSkip == splice.delay else {
      throw .encoderFailed(path, reason: "its delay is too long")
    }
    file.begin(changed, frameCount: scale * description.frameCount)
    try file.append(header: header)
  }
}

/// Writes packets of Opus into pages, until they have all frames.
private final class OpusFile: PacketFile {
  private let output: OutputCursor
  private let path: FilePath
  // On the heap, because libogg keeps pointers into it.
  private let stream = UnsafeMutablePointer<ogg_stream_state>.allocate(capacity: 1)
  private var timing: OpusTiming?
  /// The frames of all packets, with the pre-skip.
  private var end = 0
  /// Frames of the packets that are on no page so far.
  private var waitingFrames = 0
  private var headersLeft = 2

  init?(_ output: OutputCursor, serialNumber: Int32, path: FilePath) {
    (self.output, self.path) = (output, path)
    stream.initialize(to: ogg_stream_state())
    if ogg_stream_init(stream, serialNumber) != 0 { return nil }
  }

  deinit {
    ogg_stream_clear(stream)
    stream.deallocate()
  }

  /// Begins a stream of some frames of 48 kHz after the pre-skip of its header.
  func begin(_ timing: OpusTiming, frameCount: Int) {
    self.timing = timing
    end = timing.preSkip + frameCount
  }

  private var isComplete: Bool { timing.map { $0.frameCount >= end } ?? false }

  /// Writes a header packet on pages of its own.
  func append(header: [UInt8]) throws(AudioFileError) {
    try header.withUnsafeBufferPointer { (bytes) throws(AudioFileError) in
      try put(UnsafeRawBufferPointer(bytes), endsStream: false, position: 0)
    }
    headersLeft -= 1
    try writePages(flushing: true)
  }

  func append(_ packet: UnsafeRawBufferPointer) throws(AudioFileError) {
    if isComplete { return }
    timing?.add(packet: Array(packet.prefix(2)))
    // Pages of more than a second would make seeking slow.
    waitingFrames += timing?.lastFrames ?? 0
    if waitingFrames > OpusTiming.rate {
      try writePages(flushing: true)
      waitingFrames = timing?.lastFrames ?? 0
    }
    let position = min(timing?.frameCount ?? 0, end)
    try put(packet, endsStream: isComplete, position: position)
    try writePages(flushing: isComplete)
  }

  func finish() throws(AudioFileError) {
    guard headersLeft == 0, isComplete else {
      throw .encoderFailed(path, reason: "it wrote fewer packets than frames need")
    }
  }

  private func put(
    _ bytes: UnsafeRawBufferPointer, endsStream: Bool, position: Int
  ) throws(AudioFileError) {
    var packet = ogg_packet()
    packet.packet = UnsafeMutablePointer(
      mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    packet.bytes = bytes.count
    packet.e_o_s = endsStream ? 1 : 0
    packet.granulepos = Int64(position)
    // libogg copies the bytes.
    guard ogg_stream_packetin(stream, &packet) == 0 else { throw .cannotWrite(path, .noMemory) }
  }

  private func writePages(flushing: Bool) throws(AudioFileError) {
    var page = ogg_page()
    while (flushing ? ogg_stream_flush(stream, &page) : ogg_stream_pageout(stream, &page)) != 0 {
      guard
        output.write(UnsafeRawBufferPointer(start: page.header, count: page.header_len)),
        output.write(UnsafeRawBufferPointer(start: page.body, count: page.body_len))
      else { throw .cannotWrite(path, output.failure ?? .ioError) }
      waitingFrames = 0
    }
  }
}

/// Takes the packets out of the pages of one logical stream, which arrive in pieces.
private struct OggPackets {
  /// Bytes of a page that is incomplete so far.
  private var pending: [UInt8] = []
  /// Bytes of the current packet, which may span pages.
  private var packet: [UInt8] = []
  private var number = 0

  /// The packets that end in these bytes, with their numbers from 0.
  mutating func packets(_ bytes: UnsafeRawBufferPointer) -> [(number: Int, packet: [UInt8])] {
    pending += bytes
    var found: [(Int, [UInt8])] = []
    while let header = OggPageHeader(pending[...]), header.byteCount <= pending.count {
      var place = 27 + Int(pending[26])
      for lacing in pending[27..<place] {
        packet += pending[place..<place + Int(lacing)]
        place += Int(lacing)
        guard lacing < 255 else { continue }
        found.append((number, packet))
        number += 1
        packet = []
      }
      pending.removeFirst(header.byteCount)
    }
    return found
  }
}

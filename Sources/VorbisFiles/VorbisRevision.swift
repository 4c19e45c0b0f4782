package import AudioContainers
package import AudioIO
internal import CVorbis

/// The changes that a file of one Vorbis stream needs before libvorbisfile can read it.
///
/// - The granule position of the first audio page may be less than the number of frames in its packets; the excess
///   frames at the start are then not part of the stream (Vorbis I, section A.2). libvorbis drops at most the last packet
///   of that page, in the wrong place. So it reads positions that begin at 0, and the frames are dropped after decoding.
///   Positions below 0, as in copies of a part, drop nothing.
/// - Positions may begin above 0. libvorbisfile counts them so in some functions only.
/// - Positions may contradict the packets, as ``OggPositions`` describes.
package struct VorbisRevision: Sendable {
  /// Frames to drop at the start.
  package let framesToDrop: Int
  /// The positions of the pages.
  package let positions: OggPositions
  /// Warnings about positions that contradict the packets, and about frames at the start that other programs may play:
  /// ffmpeg plays them, and libvorbis drops as many as one packet of others.
  package let warnings: [String]

  /// Reads the pages of a file with one Vorbis stream; `nil` if no change is needed.
  ///
  /// - Parameters:
  ///   - byteCount: The bytes after which the positions are taken to agree, if they agree so far.
  ///   - closesJumps: See ``OggPositions``.
  package init?(
    of input: borrowing InputFile, within byteCount: Int, closesJumps: Bool
  ) throws(AudioFileError) {
    let packets = VorbisPacketLengths()
    var positions = OggPositions(closesJumps: closesJumps)
    var isVorbis = true
    try OggPage.each(of: input) { (page, bytes, offset) in
      let (hadHeaders, before) = (packets.hasHeaders, packets.frames)
      isVorbis = packets.take(bytes)
      guard isVorbis else { return false }
      let frames = packets.frames - before
      if hadHeaders {
        positions.add(page, at: offset, frames: frames, packet: packets.longestPacket)
      } else {
        positions.pass(page)
      }
      return offset < byteCount || positions.needsChange
    }
    guard isVorbis else { return nil }
    framesToDrop = positions.isBelowZero ? 0 : max(0, -positions.start)
    self.positions = positions
    let leftOut =
      framesToDrop > 0 && framesToDrop >= packets.longestPacket
      ? "by its first position, \(framesToDrop) frames at the start do not belong to it, as in copies of a part; left out"
      : nil
    warnings = [positions.warning, leftOut].compactMap(\.self)
    if !positions.needsChange, positions.jump == 0 { return nil }
  }

  /// A copy of the file in an anonymous file, with these positions.
  package func revised(_ input: borrowing InputFile) throws(AudioFileError) -> InputFile {
    try OggCopy.make(of: input) { bytes, page, offset in
      guard let page else { return }
      let position = positions.position(of: page, at: offset)
      if position != page.granulePosition { OggPage.setGranulePosition(position, of: &bytes) }
    }
  }
}

/// A counter of the frames in the packets of a Vorbis stream.
private final class VorbisPacketLengths {
  private(set) var frames = 0
  /// True once all three headers have been read.
  var hasHeaders: Bool { headers == 3 }
  private var headers = 0
  private var lastBlock = 0
  /// The frames of the longest block; a packet has at most as many.
  var longestPacket: Int { hasHeaders ? Int(vorbis_info_blocksize(info, 1)) : 0 }
  private let stream = UnsafeMutablePointer<ogg_stream_state>.allocate(capacity: 1)
  private let info = UnsafeMutablePointer<vorbis_info>.allocate(capacity: 1)
  private let comment = UnsafeMutablePointer<vorbis_comment>.allocate(capacity: 1)
  private var isOpen = false

  init() {
    stream.initialize(to: ogg_stream_state())
    info.initialize(to: vorbis_info())
    comment.initialize(to: vorbis_comment())
    vorbis_info_init(info)
    vorbis_comment_init(comment)
  }

  deinit {
    if isOpen { ogg_stream_clear(stream) }
    vorbis_comment_clear(comment)
    vorbis_info_clear(info)
    stream.deallocate()
    info.deallocate()
    comment.deallocate()
  }

  /// Adds the packets that end on a whole page; `false` if they are not Vorbis packets.
  func take(_ page: [UInt8]) -> Bool {
    var bytes = page
    return bytes.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress, buffer.count >= 27 else { return false }
      let headerCount = 27 + Int(buffer[26])
      guard buffer.count >= headerCount else { return false }
      var page = ogg_page(
        header: base, header_len: headerCount, body: base + headerCount,
        body_len: buffer.count - headerCount)
      if !isOpen {
        guard ogg_stream_init(stream, ogg_page_serialno(&page)) == 0 else { return false }
        isOpen = true
      }
      guard ogg_stream_pagein(stream, &page) == 0 else { return false }
      return takePackets()
    }
  }

  private func takePackets() -> Bool {
    var packet = ogg_packet()
    while true {
      switch ogg_stream_packetout(stream, &packet) {
      case 0: return true
      case 1: if !take(&packet) { return false }
      // After missing pages, the next packet completes no block.
      default: lastBlock = 0
      }
    }
  }

  private func take(_ packet: inout ogg_packet) -> Bool {
    if !hasHeaders {
      headers += 1
      return vorbis_synthesis_headerin(info, comment, &packet) == 0
    }
    let block = vorbis_packet_blocksize(info, &packet)
    guard block > 0 else { return false }
    // A packet completes the second half of the block before it and the first half of its own.
    if lastBlock > 0 { frames += (lastBlock + block) / 4 }
    lastBlock = block
    return true
  }
}

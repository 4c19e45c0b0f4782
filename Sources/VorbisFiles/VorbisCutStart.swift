internal import AudioContainers
package import AudioIO
internal import CVorbis

/// The start of a trimmed Vorbis stream, from which frames must be dropped.
///
/// Vorbis I, section A.2: the granule position of the first audio page may be less than the number
/// of frames in its packets; the excess frames at the start are then not part of the stream.
/// libvorbis drops at most the last packet of that page, in the wrong place. So libvorbis reads a
/// copy of the stream with all positions raised by the excess, and the frames are dropped after
/// decoding.
package struct VorbisCutStart {
  /// Frames to drop.
  package let frames: Int
  /// The offset of the first page with audio.
  private let firstAudioPage: Int
  /// Maximum number of pages searched for the end of a packet.
  private static let maximumPages = 4096

  /// Reads the first pages of a file with one Vorbis stream; `nil` if no frames must be dropped.
  package init?(of input: borrowing InputFile) throws(AudioFileError) {
    let packets = VorbisPacketLengths()
    var position = 0
    var firstAudioPage: Int?
    for _ in 0..<Self.maximumPages {
      guard let page = try OggPage(of: input, at: position) else { return nil }
      if packets.hasHeaders { firstAudioPage = firstAudioPage ?? position }
      guard packets.take(try input.bytes(at: position, count: page.byteCount)) else { return nil }
      if let firstAudioPage, page.granulePosition != -1 {
        // If there is only one audio page, the excess is at the end.
        guard !page.endsStream, page.granulePosition >= 0,
          packets.frames > Int(page.granulePosition)
        else { return nil }
        frames = packets.frames - Int(page.granulePosition)
        self.firstAudioPage = firstAudioPage
        return
      }
      position += page.byteCount
    }
    return nil
  }

  /// A copy of the file in an anonymous file, with the positions of all pages raised.
  package func raised(_ input: borrowing InputFile) throws(AudioFileError) -> InputFile {
    try OggCopy.make(of: input) { bytes, page, position in
      guard let page, position >= firstAudioPage, page.granulePosition != -1 else { return }
      OggPage.setGranulePosition(page.granulePosition &+ Int64(frames), of: &bytes)
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
      default: return false
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

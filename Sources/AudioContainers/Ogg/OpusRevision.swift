package import AudioIO
internal import AudioModel

/// The changes that a file of one Opus stream needs before libsndfile can read it.
///
/// - Positions may begin above 0, as in radio recordings (RFC 7845, section 4.6). libsndfile drops the encoder delay by
///   position, so the delay remains in the audio and as many frames are missing at the end.
/// - Positions may begin below 0, as in copies of a part (invalid by section 4.5), or contradict the packets, as
///   ``OggPositions`` describes. libsndfile refuses such streams, or drops packets.
/// - The input rate in the header may be 0 for unknown (section 5.1). libsndfile then decodes at 8,000 Hz.
/// - Versions up to 15 are compatible with version 1 (section 5.1). libsndfile refuses them.
package struct OpusRevision: Sendable {
  /// The positions of the pages.
  package let positions: OggPositions
  /// The frames of the longest packet, at 48 kHz.
  private let longestPacket: Int
  /// The input rate for the header; `nil` to leave it.
  private let inputRate: Int?
  private let changesVersion: Bool

  /// The rate of Opus itself, in Hz.
  package static let fullRate = OpusTiming.rate

  /// Reads the pages; `nil` if no change is needed.
  ///
  /// - Parameters:
  ///   - rate: The rate at which to decode; `nil` to use the header's rate.
  ///   - byteCount: The bytes after which the positions are taken to agree, if they agree so far.
  ///   - closesJumps: See ``OggPositions``.
  package init?(
    of input: borrowing InputFile, rate: Int?, within byteCount: Int, closesJumps: Bool
  ) throws(AudioFileError) {
    let first = try input.bytes(at: 0, count: OggPageHeader.maximumByteCount)
    guard first.count > 27 else { return nil }
    let packet = first.dropFirst(27 + Int(first[26])).prefix(19)
    guard packet.count == 19, packet.starts(with: "OpusHead".utf8) else { return nil }
    let version = packet[packet.startIndex + 8]
    let declared = Int(packet.dropFirst(12).prefix(4).littleEndianValue)
    let wanted = rate ?? OpusHeader.rate(forInput: declared)
    inputRate = declared == 0 || OpusHeader.rate(forInput: declared) != wanted ? wanted : nil
    changesVersion = version != 1 && version < 16
    var heads = OggPacketHeads()
    var timing = OpusTiming(header: Array(packet))
    var (headersLeft, longest) = (2, 0)
    var positions = OggPositions(closesJumps: closesJumps)
    try OggPage.each(of: input) { (page, bytes, offset) in
      let before = timing?.frameCount ?? 0
      for head in heads.ended(on: bytes) {
        if headersLeft > 0 {
          headersLeft -= 1
          continue
        }
        timing?.add(packet: head)
        longest = max(longest, timing?.lastFrames ?? 0)
      }
      let frames = (timing?.frameCount ?? 0) - before
      if headersLeft == 0, frames > 0 || page.granulePosition > 0 {
        positions.add(page, at: offset, frames: frames, packet: longest)
      }
      return offset < byteCount || positions.needsChange
    }
    (self.positions, longestPacket) = (positions, longest)
    if inputRate == nil, !changesVersion, !positions.needsChange, positions.jump == 0 { return nil }
  }

  /// The warnings about positions that are off by a packet or more.
  package var warnings: [String] {
    var warnings = [positions.warning].compactMap(\.self)
    if positions.start < 0, positions.start.magnitude >= longestPacket {
      warnings.append(
        "its positions begin \(positions.start.magnitude) frames of 48 kHz below 0; all of its frames are "
          + "read")
    }
    return warnings
  }

  /// A copy of the file in an anonymous file, with these changes.
  package func revised(_ input: borrowing InputFile) throws(AudioFileError) -> InputFile {
    var isFirst = true
    return try OggCopy.make(of: input) { bytes, page, offset in
      guard let page else { return }
      if isFirst {
        isFirst = false
        let packet = 27 + Int(bytes[26])
        guard bytes.count >= packet + 19 else { return }
        if let inputRate {
          bytes.replaceSubrange(packet + 12..<packet + 16, with: inputRate.littleEndianBytes(4))
        }
        if changesVersion { bytes[packet + 8] = 1 }
        OggPage.setGranulePosition(page.granulePosition, of: &bytes)
        return
      }
      let position = positions.position(of: page, at: offset)
      if position != page.granulePosition { OggPage.setGranulePosition(position, of: &bytes) }
    }
  }
}

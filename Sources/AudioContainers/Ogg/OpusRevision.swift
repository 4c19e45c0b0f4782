package import AudioIO
internal import AudioModel

/// The changes that a file of one Opus stream needs before libsndfile can read it.
///
/// - Positions may begin above 0, as in radio recordings (RFC 7845, section 4.6). libsndfile drops the encoder delay by
///   position, so the delay remains in the audio and as many frames are missing at the end.
/// - The input rate in the header may be 0 for unknown (section 5.1). libsndfile then decodes at 8,000 Hz.
/// - Versions up to 15 are compatible with version 1 (section 5.1). libsndfile refuses them.
package struct OpusRevision: Sendable {
  /// The position of the first frame, in frames at 48 kHz.
  private let start: Int64
  /// The input rate for the header; `nil` to leave it.
  private let inputRate: Int?
  private let changesVersion: Bool

  /// The rate of Opus itself, in Hz.
  package static let fullRate = OpusTiming.rate
  /// The number of pages to search for the end of the first audio packet.
  private static let maximumPages = 4096

  /// Reads the first pages; `nil` if no change is needed.
  ///
  /// - Parameter rate: The rate at which to decode; `nil` to use the header's rate.
  package init?(of input: borrowing InputFile, rate: Int?) throws(AudioFileError) {
    let first = try input.bytes(at: 0, count: OggPageHeader.maximumByteCount)
    guard first.count > 27 else { return nil }
    let packet = first.dropFirst(27 + Int(first[26])).prefix(19)
    guard packet.count == 19, packet.starts(with: "OpusHead".utf8) else { return nil }
    let version = packet[packet.startIndex + 8]
    let declared = Int(packet.dropFirst(12).prefix(4).littleEndianValue)
    let wanted = rate ?? OpusHeader.rate(forInput: declared)
    inputRate = declared == 0 || OpusHeader.rate(forInput: declared) != wanted ? wanted : nil
    changesVersion = version != 1 && version < 16
    start = try Self.start(of: input)
    if inputRate == nil, !changesVersion, start == 0 { return nil }
  }

  /// The position of the first frame; 0 if it is below or unknown.
  private static func start(of input: borrowing InputFile) throws(AudioFileError) -> Int64 {
    var timing: OpusTiming?
    var packets = 0
    var packet: [UInt8] = []
    var offset = 0
    for _ in 0..<maximumPages {
      guard let page = try OggPage(of: input, at: offset) else { return 0 }
      let bytes = try input.bytes(at: offset, count: page.byteCount)
      var place = 27 + Int(bytes[26])
      for lacing in bytes[27..<place] {
        packet += bytes[place..<place + Int(lacing)]
        place += Int(lacing)
        guard lacing < 255 else { continue }
        if packets == 0 { timing = OpusTiming(header: packet) }
        if packets > 1 { timing?.add(packet: packet) }
        packets += 1
        packet = []
      }
      if let timing, timing.frameCount > 0, page.granulePosition >= 0 {
        // On the only page, packets may end later than the audio.
        return max(0, page.granulePosition - Int64(timing.frameCount))
      }
      offset += page.byteCount
    }
    return 0
  }

  /// A copy of the file in an anonymous file, with these changes.
  package func revised(_ input: borrowing InputFile) throws(AudioFileError) -> InputFile {
    var isFirst = true
    return try OggCopy.make(of: input) { bytes, page, _ in
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
      } else if start > 0, page.granulePosition >= start {
        OggPage.setGranulePosition(page.granulePosition - start, of: &bytes)
      }
    }
  }
}

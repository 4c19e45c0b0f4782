/// The side information behind the header of a layer III frame, checked for what no encoder writes.
///
/// A flipped bit in the audio itself cannot be seen without decoding, and often not then: libmpg123 decodes
/// on through damage. This sees damage to the parts that say how to decode.
/// Source: ISO/IEC 11172-3 section 2.4.1.7, ISO/IEC 13818-3 section 2.4.1.7.
enum MPEGSideInfo {
  /// Header, checksum and the longest side information, in bytes.
  static let reach = 4 + 2 + 32

  /// Whether the fields keep the rules: at most 288 pairs of large values, and no window switching to
  /// normal blocks.
  static func isSound(_ frame: some Collection<UInt8>, header: MPEGFrameHeader) -> Bool {
    guard header.layer == 3 else { return true }
    let skipped = 4 + (header.hasChecksum ? 2 : 0)
    let info = Array(frame.dropFirst(skipped).prefix(header.sideInfoCount))
    guard info.count == header.sideInfoCount else { return false }
    var bits = BitReader(bytes: info)
    let isVersion1 = header.version == 1
    let channels = header.channelCount
    // Back pointer, private bits, and how scale factors are shared.
    bits.skip(isVersion1 ? 9 + (channels == 1 ? 5 : 3) + 4 * channels : 8 + channels)
    for _ in 0..<(isVersion1 ? 2 : 1) * channels {
      bits.skip(12)
      if bits.read(9) > 288 { return false }
      bits.skip(8 + (isVersion1 ? 4 : 9))
      if bits.read(1) == 1 {
        if bits.read(2) == 0 { return false }
        bits.skip(20)
      } else {
        bits.skip(22)
      }
      bits.skip(isVersion1 ? 3 : 2)
    }
    return true
  }

  private struct BitReader {
    let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func skip(_ count: Int) { position += count }

    mutating func read(_ count: Int) -> Int {
      var value = 0
      for _ in 0..<count {
        let byte = position / 8 < bytes.count ? bytes[position / 8] : 0
        value = value << 1 | Int(byte >> UInt8(7 - position % 8) & 1)
        position += 1
      }
      return value
    }
  }
}

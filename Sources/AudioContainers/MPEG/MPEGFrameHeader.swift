package import AudioIO

/// The header of a frame of MPEG audio, four bytes.
///
/// Source: ISO/IEC 11172-3 section 2.4.2.3, ISO/IEC 13818-3 section 2.4.2.3, and the MPEG 2.5
/// convention for the version field.
package struct MPEGFrameHeader: Hashable, Sendable {
  /// 1, 2 or 25 (2.5).
  let version: Int
  /// 1 to 3.
  package let layer: Int
  /// In bits per second; 0 for free format, whose headers do not give the frame length.
  package let bitRate: Int
  /// In Hz.
  let sampleRate: Int
  /// 1 or 2.
  let channelCount: Int
  let hasChecksum: Bool
  /// Bytes of the frame, including the header; 0 for free format until ``sized(freeByteCount:)``.
  private(set) var byteCount: Int
  /// Bytes of padding in the frame.
  let padding: Int

  /// PCM frames that a frame decodes to.
  package var frameCount: Int { Self.frameCount(version: version, layer: layer) }

  /// Bytes of side information after the header and checksum of a layer III frame.
  var sideInfoCount: Int {
    version == 1 ? (channelCount == 1 ? 17 : 32) : (channelCount == 1 ? 9 : 17)
  }

  /// Parses the first four of `bytes`; `nil` if they are not a header.
  init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count >= 4 else { return nil }
    let word = UInt32(bytes.prefix(4).bigEndianValue)
    guard word >> 21 == 0x7FF else { return nil }
    let versionBits = Int(word >> 19 & 3)
    let layerBits = Int(word >> 17 & 3)
    let rateIndex = Int(word >> 10 & 3)
    let bitRateIndex = Int(word >> 12 & 15)
    // Emphasis 2 is reserved.
    guard versionBits != 1, layerBits != 0, rateIndex != 3, bitRateIndex != 15, word & 3 != 2
    else { return nil }
    version = versionBits == 3 ? 1 : versionBits == 2 ? 2 : 25
    layer = 4 - layerBits
    hasChecksum = word >> 16 & 1 == 0
    let base = [44100, 48000, 32000][rateIndex]
    sampleRate = version == 1 ? base : version == 2 ? base / 2 : base / 4
    channelCount = word >> 6 & 3 == 3 ? 1 : 2
    bitRate = 1000 * Self.bitRates(version: version, layer: layer)[bitRateIndex]
    let slots = Int(word >> 9 & 1)
    padding = layer == 1 ? 4 * slots : slots
    if bitRate == 0 {
      byteCount = 0
    } else if layer == 1 {
      byteCount = 12 * bitRate / sampleRate * 4 + padding
    } else {
      let frames = Self.frameCount(version: version, layer: layer)
      byteCount = frames / 8 * bitRate / sampleRate + padding
    }
  }

  /// The header with the length of its frame, in a free-format stream whose frames have `freeByteCount` bytes
  /// without padding.
  func sized(freeByteCount: Int?) -> MPEGFrameHeader {
    guard bitRate == 0, let freeByteCount else { return self }
    var header = self
    header.byteCount = freeByteCount + padding
    return header
  }

  /// True if frames with both headers may occur in the same stream.
  func matches(_ other: MPEGFrameHeader) -> Bool {
    version == other.version && layer == other.layer && sampleRate == other.sampleRate
      && (bitRate == 0) == (other.bitRate == 0)
  }

  /// True if `bytes`, fewer than a header at the end of a file, may be the start of one in the same stream.
  func mayBegin(_ bytes: some Collection<UInt8>) -> Bool {
    if bytes.count >= 4 { return MPEGFrameHeader(bytes)?.matches(self) ?? false }
    // The sync word, the version, and the layer.
    let start = [
      0xFF, UInt8(0xE0 | (version == 1 ? 3 : version == 2 ? 2 : 0) << 3 | (4 - layer) << 1),
    ]
    return zip(bytes, start).allSatisfy { $0 | 1 == $1 | 1 }
  }

  private static func frameCount(version: Int, layer: Int) -> Int {
    layer == 1 ? 384 : layer == 3 && version != 1 ? 576 : 1152
  }

  /// Kilobits per second by index; index 0 is the free format.
  package static func bitRates(version: Int, layer: Int) -> [Int] {
    switch (version, layer) {
    case (1, 1): [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
    case (1, 2): [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
    case (1, _): [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    case (_, 1): [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
    default: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    }
  }
}

extension MPEGFrameHeader {
  /// How far to search for the first frame after the tags, in bytes.
  private static let reach = 65536
  /// Above the size of any free-format frame: decoders support at most 640 kb/s.
  private static let maximumFreeFormatBytes = 8192

  /// The first frame of `input` at or after `start`, followed by two more like it or by the end of the file.
  ///
  /// Three consecutive headers at the right distances do not occur by chance: each fixes at least 17 bits. An encoder's
  /// header before that frame, with the same properties, is the first frame even if other bytes follow it.
  package static func firstFrame(
    of input: borrowing InputFile, from start: Int
  ) throws(AudioFileError) -> (offset: Int, header: MPEGFrameHeader)? {
    let start = try endOfZeros(input, from: start)
    let window = try input.bytes(at: start, count: reach)
    var marked: (offset: Int, header: MPEGFrameHeader)?
    for offset in window.indices where window[offset] == 0xFF {
      guard var header = MPEGFrameHeader(window[offset...].prefix(4)) else { continue }
      // After anything other than zeros, more frames are needed for certainty.
      let begins = window[..<offset].allSatisfy { $0 == 0 }
      if header.bitRate == 0 {
        // Only the distance between headers identifies free format, and pictures may contain similar bytes.
        if !begins { continue }
        let size = try freeByteCount(of: input, header, at: start + offset)
        header = header.sized(freeByteCount: size)
      }
      if try isStream(input, header, at: start + offset, needed: begins ? 2 : 4) {
        if let marked, marked.header.matches(header) { return marked }
        return (start + offset, header)
      }
      if marked == nil,
        MPEGInfoFrame.isMarked(window[offset...].prefix(MPEGInfoFrame.markReach), header: header)
      {
        marked = (start + offset, header)
      }
    }
    return nil
  }

  /// The maximum number of zeros before the first frame.
  private static let mostZeros = 1 << 24

  /// The offset after the zeros at `start`; `start` if there are only zeros, or too many.
  private static func endOfZeros(
    _ input: borrowing InputFile, from start: Int
  ) throws(AudioFileError) -> Int {
    var position = start
    while position < min(input.size, start + mostZeros) {
      let window = try input.bytes(at: position, count: reach)
      if let index = window.firstIndex(where: { $0 != 0 }) { return position + index }
      position += window.count
    }
    return start
  }

  /// True if `needed` more frames follow, or fewer up to the end of the file.
  private static func isStream(
    _ input: borrowing InputFile, _ first: MPEGFrameHeader, at offset: Int, needed: Int
  ) throws(AudioFileError) -> Bool {
    guard first.byteCount > 0 else { return false }
    let freeByteCount = first.bitRate == 0 ? first.byteCount - first.padding : nil
    var position = offset
    var header = first
    for step in 0..<needed {
      position += header.byteCount
      // The file has only one or two frames before its end or a tag.
      if position >= input.size { return needed == 2 && step > 0 || position == input.size }
      let bytes = try input.bytes(at: position, count: 4)
      if step > 0, bytes.starts(with: Array("TAG".utf8)) { return true }
      guard let next = MPEGFrameHeader(bytes), next.matches(first) else { return false }
      header = next.sized(freeByteCount: freeByteCount)
      if header.byteCount == 0 { return false }
    }
    return true
  }

  /// The bytes without padding of every frame in a free-format stream, from the distance between headers; `nil`
  /// unless four consecutive frames confirm it.
  private static func freeByteCount(
    of input: borrowing InputFile, _ first: MPEGFrameHeader, at offset: Int
  ) throws(AudioFileError) -> Int? {
    let bytes = try input.bytes(at: offset, count: 5 * maximumFreeFormatBytes)
    func header(at position: Int) -> MPEGFrameHeader? {
      guard position + 4 <= bytes.count, bytes[position] == 0xFF,
        let header = MPEGFrameHeader(bytes[position..<position + 4]), header.matches(first)
      else { return nil }
      return header
    }
    for distance in 32..<maximumFreeFormatBytes where header(at: distance) != nil {
      let size = distance - first.padding
      var position = 0
      var found = 0
      while found < 4, let next = header(at: position) {
        found += 1
        position += size + next.padding
      }
      if found == 4 { return size }
    }
    return nil
  }
}

/// Validates the side information after the header of a layer III frame.
///
/// Damage in the audio data is detected only by decoding, and often not even then: libmpg123 continues through
/// damage. This check finds damage in the parameters of decoding.
/// Source: ISO/IEC 11172-3 section 2.4.1.7, ISO/IEC 13818-3 section 2.4.1.7.
enum MPEGSideInfo {
  /// The maximum size of header, checksum, and side information, in bytes.
  static let reach = 4 + 2 + 32

  /// True if the fields are valid: at most 288 pairs of large values, and no window switching to normal
  /// blocks.
  static func isSound(_ frame: some Collection<UInt8>, header: MPEGFrameHeader) -> Bool {
    guard header.layer == 3 else { return true }
    let skipped = 4 + (header.hasChecksum ? 2 : 0)
    let info = Array(frame.dropFirst(skipped).prefix(header.sideInfoCount))
    guard info.count == header.sideInfoCount else { return false }
    var bits = BitReader(bytes: info)
    let isVersion1 = header.version == 1
    let channels = header.channelCount
    // Back pointer, private bits, and scale factor sharing.
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

  /// True if a frame needs no data from the frames before it, like the first frame of a file.
  static func isIndependent(_ frame: some Collection<UInt8>, header: MPEGFrameHeader) -> Bool {
    guard header.layer == 3 else { return true }
    var bits = BitReader(bytes: Array(frame.dropFirst(4 + (header.hasChecksum ? 2 : 0)).prefix(2)))
    return bits.read(header.version == 1 ? 9 : 8) == 0
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

internal import AudioModel

/// Core Audio's channel layout, as the `chan` chunk of CAF and the `CHAN` chunk of AIFF hold it.
///
/// Big-endian: a tag, a bitmap, a count of descriptions, and 20 bytes for each of those.
/// Source: Apple, `CoreAudioBaseTypes.h`, and "Core Audio Format Specification 1.0", section Channel
/// Layout Chunk.
enum CoreAudioLayout {
  /// The layout is given by channel descriptions.
  private static let useDescriptions: UInt32 = 0
  /// The layout is given by the bitmap, whose bits are those of the WAVE channel mask.
  private static let useBitmap: UInt32 = 0x10000
  private static let knownBits: UInt32 = (1 << 18) - 1

  /// The layout that a chunk's content says; `nil` when it says none or one beyond the 18 speakers.
  ///
  /// `isWrittenByLavf`: FFmpeg puts the tag of MPEG 7.1 C on channels in the order of the WAVE mask.
  static func layout(
    _ content: [UInt8], channelCount: Int, isWrittenByLavf: Bool
  ) -> ChannelLayout? {
    let head = HeaderBytes(bytes: content, isBigEndian: true)
    guard let tag = head.uint32(at: 0) else { return nil }
    switch tag {
    case useBitmap:
      guard let bitmap = head.uint32(at: 4), bitmap & ~knownBits == 0 else { return nil }
      return ChannelLayout(mask: bitmap, channelCount: channelCount)
    case useDescriptions:
      return described(head, channelCount: channelCount)
    case 128 << 16 | 8 where isWrittenByLavf:
      return ChannelLayout(mask: 0x63F, channelCount: channelCount)
    default:
      guard let speakers = tagged(tag), speakers.count == channelCount else { return nil }
      return ChannelLayout(speakers)
    }
  }

  /// The content of a chunk for a layout; its channels must stand in the order of the mask.
  static func content(for layout: ChannelLayout) -> [UInt8] {
    let words: [UInt32] = [useBitmap, layout.mask, 0]
    return words.flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) }
    }
  }

  private static func described(_ head: HeaderBytes, channelCount: Int) -> ChannelLayout? {
    guard head.int32(at: 8) == channelCount else { return nil }
    var speakers: [Speaker] = []
    for channel in 0..<channelCount {
      guard let label = head.uint32(at: 12 + 20 * channel),
        let speaker = speaker(label: label, among: channelCount)
      else { return nil }
      speakers.append(speaker)
    }
    return ChannelLayout(speakers)
  }

  /// The speaker that a channel label names: labels 1 to 18 are the mask's bits in order.
  private static func speaker(label: UInt32, among channelCount: Int) -> Speaker? {
    switch label {
    case 1...18: Speaker(rawValue: UInt8(label - 1))
    case 33: .backLeft
    case 34: .backRight
    // Headphones left and right; mono.
    case 301: .frontLeft
    case 302: .frontRight
    case 42: .frontCenter
    default: nil
    }
  }

  /// The speakers of the fixed layouts, in the order of their channels.
  ///
  /// Left and right surround are the mask's back speakers, as in the bitmap, except where the tag
  /// sets them apart from rear surround speakers: there they are at the sides.
  private static func tagged(_ tag: UInt32) -> [Speaker]? {
    let l = Speaker.frontLeft
    let r = Speaker.frontRight
    let c = Speaker.frontCenter
    let lfe = Speaker.lowFrequency
    let ls = Speaker.backLeft
    let rs = Speaker.backRight
    let cs = Speaker.backCenter
    let lc = Speaker.frontLeftOfCenter
    let rc = Speaker.frontRightOfCenter
    switch tag >> 16 {
    case 100: return [c]  // Mono
    case 101, 102, 103: return [l, r]  // Stereo, stereo headphones, matrix stereo
    case 108: return [l, r, ls, rs]  // Quadraphonic
    case 109: return [l, r, ls, rs, c]  // Pentagonal
    case 110: return [l, r, ls, rs, c, cs]  // Hexagonal
    case 111: return [l, r, ls, rs, c, cs, .sideLeft, .sideRight]  // Octagonal
    case 113: return [l, r, c]  // MPEG 3.0 A
    case 114: return [c, l, r]  // MPEG 3.0 B
    case 115: return [l, r, c, cs]  // MPEG 4.0 A
    case 116: return [c, l, r, cs]  // MPEG 4.0 B
    case 117: return [l, r, c, ls, rs]  // MPEG 5.0 A
    case 118: return [l, r, ls, rs, c]  // MPEG 5.0 B
    case 119: return [l, c, r, ls, rs]  // MPEG 5.0 C
    case 120: return [c, l, r, ls, rs]  // MPEG 5.0 D
    case 121: return [l, r, c, lfe, ls, rs]  // MPEG 5.1 A
    case 122: return [l, r, ls, rs, c, lfe]  // MPEG 5.1 B
    case 123: return [l, c, r, ls, rs, lfe]  // MPEG 5.1 C
    case 124: return [c, l, r, ls, rs, lfe]  // MPEG 5.1 D
    case 125: return [l, r, c, lfe, ls, rs, cs]  // MPEG 6.1 A
    case 126: return [l, r, c, lfe, ls, rs, lc, rc]  // MPEG 7.1 A
    case 127: return [c, lc, rc, l, r, ls, rs, lfe]  // MPEG 7.1 B
    case 128: return [l, r, c, lfe, .sideLeft, .sideRight, ls, rs]  // MPEG 7.1 C
    case 129: return [l, r, ls, rs, c, lfe, lc, rc]  // Emagic 7.1
    case 131: return [l, r, cs]  // ITU 2.1
    case 132: return [l, r, ls, rs]  // ITU 2.2
    case 133: return [l, r, lfe]  // DVD 4
    case 134: return [l, r, lfe, cs]  // DVD 5
    case 135: return [l, r, lfe, ls, rs]  // DVD 6
    case 136: return [l, r, c, lfe]  // DVD 10
    case 137: return [l, r, c, lfe, cs]  // DVD 11
    case 138: return [l, r, ls, rs, lfe]  // DVD 18
    case 141: return [l, r, c, ls, rs, cs]  // AAC and AudioUnit 6.0
    case 142: return [c, l, r, ls, rs, cs, lfe]  // AAC 6.1
    case 185: return [l, r, ls, rs]  // WAVE 4.0 B
    case 186: return [l, r, c, ls, rs]  // WAVE 5.0 B
    case 187: return [l, r, c, lfe, ls, rs]  // WAVE 5.1 B
    case 188: return [l, r, c, lfe, cs, .sideLeft, .sideRight]  // WAVE 6.1
    case 189: return [l, r, c, lfe, ls, rs, .sideLeft, .sideRight]  // WAVE 7.1
    default: return nil
    }
  }
}

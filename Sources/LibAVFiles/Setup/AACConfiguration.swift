internal import AudioIO
internal import AudioModel
internal import CLibAV
internal import SystemPackage

/// The AudioSpecificConfig of libavcodec's encoder, corrected to state the actual speakers.
///
/// Source: ISO 14496-3 sections 1.6.2.1 and 4.4.1.1.
enum AACConfiguration {
  private static let surroundAtSides: UInt32 = 0x60F
  private static let surroundAtBack: UInt32 = 0x3F

  /// Returns true if a decoder reads the layout from its configuration.
  static func canSay(_ layout: ChannelLayout) -> Bool {
    guard
      let context = LibAVContext(
        encoder: "aac", layout: encoded(layout), sampleRate: 44100), context.open() >= 0
    else { return false }
    return read(corrected(context.extradata, for: layout)) == layout.mask
  }

  /// Returns true if the codec is unified speech and audio coding, xHE-AAC: object type 42, whose first
  /// 5 bits are an escape.
  static func isUnified(_ parameters: AVCodecParameters) -> Bool {
    guard let bytes = parameters.extradata, parameters.extradata_size >= 2 else { return false }
    return bytes[0] == 0b11111_001 && bytes[1] >> 5 == 0b010
  }

  /// The layout set in the encoder; it has the same channels in the same order.
  ///
  /// For 5.1(side), the encoder would encode the LFE channel like any other channel.
  static func encoded(_ layout: ChannelLayout) -> ChannelLayout {
    guard layout.mask == surroundAtSides else { return layout }
    return ChannelLayout(mask: surroundAtBack, channelCount: 6) ?? layout
  }

  /// The encoder's configuration, corrected for `layout`.
  static func corrected(_ bytes: [UInt8], for layout: ChannelLayout) -> [UInt8] {
    guard bytes.count > 2 else { return bytes }
    if layout.mask == surroundAtSides { return surroundAtSides(bytes) }
    var bytes = bytes
    let configuration = bytes[1] >> 3 & 15
    if configuration == 7, layout.mask == 0x63F {
      // Configuration 7 has speakers left and right of the center; 12 has side and back speakers.
      bytes[1] = bytes[1] & 0x87 | 12 << 3
    } else if configuration == 0 {
      putCenterFirst(&bytes)
    }
    return bytes
  }

  /// Replaces channel configuration 6 with a program config element of the same elements: a single
  /// channel and a pair in front, a pair at the sides, and an LFE channel.
  private static func surroundAtSides(_ bytes: [UInt8]) -> [UInt8] {
    let rate = bits(bytes, at: 5, count: 4)
    var element = BitWriter()
    element.put(2, count: 5)
    element.put(rate, count: 4)
    element.put(0, count: 4 + 3)
    // Tag 0, low complexity.
    element.put(0b0000_01, count: 6)
    element.put(rate, count: 4)
    // Two front elements, one side element, no back element, one LFE element; no data, coupling or
    // mixdown.
    for (value, count) in [(2, 4), (1, 4), (0, 4), (1, 2), (0, 3), (0, 4), (0, 3)] {
      element.put(value, count: count)
    }
    // Single 0 and pair 0; pair 1; LFE 0.
    for (value, count) in [(0b0_0000, 5), (0b1_0000, 5), (0b1_0001, 5), (0, 4)] {
      element.put(value, count: count)
    }
    // The length of a comment follows after alignment.
    return element.bytes + [0]
  }

  /// Reorders the front elements: a program config element lists them from the center outward, but
  /// the encoder starts with left and right. Elements are identified by tags, so the audio does not
  /// change.
  private static func putCenterFirst(_ bytes: inout [UInt8]) {
    // After the 16 bits of the header: tag 4, profile 2, sample rate 4, and four counts.
    let count = bits(bytes, at: 26, count: 4)
    // Counts of 4, 4, 2, 3 and 4 bits, three flags; then 5 bits for each element.
    let first = 50
    guard bytes.count * 8 >= first + 5 * count else { return }
    let elements = (0..<count).map { bits(bytes, at: first + 5 * $0, count: 5) }
    // The first of the 5 bits is set for a channel pair.
    let ordered = elements.filter { $0 < 16 } + elements.filter { $0 >= 16 }
    for (index, element) in ordered.enumerated() {
      for place in 0..<5 {
        let bit = first + 5 * index + place
        let mask: UInt8 = 0x80 >> UInt8(bit % 8)
        if element >> (4 - place) & 1 == 1 {
          bytes[bit / 8] |= mask
        } else {
          bytes[bit / 8] &= ~mask
        }
      }
    }
  }

  private static func bits(_ bytes: [UInt8], at start: Int, count: Int) -> Int {
    (start..<start + count).reduce(0) { value, bit in
      bit / 8 < bytes.count
        ? value << 1 | Int(bytes[bit / 8] >> UInt8(7 - bit % 8) & 1) : value << 1
    }
  }

  /// The speakers that libavcodec's decoder reads from a configuration, as a WAVE mask.
  private static func read(_ configuration: [UInt8]) -> UInt32? {
    guard let context = LibAVContext(decoder: AV_CODEC_ID_AAC, extradata: configuration),
      context.open() >= 0
    else { return nil }
    return context.mask
  }
}

extension AACConfiguration {
  /// The windows of a packet's first channel: their sequence and shape, as one number.
  ///
  /// Source: ISO 14496-3 tables 4.4, 4.5, 4.6 and 4.50 (`raw_data_block`, `single_channel_element`, `channel_pair_element`,
  /// `ics_info`).
  static func windows(of packet: [UInt8]) -> Int {
    let head = Int(packet.prefix(3).bigEndianValue) << (8 * (3 - min(3, packet.count)))
    func bits(_ first: Int) -> Int { head >> (24 - first - 3) & 7 }
    // The kind of the element, its tag, and for a pair the common window are before ics_info; gain for other channels.
    switch bits(0) {
    case 1: return head >> 16 & 1 == 1 ? bits(9) : bits(17)
    default: return bits(16)
    }
  }
}

/// The bit rate of the AAC encoder.
enum EncoderBitRate {
  /// The requested bit rate, otherwise one close to the source's, otherwise a transparent one.
  static func bitRate(
    for description: OutputDescription, path: FilePath
  ) throws(AudioFileError) -> Int {
    let spec = description.spec
    let range = range(for: spec)
    if let asked = description.options.bitRate {
      guard range.contains(asked) else {
        throw .cannotHold(
          path,
          reason: "AAC with \(spec.channelCount) channel\(spec.channelCount == 1 ? "" : "s") at "
            + "\(spec.sampleRate) Hz has no bit rate of \(asked)",
          remedy: .set(
            .bitRate, to: "from \(range.lowerBound / 1000)k to \(range.upperBound / 1000)k"))
      }
      return asked
    }
    let wanted =
      description.sourceBitRate ?? spec.channelCount * min(96_000, 2 * spec.sampleRate)
    return min(max(wanted, range.lowerBound), range.upperBound)
  }

  /// A packet of 1024 frames holds at most 6144 bits for each channel (ISO 14496-3 section
  /// 4.5.3.3). Below a sixth of a bit per sample, libavcodec exceeds the requested bit rate.
  private static func range(for spec: AudioSpec) -> ClosedRange<Int> {
    let most = spec.channelCount * spec.sampleRate * 6
    return min(most, max(4_000, spec.channelCount * spec.sampleRate / 6))...most
  }
}

internal import AudioIO
internal import AudioModel
internal import CLibAV

/// The AudioSpecificConfig of libavcodec's encoder, made to say the speakers that are meant.
///
/// Source: ISO 14496-3 sections 1.6.2.1 and 4.4.1.1.
enum AACConfiguration {
  private static let surroundAtSides: UInt32 = 0x60F
  private static let surroundAtBack: UInt32 = 0x3F

  /// Whether a decoder finds the layout in what is said of it.
  static func canSay(_ layout: ChannelLayout) -> Bool {
    guard
      let context = LibAVContext(
        encoder: "aac", layout: encoded(layout), sampleRate: 44100), context.open() >= 0
    else { return false }
    return read(corrected(context.extradata, for: layout)) == layout.mask
  }

  /// The layout that the encoder is told; the channels are the same ones in the same order.
  ///
  /// Told of 5.1(side), it encodes the low frequencies as any other channel.
  static func encoded(_ layout: ChannelLayout) -> ChannelLayout {
    guard layout.mask == surroundAtSides else { return layout }
    return ChannelLayout(mask: surroundAtBack, channelCount: 6) ?? layout
  }

  /// The encoder's bytes for a layout, saying what is meant.
  static func corrected(_ bytes: [UInt8], for layout: ChannelLayout) -> [UInt8] {
    guard bytes.count > 2 else { return bytes }
    if layout.mask == surroundAtSides { return surroundAtSides(bytes) }
    var bytes = bytes
    let configuration = bytes[1] >> 3 & 15
    if configuration == 7, layout.mask == 0x63F {
      // Configuration 7 has speakers left and right of the center; 12 has the sides and the back.
      bytes[1] = bytes[1] & 0x87 | 12 << 3
    } else if configuration == 0 {
      putCenterFirst(&bytes)
    }
    return bytes
  }

  /// Replaces channel configuration 6 by a program config element of the same elements: a single one
  /// and a pair in front, a pair at the sides, one of low frequencies.
  private static func surroundAtSides(_ bytes: [UInt8]) -> [UInt8] {
    let rate = bits(bytes, at: 5, count: 4)
    var element = BitWriter()
    element.put(2, count: 5)
    element.put(rate, count: 4)
    element.put(0, count: 4 + 3)
    // Tag 0, low complexity.
    element.put(0b0000_01, count: 6)
    element.put(rate, count: 4)
    // Two elements in front, one at the sides, none at the back, one of low frequencies; no data, no
    // coupling, no mixdown.
    for (value, count) in [(2, 4), (1, 4), (0, 4), (1, 2), (0, 3), (0, 4), (0, 3)] {
      element.put(value, count: count)
    }
    // Single 0 and pair 0; pair 1; low frequencies 0.
    for (value, count) in [(0b0_0000, 5), (0b1_0000, 5), (0b1_0001, 5), (0, 4)] {
      element.put(value, count: count)
    }
    // After alignment comes the length of a comment.
    return element.bytes + [0]
  }

  /// A program config element lists the front from the center outward; the encoder begins with the
  /// left and right. Elements are told by their tags, so the audio stays as it is.
  private static func putCenterFirst(_ bytes: inout [UInt8]) {
    // Behind the 16 bits before it: tag 4, profile 2, rate 4, and four counts.
    let count = bits(bytes, at: 26, count: 4)
    // Two more counts of 4, three of 2, 3 and 4 bits, three flags; then 5 bits for each element.
    let first = 50
    guard bytes.count * 8 >= first + 5 * count else { return }
    let elements = (0..<count).map { bits(bytes, at: first + 5 * $0, count: 5) }
    // The first of the 5 bits tells a pair of channels from a single one.
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

  /// The speakers that libavcodec's decoder finds, as a WAVE mask.
  private static func read(_ configuration: [UInt8]) -> UInt32? {
    guard let context = LibAVContext(decoder: AV_CODEC_ID_AAC, extradata: configuration),
      context.open() >= 0
    else { return nil }
    return context.mask
  }
}

internal import AudioIO
package import AudioModel

/// Core Audio's channel layout, as the `chan` chunk of CAF and the `CHAN` chunk of AIFF hold it.
///
/// Big-endian: a tag, a bitmap, a count of descriptions, and 20 bytes for each of those.
/// Source: Apple, `CoreAudioBaseTypes.h`, and "Core Audio Format Specification 1.0", section Channel
/// Layout Chunk.
package enum CoreAudioLayout {
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
    let head = ByteReader(bytes: content, isBigEndian: true)
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
      guard let speakers = CoreAudioTags.speakers(ofTag: tag), speakers.count == channelCount else {
        return nil
      }
      return ChannelLayout(speakers)
    }
  }

  /// The content of a chunk for a layout; its channels must stand in the order of the mask.
  package static func content(for layout: ChannelLayout) -> [UInt8] {
    let words: [UInt32] = [useBitmap, layout.mask, 0]
    return words.flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) }
    }
  }

  private static func described(_ head: ByteReader, channelCount: Int) -> ChannelLayout? {
    guard head.int32(at: 8) == channelCount else { return nil }
    var labels: [UInt32] = []
    for channel in 0..<channelCount {
      guard let label = head.uint32(at: 12 + 20 * channel) else { return nil }
      labels.append(label)
    }
    return CoreAudioTags.speakers(ofLabels: labels).flatMap { ChannelLayout($0) }
  }
}

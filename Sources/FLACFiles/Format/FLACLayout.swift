internal import AudioModel

/// The channel layouts of FLAC.
enum FLACLayout {
  /// The comment that carries a WAVE channel mask (RFC 9639 section 8.6.2).
  static let maskField = "WAVEFORMATEXTENSIBLE_CHANNEL_MASK"

  /// The layout of a stream without a mask (RFC 9639 section 9.1.3, table 5).
  static func standard(channelCount: Int) -> ChannelLayout {
    let masks: [UInt32] = [0x4, 0x3, 0x7, 0x33, 0x37, 0x3F, 0x70F, 0x63F]
    guard masks.indices.contains(channelCount - 1) else { return .unspecified(channelCount) }
    return ChannelLayout(mask: masks[channelCount - 1], channelCount: channelCount)
      ?? .unspecified(channelCount)
  }

  /// The layout for the value of a mask comment; `nil` if it does not match the channel count.
  static func layout(mask text: String, channelCount: Int) -> ChannelLayout? {
    let lowered = text.lowercased()
    guard lowered.hasPrefix("0x"), let mask = UInt32(lowered.dropFirst(2), radix: 16) else {
      return nil
    }
    // "This can be used to show that none of the audio channels of a file correlate with speaker
    // positions": RFC 9639 on a mask of 0x0.
    if mask == 0 { return .unspecified(channelCount) }
    return ChannelLayout(mask: mask, channelCount: channelCount)
  }

  /// The value of the mask comment that a layout needs; `nil` if the channel count is sufficient.
  ///
  /// It is not sufficient for 5 and 6 channels: RFC 9639 allows the surrounds at the back or at the sides, and
  /// ffmpeg assumes the sides.
  static func maskText(for layout: ChannelLayout) -> String? {
    if layout.speakers == nil, layout.channelCount <= 2 { return nil }
    let isStandard = layout.inMaskOrder == standard(channelCount: layout.channelCount)
    if isStandard, !(5...6).contains(layout.channelCount) { return nil }
    let digits = String(layout.mask, radix: 16)
    return "0x" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

/// A loudspeaker position.
///
/// The raw value is the bit number in the `dwChannelMask` of WAVE_FORMAT_EXTENSIBLE, so the cases
/// are in the order in which WAV and FLAC interleave channels.
///
/// Source: Microsoft, "Enhanced Audio Formats for Multichannel Configurations and High Bit
/// Resolution" (2001), and RFC 9639 section 8.6.2.
public enum Speaker: UInt8, CaseIterable, Hashable, Sendable {
  case frontLeft, frontRight, frontCenter, lowFrequency
  case backLeft, backRight, frontLeftOfCenter, frontRightOfCenter, backCenter
  case sideLeft, sideRight
  case topCenter, topFrontLeft, topFrontCenter, topFrontRight
  case topBackLeft, topBackCenter, topBackRight

  /// The position's bit in a WAVE channel mask.
  public var maskBit: UInt32 { 1 << UInt32(rawValue) }

  /// The usual abbreviation: `FL`, `LFE`, `SR`.
  public var abbreviation: String {
    switch self {
    case .frontLeft: "FL"
    case .frontRight: "FR"
    case .frontCenter: "FC"
    case .lowFrequency: "LFE"
    case .backLeft: "BL"
    case .backRight: "BR"
    case .frontLeftOfCenter: "FLC"
    case .frontRightOfCenter: "FRC"
    case .backCenter: "BC"
    case .sideLeft: "SL"
    case .sideRight: "SR"
    case .topCenter: "TC"
    case .topFrontLeft: "TFL"
    case .topFrontCenter: "TFC"
    case .topFrontRight: "TFR"
    case .topBackLeft: "TBL"
    case .topBackCenter: "TBC"
    case .topBackRight: "TBR"
    }
  }
}

extension Speaker {
  package enum Side: Sendable { case left, center, right }

  /// The side on which a listener hears it.
  package var side: Side {
    switch self {
    case .frontLeft, .backLeft, .frontLeftOfCenter, .sideLeft, .topFrontLeft, .topBackLeft: .left
    case .frontRight, .backRight, .frontRightOfCenter, .sideRight, .topFrontRight, .topBackRight:
      .right
    case .frontCenter, .lowFrequency, .backCenter, .topCenter, .topFrontCenter, .topBackCenter:
      .center
    }
  }
}

/// The speaker of each channel in an interleaved frame, in the order of the channels.
public struct ChannelLayout: Hashable, Sendable {
  /// The speaker of each channel, or `nil` if the positions are unknown.
  public let speakers: [Speaker]?
  /// The number of channels, at least 1.
  public let channelCount: Int

  /// A layout of these speakers, in this order; `nil` if there are none or one is repeated.
  public init?(_ speakers: [Speaker]) {
    guard !speakers.isEmpty, Set(speakers).count == speakers.count else { return nil }
    self.speakers = speakers
    channelCount = speakers.count
  }

  private init(speakers: [Speaker]?, channelCount: Int) {
    self.speakers = speakers
    self.channelCount = channelCount
  }

  /// One channel at the front center.
  public static let mono = ChannelLayout(speakers: [.frontCenter], channelCount: 1)
  /// Front left and front right.
  public static let stereo = ChannelLayout(speakers: [.frontLeft, .frontRight], channelCount: 2)

  /// A number of channels, at least 1, at unknown positions.
  public static func unspecified(_ channelCount: Int) -> ChannelLayout {
    ChannelLayout(speakers: nil, channelCount: max(1, channelCount))
  }

  /// The layout of a file that gives only a channel count: mono, stereo, or unknown positions.
  public static func assumed(channelCount: Int) -> ChannelLayout {
    switch channelCount {
    case 1: .mono
    case 2: .stereo
    default: .unspecified(channelCount)
    }
  }

  /// The layout of a WAVE channel mask, in the order of its bits; `nil` unless the mask has exactly
  /// `channelCount` known speakers.
  public init?(mask: UInt32, channelCount: Int) {
    let speakers = Speaker.allCases.filter { mask & $0.maskBit != 0 }
    guard speakers.count == channelCount, mask.nonzeroBitCount == channelCount else { return nil }
    self.init(speakers)
  }

  /// The WAVE channel mask of the speakers; 0 if they are unknown.
  public var mask: UInt32 {
    (speakers ?? []).reduce(0) { $0 | $1.maskBit }
  }

  /// The same speakers in the order of the WAVE mask's bits.
  public var inMaskOrder: ChannelLayout {
    guard let speakers else { return self }
    return ChannelLayout(
      speakers: speakers.sorted { $0.rawValue < $1.rawValue }, channelCount: channelCount)
  }

  /// For each channel of `target`, the index of the channel here that has the same speaker; `nil` if the
  /// two layouts have different speakers. Unknown layouts of equal count map one to one.
  public func order(for target: ChannelLayout) -> [Int]? {
    guard channelCount == target.channelCount else { return nil }
    guard let speakers, let wanted = target.speakers else {
      return speakers == nil && target.speakers == nil ? Array(0..<channelCount) : nil
    }
    var order: [Int] = []
    for speaker in wanted {
      guard let index = speakers.firstIndex(of: speaker) else { return nil }
      order.append(index)
    }
    return order
  }
}

extension ChannelLayout: CustomStringConvertible {
  private static let names: [(mask: UInt32, name: String)] = [
    (0x4, "mono"), (0x3, "stereo"), (0xB, "2.1"), (0x7, "3.0"), (0x103, "3.0(back)"),
    (0x107, "4.0"), (0x33, "quad"), (0x603, "quad(side)"), (0xF, "3.1"), (0x37, "5.0"),
    (0x607, "5.0(side)"), (0x10F, "4.1"), (0x3F, "5.1"), (0x60F, "5.1(side)"), (0x707, "6.0"),
    (0x13F, "6.1(back)"), (0x70F, "6.1"), (0x637, "7.0"), (0x63F, "7.1"), (0xFF, "7.1(wide)"),
  ]

  /// The layouts that have a name, in the order of the WAVE mask. The usual layout of a channel count
  /// comes before the others.
  package static let named: [ChannelLayout] = {
    let usual: [UInt32] = [0x4, 0x3, 0x7, 0x33, 0x37, 0x3F, 0x70F, 0x63F]
    let masks = usual + names.map(\.mask).filter { !usual.contains($0) }
    return masks.compactMap { ChannelLayout(mask: $0, channelCount: $0.nonzeroBitCount) }
  }()

  /// The name (`stereo`, `5.1(side)`), otherwise the speakers (`FL FR TC`), otherwise `6 channels`.
  public var description: String {
    guard let speakers else {
      return channelCount == 1 ? "1 channel" : "\(channelCount) channels"
    }
    if let known = Self.names.first(where: { $0.mask == mask }) { return known.name }
    return speakers.map(\.abbreviation).joined(separator: " ")
  }
}

/// A loudspeaker position that a channel is meant for.
///
/// The raw value is the bit number in the `dwChannelMask` of WAVE_FORMAT_EXTENSIBLE, so the cases
/// stand in the order in which WAV and FLAC interleave them.
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

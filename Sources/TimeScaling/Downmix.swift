public import AudioModel

/// How much each channel weighs when all are merged into one.
public enum Downmix: String, CaseIterable, Hashable, Sendable {
  /// All channels weigh the same.
  case mean
  /// The weights of Recommendation ITU-R BS.775.
  case itu

  /// The weight of each channel of a layout, none below 0; `nil` where the downmix has none for it.
  ///
  /// ITU-R BS.775-3, annex 4, table 2, mixes three front and two surround channels into one as
  ///
  ///     C' = 0.7071 L + 0.7071 R + 1.0000 C + 0.5000 LS + 0.5000 RS
  ///
  /// A single surround channel stands for both, each at 0.7071, and so weighs 0.7071 itself. The
  /// low-frequency effects are left out: the Recommendation makes their reproduction optional. The weights
  /// are not normalized here; ``ChannelMerger`` divides by their sum, so that nothing can clip.
  ///
  /// The layouts are those of the Recommendation: one to three front channels with none, one or two
  /// surrounds, at the sides or the back, with or without low-frequency effects.
  public func weights(for layout: ChannelLayout) -> [Double]? {
    switch self {
    case .mean: return Array(repeating: 1, count: layout.channelCount)
    case .itu:
      guard let speakers = layout.speakers, Self.isInRecommendation(speakers) else { return nil }
      return speakers.map(Self.weight)
    }
  }

  private static func isInRecommendation(_ speakers: [Speaker]) -> Bool {
    let main = Set(speakers).subtracting([.lowFrequency])
    if main == [.frontCenter] { return true }
    guard main.isSuperset(of: [.frontLeft, .frontRight]) else { return false }
    let surrounds = main.subtracting([.frontLeft, .frontRight, .frontCenter])
    return [[], [.backCenter], [.backLeft, .backRight], [.sideLeft, .sideRight]].contains(surrounds)
  }

  private static func weight(of speaker: Speaker) -> Double {
    switch speaker {
    case .frontCenter: 1
    case .frontLeft, .frontRight, .backCenter: 0.5.squareRoot()
    case .backLeft, .backRight, .sideLeft, .sideRight: 0.5
    default: 0
    }
  }
}

public import AudioModel

/// The channel weights of a downmix to mono.
public enum Downmix: String, CaseIterable, Hashable, Sendable {
  /// Equal weights.
  case mean
  /// The weights of Recommendation ITU-R BS.775.
  case itu

  /// The weight of each channel of a layout, at least 0; `nil` if the downmix does not define the layout.
  ///
  /// ITU-R BS.775-3, annex 4, table 2, mixes three front and two surround channels into one as
  ///
  ///     C' = 0.7071 L + 0.7071 R + 1.0000 C + 0.5000 LS + 0.5000 RS
  ///
  /// A single surround channel replaces both, each at 0.7071, so its weight is 0.7071. Low-frequency effects
  /// have weight 0, since the Recommendation makes their reproduction optional. The weights are not
  /// normalized; ``ChannelMerger`` divides by their sum, so the result cannot clip.
  ///
  /// The layouts are those of the Recommendation: one to three front channels with no, one or two surround
  /// channels, at the sides or the back, with or without low-frequency effects.
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

/// Merges the channels of a frame to their weighted mean, rounded to nearest, ties to even.
public struct ChannelMerger<Sample: PCMSample>: Sendable {
  /// The number of input channels, at least 1.
  public let channelCount: Int
  private let weights: [Double]
  private let sumOfWeights: Double

  /// A merger of channels with equal weights.
  public init(channelCount: Int) {
    self.init(weights: Array(repeating: 1, count: max(1, channelCount)))
  }

  /// A merger of one channel for each weight, at least 0. If all weights are 0, or one is negative, the
  /// weights are equal.
  ///
  /// A frame becomes Σ weight × sample / Σ weight, which never exceeds its loudest sample.
  public init(weights: [Double]) {
    let usable = weights.filter { $0 >= 0 }.count == weights.count && weights.contains { $0 > 0 }
    self.weights = usable ? weights : Array(repeating: 1, count: max(1, weights.count))
    channelCount = self.weights.count
    sumOfWeights = self.weights.reduce(0, +)
  }

  /// Replaces the first samples of `frames`, which is interleaved, with the mean of each frame.
  @specialized(where Sample == Int8)
  @specialized(where Sample == Int16)
  @specialized(where Sample == Int24)
  @specialized(where Sample == Int32)
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  public func merge(_ frames: inout MutableSpan<Sample>) {
    let count = frames.count / channelCount
    let weights = weights
    for frame in 0..<count {
      var sum = 0.0
      for channel in 0..<channelCount {
        sum += weights[channel] * frames[frame * channelCount + channel].doubleValue
      }
      frames[frame] = Sample(nearest: sum / sumOfWeights)
    }
  }
}

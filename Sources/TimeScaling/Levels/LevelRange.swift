public import AudioModel

/// The range of values, with a full scale of 1, that a format can store without clamping.
public struct LevelRange: Hashable, Sendable {
  /// The lowest and highest value, with room for dither noise.
  public let limits: ClosedRange<Double>
  /// True if full scale itself is out of range, as for integers: the maximum of `n` bits is 1 - 2^(1-n).
  private let lacksFullScale: Bool

  /// The range of a storage format. Triangular noise needs one step on either side. Lossy codecs (`nil`) have
  /// the range of 16 bits. Floating point has -1 to 1, although it can store more.
  public init(of format: SampleFormat?, dither: Dither = .none) {
    lacksFullScale = format?.isFloat != true
    if lacksFullScale {
      let step = 1 / Double(UInt64(1) << UInt64((format ?? .int16).bitDepth - 1))
      let noise = dither == .none ? 0 : step
      limits = -1 + noise...1 - step - noise
    } else {
      limits = -1...1
    }
  }

  /// True if samples with these peaks would clip.
  public func isExceeded(by peaks: PeakMeter) -> Bool {
    peaks.lowest < -1 || peaks.highest > 1 || lacksFullScale && peaks.highest == 1
  }

  /// The highest gain, at most `most`, that keeps samples with these peaks within ``limits``.
  public func gain(for peaks: PeakMeter, atMost most: Double) -> Double {
    var gain = min(most, .greatestFiniteMagnitude)
    if peaks.highest > 0 { gain = min(gain, limits.upperBound / peaks.highest) }
    if peaks.lowest < 0 { gain = min(gain, limits.lowerBound / peaks.lowest) }
    // The quotient may have been rounded up.
    while peaks.highest * gain > limits.upperBound || peaks.lowest * gain < limits.lowerBound {
      gain = gain.nextDown
    }
    return gain
  }
}

/// The highest and lowest of the samples measured.
public struct PeakMeter: Hashable, Sendable {
  /// The highest value, at least 0.
  public private(set) var highest = 0.0
  /// The lowest value, at most 0.
  public private(set) var lowest = 0.0

  /// A meter without samples.
  public init() {}

  /// The greatest magnitude.
  public var peak: Double { max(highest, -lowest) }

  /// Adds what another meter measured.
  package mutating func add(_ other: PeakMeter) {
    (highest, lowest) = (max(highest, other.highest), min(lowest, other.lowest))
  }

  /// The peaks of the same samples, times a gain above 0.
  package func times(_ gain: Double) -> PeakMeter {
    var scaled = PeakMeter()
    (scaled.highest, scaled.lowest) = (highest * gain, lowest * gain)
    return scaled
  }

  /// Measures samples of any channels. NaN is ignored.
  public mutating func measure(_ samples: Span<Double>) {
    var (highest, lowest) = (highest, lowest)
    for i in 0..<samples.count {
      // `max(highest, samples[i])` would keep NaN.
      if samples[i] > highest { highest = samples[i] }
      if samples[i] < lowest { lowest = samples[i] }
    }
    (self.highest, self.lowest) = (highest, lowest)
  }
}

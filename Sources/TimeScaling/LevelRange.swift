public import AudioModel

/// The values, with a full scale of 1, that can be stored without being clamped.
public struct LevelRange: Hashable, Sendable {
  /// The least and the greatest value that stay within the range, noise included.
  public let limits: ClosedRange<Double>
  /// Whether full scale itself is too much, as for integers: the greatest of `n` bits is 1 - 2^(1-n).
  private let lacksFullScale: Bool

  /// The range of samples stored so; triangular noise needs a step on either side. Lossy codecs (`nil`)
  /// get the range of 16 bits, floating point that from -1 to 1, though it holds more.
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

  /// Whether samples with such peaks would be clipped, were they stored as they are.
  public func isExceeded(by peaks: PeakMeter) -> Bool {
    peaks.lowest < -1 || peaks.highest > 1 || lacksFullScale && peaks.highest == 1
  }

  /// The greatest factor up to `most` that keeps samples with such peaks within the limits.
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

internal import AudioModel

/// Levels of audio over time: one value in dB for each segment of equal length.
public struct Levels: Hashable, Sendable {
  /// The levels in dB, ``noiseFloor`` to 0, in the order of time.
  public let values: [Double]
  /// The lowest level, below 0 dB, to which quieter values are raised.
  public let noiseFloor: Double
  /// The number of frames per value, at least 1.
  public let framesPerValue: Int

  /// Levels of these values, which are clamped to the range from `noiseFloor` to 0.
  public init(values: [Double], noiseFloor: Double, framesPerValue: Int) {
    self.values = values.map { $0 >= noiseFloor ? min($0, 0) : noiseFloor }
    self.noiseFloor = noiseFloor
    self.framesPerValue = max(1, framesPerValue)
  }

  /// The loudest value; the noise floor if there is none.
  public var loudest: Double { values.max() ?? noiseFloor }

  /// The height of each value, from 0 at the noise floor to 1 at `loudest`. All are 0 if `loudest` does not
  /// exceed the noise floor.
  public func heights(loudest: Double) -> [Double] {
    let range = loudest - noiseFloor
    guard range > 0 else { return Array(repeating: 0, count: values.count) }
    return values.map { min(1, max(0, ($0 - noiseFloor) / range)) }
  }
}

/// Computes the levels of one channel, block by block.
///
/// The magnitude of each sample is converted to decibels of 16-bit full scale, `20 * log10(|s| / 32767)`, and
/// clamped to the range from the noise floor to 0. A ``Decimator`` then reduces the decibels.
public struct LevelReducer: LaneReducer, Hashable {
  /// The default noise floor, in dB.
  public static let defaultNoiseFloor = -70.0

  private var decimator: Decimator
  private let noiseFloor: Double
  /// The level of each magnitude, 0 to 32768, in dB.
  private let decibels: [Double]

  /// A reduction of `frameCount` samples to `count` levels; `noiseFloor` is in dB, below 0.
  public init(
    frameCount: Int, count: Int, noiseFloor: Double = defaultNoiseFloor,
    method: Decimator.Method = .mean
  ) {
    decimator = Decimator(total: frameCount, count: count, method: method)
    self.noiseFloor = noiseFloor
    decibels = (0...32768).map { (magnitude: Int) -> Double in
      if magnitude == 0 { return noiseFloor }
      let level = (Double(magnitude) / 32767).decibels
      return min(0, max(noiseFloor, level))
    }
  }

  /// Appends the next samples of the channel.
  public mutating func append(_ samples: Span<Int16>) {
    let decibels = decibels
    let table = decibels.span
    decimator.append(count: samples.count) { table[Int(samples[$0].magnitude)] }
  }

  /// The levels of the samples so far.
  public var levels: Levels {
    Levels(
      values: decimator.values, noiseFloor: noiseFloor, framesPerValue: decimator.groupSize)
  }

  /// ``levels`` as the content of a lane.
  public var content: LaneContent { .levels(levels) }
}

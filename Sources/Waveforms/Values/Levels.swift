internal import AudioModel

/// How loud audio is over time: one value in dB for each stretch of equal length.
public struct Levels: Hashable, Sendable {
  /// The levels in dB, from ``noiseFloor`` to 0, in the order of time.
  public let values: [Double]
  /// The level, below 0 dB, to which everything quieter is raised.
  public let noiseFloor: Double
  /// Frames that each value stands for, at least 1.
  public let framesPerValue: Int

  /// Levels that were worked out already; those beyond the range from `noiseFloor` to 0 are clipped.
  public init(values: [Double], noiseFloor: Double, framesPerValue: Int) {
    self.values = values.map { $0 >= noiseFloor ? min($0, 0) : noiseFloor }
    self.noiseFloor = noiseFloor
    self.framesPerValue = max(1, framesPerValue)
  }

  /// The loudest value; the noise floor where there is none.
  public var loudest: Double { values.max() ?? noiseFloor }

  /// How high each value stands, from 0 at the noise floor to 1 at `loudest`: all 0 where that is no
  /// louder than the noise floor.
  public func heights(loudest: Double) -> [Double] {
    let range = loudest - noiseFloor
    guard range > 0 else { return Array(repeating: 0, count: values.count) }
    return values.map { min(1, max(0, ($0 - noiseFloor) / range)) }
  }
}

/// Works out the levels of one channel from its samples, block by block.
///
/// Each sample's magnitude is taken in decibels of 16-bit full scale, `20 * log10(|s| / 32767)`, and clipped to
/// the range from the noise floor to 0; the decibels are then reduced by a ``Decimator``.
public struct LevelReducer: LaneReducer, Hashable {
  /// The level that is drawn as nothing unless another is chosen, in dB.
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
    decibels = (0...32768).map { magnitude in
      magnitude == 0
        ? noiseFloor : min(0, max(noiseFloor, (Double(magnitude) / 32767).decibels))
    }
  }

  /// Takes the next samples of the channel.
  public mutating func append(_ samples: Span<Int16>) {
    let decibels = decibels
    let table = decibels.span
    decimator.append(count: samples.count) { table[Int(samples[$0].magnitude)] }
  }

  /// The levels of all samples taken.
  public var levels: Levels {
    Levels(
      values: decimator.values, noiseFloor: noiseFloor, framesPerValue: decimator.groupSize)
  }

  /// ``levels``, as a lane shows them.
  public var content: LaneContent { .levels(levels) }
}

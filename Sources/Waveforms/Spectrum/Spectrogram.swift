/// How loud audio is over time and frequency.
public struct Spectrogram: Hashable, Sendable {
  /// Levels in dB, those of a moment together, from the lowest frequency up; 0 dB is a sine of full scale.
  public let values: [Float]
  /// The moments, evenly spaced over the frames.
  public let columnCount: Int
  /// The bands of frequency, of equal width from 0 Hz to half the sample rate.
  public let rowCount: Int
  /// Half the sample rate, in Hz.
  public let highestFrequency: Double
  /// The level that is drawn as nothing, in dB.
  public let noiseFloor: Double

  /// Levels that were worked out already; what `values` lacks of `columnCount * rowCount` is silent.
  public init(
    values: [Float], columnCount: Int, rowCount: Int, highestFrequency: Double, noiseFloor: Double
  ) {
    let count = max(0, columnCount) * max(1, rowCount)
    let missing = max(0, count - values.count)
    self.values = values.prefix(count) + Array(repeating: Float(noiseFloor), count: missing)
    self.columnCount = max(0, columnCount)
    self.rowCount = max(1, rowCount)
    self.highestFrequency = highestFrequency
    self.noiseFloor = noiseFloor
  }

  /// The level of a moment and a band, in dB.
  public func level(column: Int, row: Int) -> Double { Double(values[column * rowCount + row]) }

  /// The loudest level in dB; the noise floor where there is none.
  public var loudest: Double { values.max().map { max(noiseFloor, Double($0)) } ?? noiseFloor }
}

internal import AudioModel

/// The places of an axis of levels that are labeled.
public struct LevelTicks: Hashable, Sendable {
  /// A place on the axis.
  public struct Tick: Hashable, Sendable {
    /// How far from the middle of the lane it is, from 0 to 1 at its edge.
    public let height: Double
    /// What is written there, in dB: `-12`.
    public let label: String
  }

  /// The places, from the edge of the lane to its middle.
  public let ticks: [Tick]

  /// The axis of ``Levels``, from `loudest` at the edge to `floor` in the middle, in dB, with labels at least
  /// `gap` of the half lane apart.
  public init(loudest: Double, floor: Double, gap: Double) {
    let range = loudest - floor
    guard range > 0, gap > 0, gap < 1 else {
      ticks = [Tick(height: 0, label: Self.text(floor))]
      return
    }
    let steps: [Double] = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500]
    let step = steps.first { $0 / range >= gap } ?? range
    var ticks: [Tick] = []
    var level = (loudest / step).rounded(.down) * step
    while (level - floor) / range >= gap {
      ticks.append(Tick(height: (level - floor) / range, label: Self.text(level)))
      level -= step
    }
    self.ticks = ticks + [Tick(height: 0, label: Self.text(floor))]
  }

  /// The axis of ``Peaks``: full scale at the edge, halved level by level, silence in the middle.
  public init(peaksWithGap gap: Double) {
    var ticks: [Tick] = []
    var decibels = 0.0
    // Six dB are nearly half.
    while decibels > -30 {
      let height = Double(decibels: decibels)
      guard height >= gap, ticks.last.map({ $0.height - height >= gap }) ?? true else { break }
      ticks.append(Tick(height: height, label: Self.text(decibels)))
      decibels -= 6
    }
    self.ticks = ticks + [Tick(height: 0, label: "\u{2212}∞")]
  }

  private static func text(_ decibels: Double) -> String {
    DecimalText.text(decibels, mostDecimals: 1).replacing("-", with: "\u{2212}")
  }
}

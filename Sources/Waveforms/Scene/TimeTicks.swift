/// The places of an axis of time that are labeled, and what is written there.
public struct TimeTicks: Hashable, Sendable {
  /// A place on the axis.
  public struct Tick: Hashable, Sendable {
    /// The moment, in seconds.
    public let seconds: Double
    /// What is written there: `1:30`, `250 ms`.
    public let label: String
  }

  /// The places, in the order of time.
  public let ticks: [Tick]
  /// From one to the next, in seconds.
  public let step: Double

  /// The steps that people count time in, in nanoseconds: 1, 2 and 5 of a power of ten up to 10 s, then
  /// parts of minutes, hours and days.
  private static let steps: [Int] = {
    let decimal = (0...9).flatMap { power in
      [1, 2, 5].map { $0 * (0..<power).reduce(1) { product, _ in product * 10 } }
    }
    let seconds = [
      10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
      172_800, 432_000, 864_000, 1_728_000, 4_320_000, 8_640_000, 36_000_000,
    ]
    return decimal + seconds.map { $0 * 1_000_000_000 }
  }()

  /// The closest ticks from `start` to `end` seconds whose labels `fit`, which is told the step in seconds
  /// and the labels.
  public init(
    from start: Double, to end: Double, fitting fit: (_ step: Double, _ labels: [String]) -> Bool
  ) {
    let range = max(0, end - start)
    // Beyond a few thousand ticks nothing fits, and labels need not be made to see that.
    for step in Self.steps where range * 1e9 / Double(step) < 4000 {
      let ticks = Self.ticks(from: start, to: end, step: step)
      if fit(Double(step) / 1e9, ticks.map(\.label)) {
        self.ticks = ticks
        self.step = Double(step) / 1e9
        return
      }
    }
    (ticks, step) = ([], range)
  }

  private static func ticks(from start: Double, to end: Double, step: Int) -> [Tick] {
    let unit = Double(step) / 1e9
    // Past a double's exact integers there is nothing to label.
    guard end / unit < 0x1p53, start >= 0 else { return [] }
    let first = Int((start / unit - 1e-9).rounded(.up))
    let last = Int((end / unit + 1e-9).rounded(.down))
    guard first <= last else { return [] }
    return (first...last).compactMap { index in
      let (nanoseconds, overflows) = index.multipliedReportingOverflow(by: step)
      if overflows { return nil }
      return Tick(
        seconds: Double(nanoseconds) / 1e9, label: label(nanoseconds, step: step, end: end))
    }
  }

  /// A moment in the unit that suits the whole axis, with the decimals that its step needs.
  private static func label(_ nanoseconds: Int, step: Int, end: Double) -> String {
    if nanoseconds == 0 && end < 1 { return "0" }
    if end < 0.001 { return inUnit(nanoseconds, step, unit: 1000, name: "µs") }
    if end < 1 { return inUnit(nanoseconds, step, unit: 1_000_000, name: "ms") }
    let whole = ClockText.clock(nanoseconds / 1_000_000_000, withHours: end >= 3600)
    let decimals = decimals(of: step, unit: 1_000_000_000)
    let fraction = DecimalText.fixed(
      Double(nanoseconds % 1_000_000_000) / 1e9, decimals: decimals)
    return whole + fraction.dropFirst()
  }

  private static func inUnit(_ nanoseconds: Int, _ step: Int, unit: Int, name: String) -> String {
    DecimalText.fixed(
      Double(nanoseconds) / Double(unit), decimals: decimals(of: step, unit: unit)) + " " + name
  }

  /// The decimals that multiples of a step have in a unit.
  private static func decimals(of step: Int, unit: Int) -> Int {
    var (rest, decimals) = (step % unit, 0)
    while rest != 0 {
      rest = rest * 10 % unit
      decimals += 1
    }
    return decimals
  }
}

internal import AudioModel

/// The ticks of a time axis.
public struct TimeTicks: Hashable, Sendable {
  /// A position on the axis.
  public struct Tick: Hashable, Sendable {
    /// The time, in seconds.
    public let seconds: Double
    /// The label: `1:30`, `250 ms`.
    public let label: String
  }

  /// The ticks, in the order of time.
  public let ticks: [Tick]
  /// The distance between ticks, in seconds.
  public let step: Double

  /// Round steps, in nanoseconds: 1, 2 and 5 times powers of ten up to 10 s, then parts of minutes, hours
  /// and days.
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

  /// The closest ticks from `start` to `end` seconds for which `fit` returns `true`. It gets the step in
  /// seconds and the labels.
  public init(
    from start: Double, to end: Double, fitting fit: (_ step: Double, _ labels: [String]) -> Bool
  ) {
    let range = max(0, end - start)
    // More than a few thousand ticks never fit; skipping them avoids creating their labels.
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

  /// The end of an axis from `start` to `end` seconds with ticks `step` seconds apart. It has enough decimals to
  /// distinguish it from times that are 1/200 of the axis away; `nil` for an empty axis.
  public static func end(from start: Double, to end: Double, step: Double) -> Tick? {
    guard end > start, end < 1e9 else { return nil }
    let range = end - start
    var unit = 1_000_000_000
    while unit > 1 && Double(unit) > step * 1e9 * (1 + 1e-9) { unit /= 10 }
    // The steps 2 and 5 times a power of ten have the decimals of that power; 15 and 25 do not occur below a second.
    while true {
      let whole = (end * 1e9 / Double(unit)).rounded()
      if abs(whole * Double(unit) / 1e9 - end) <= range / 400 || unit == 1 {
        guard let nanoseconds = Int(exactly: whole * Double(unit)) else { return nil }
        return Tick(seconds: end, label: label(nanoseconds, step: unit, end: end))
      }
      unit /= 10
    }
  }

  private static func ticks(from start: Double, to end: Double, step: Int) -> [Tick] {
    let unit = Double(step) / 1e9
    // Above the exact integers of `Double` there are no labels.
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

  /// A time in the unit of the whole axis, with the decimals that the step needs.
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

  /// The number of decimals of a step in a unit.
  private static func decimals(of step: Int, unit: Int) -> Int {
    var (rest, decimals) = (step % unit, 0)
    while rest != 0 {
      rest = rest * 10 % unit
      decimals += 1
    }
    return decimals
  }
}

/// The ticks of a level axis.
public struct LevelTicks: Hashable, Sendable {
  /// A position on the axis.
  public struct Tick: Hashable, Sendable {
    /// The distance from the middle of the lane (0) to its edge (1).
    public let height: Double
    /// The label in dB: `-12`.
    public let label: String
  }

  /// The ticks, from the edge of the lane to its middle.
  public let ticks: [Tick]
  /// True if the labels are values, which are negative below the middle, instead of dB.
  public var isLinear = false

  /// The label of a tick on the lower half of the lane.
  func lowerLabel(of tick: Tick) -> String {
    isLinear && tick.height > 0 ? "\u{2212}" + tick.label : tick.label
  }

  /// The axis of single samples as fractions of full scale, from the magnitude `top` at the edge to 0.
  public init(samplesWithGap gap: Double, top: Double = 1) {
    isLinear = true
    let steps = (0...5).reversed().flatMap { power -> [Double] in
      let unit = (0..<power).reduce(1.0) { product, _ in product * 10 }
      return [1, 2, 5].map { $0 / unit }
    }
    let step = steps.first { $0 / top >= gap } ?? top
    let count = Int((top / step + 1e-9).rounded(.down))
    ticks = (0...max(0, min(count, 1000))).reversed().map {
      Tick(
        height: Double($0) * step / top,
        label: DecimalText.text(Double($0) * step, maximumDecimals: 6))
    }
  }

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

  /// The axis of ``Peaks``: the magnitude `top` at the edge, steps of 6 dB from full scale, and silence in the
  /// middle.
  public init(peaksWithGap gap: Double, top: Double = 1) {
    var ticks: [Tick] = []
    // 6 dB are nearly a factor of two.
    var decibels = (min(0, top.decibels + 1e-9) / 6).rounded(.down) * 6
    let lowest = max(decibels - 30, -120)
    while decibels > lowest {
      let height = Double(decibels: decibels) / top
      guard height >= gap, ticks.last.map({ $0.height - height >= gap }) ?? true else { break }
      ticks.append(Tick(height: height, label: Self.text(decibels)))
      decibels -= 6
    }
    self.ticks = ticks + [Tick(height: 0, label: "\u{2212}∞")]
  }

  private static func text(_ decibels: Double) -> String {
    DecimalText.text(decibels, maximumDecimals: 1).replacing("-", with: "\u{2212}")
  }
}

/// The ticks of a frequency axis.
struct FrequencyTicks: Hashable {
  struct Tick: Hashable {
    /// The position from the bottom of the lane (0) to its top (1).
    let height: Double
    /// The frequency in ``FrequencyTicks/unit``.
    let label: String
  }

  let ticks: [Tick]
  /// `Hz` or `kHz`.
  let unit: String

  /// The axis of a scale up to `highest`, with labels at least `gap` of the lane apart.
  init(highest: Double, gap: Double, scale: FrequencyScale = .linear) {
    guard scale == .linear else {
      unit = "Hz"
      ticks = Self.ticks(scale, highest: highest, gap: gap)
      return
    }
    let divisor = highest >= 2000 ? 1000.0 : 1
    unit = divisor == 1 ? "Hz" : "kHz"
    guard highest > 0, gap > 0 else {
      ticks = []
      return
    }
    let steps = (-1...6).flatMap { power -> [Double] in
      let unit = (0..<abs(power)).reduce(1.0) { product, _ in product * 10 }
      return [1, 2, 5].map { power < 0 ? $0 / unit : $0 * unit }
    }
    let step = steps.first { $0 / highest >= gap } ?? highest
    ticks = (0...Int(highest / step)).map { index in
      let frequency = Double(index) * step
      return Tick(
        height: frequency / highest,
        label: DecimalText.text(frequency / divisor, maximumDecimals: 3))
    }
  }
}

extension FrequencyTicks {
  /// Frequencies with few digits: powers of ten first, then 5 times, then 2 times powers of ten.
  private static func ticks(
    _ scale: FrequencyScale, highest: Double, gap: Double
  ) -> [Tick] {
    guard highest > 0, gap > 0 else { return [] }
    var placed: [(frequency: Double, height: Double)] = []
    func place(_ frequency: Double) {
      let height = scale.height(of: frequency, highest: highest)
      guard height >= -1e-9, height <= 1 + 1e-9,
        placed.allSatisfy({ abs($0.height - height) >= gap })
      else { return }
      placed.append((frequency, height))
    }
    if scale == .mel { place(0) }
    for digit in [1.0, 5, 2] {
      for power in [1.0, 10, 100, 1000, 10_000, 100_000] { place(digit * power) }
    }
    return placed.sorted { $0.height < $1.height }.map {
      let isKilo = $0.frequency >= 1000
      let text = DecimalText.text($0.frequency / (isKilo ? 1000 : 1), maximumDecimals: 1)
      return Tick(height: $0.height, label: isKilo ? text + "k" : text)
    }
  }
}

/// The range of levels that colors represent.
struct SpectrumRange: Hashable {
  /// The lowest and the highest level, in dB.
  let floor, top: Double

  /// The range of all spectrograms in a scene; `nil` if there are none.
  init?(_ scene: WaveformScene) {
    let all = scene.tracks.flatMap(\.lanes).compactMap { lane in
      if case .spectrum(let spectrogram) = lane { spectrogram } else { nil }
    }
    guard let floor = all.map(\.noiseFloor).min(), let loudest = all.map(\.loudest).max() else {
      return nil
    }
    self.floor = floor
    top = max((loudest / 10 - 1e-6).rounded(.up) * 10, floor + 10)
  }

  /// The position of a level, from 0 at the floor to 1 at the top.
  func place(of level: Double) -> Double { (level - floor) / (top - floor) }

  /// The levels of the ticks in dB, at least `gap` of the range apart.
  func ticks(gap: Double) -> [Double] {
    let range = top - floor
    let step = [10.0, 20, 50, 100].first { $0 / range >= gap } ?? range
    return Array(stride(from: top, through: floor - 1e-6, by: -step))
  }
}

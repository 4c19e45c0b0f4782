/// The places of an axis of frequency that are labeled.
struct FrequencyTicks: Hashable {
  struct Tick: Hashable {
    /// From 0 at the bottom of the lane to 1 at its top.
    let height: Double
    /// A number in ``FrequencyTicks/unit``.
    let label: String
  }

  let ticks: [Tick]
  /// `Hz` or `kHz`.
  let unit: String

  /// The axis from 0 Hz to `highest`, with labels at least `gap` of the lane apart.
  init(highest: Double, gap: Double) {
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
        label: DecimalText.text(frequency / divisor, mostDecimals: 3))
    }
  }
}

/// The range of levels that colors stand for.
struct SpectrumRange: Hashable {
  /// In dB.
  let floor, top: Double

  /// That of the spectrograms of a scene; `nil` where there are none.
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

  /// Where a level stands, from 0 at the floor to 1 at the top.
  func place(of level: Double) -> Double { (level - floor) / (top - floor) }

  /// The levels that are labeled, at least `gap` of the range apart, in dB.
  func ticks(gap: Double) -> [Double] {
    let range = top - floor
    let step = [10.0, 20, 50, 100].first { $0 / range >= gap } ?? range
    return Array(stride(from: top, through: floor - 1e-6, by: -step))
  }
}

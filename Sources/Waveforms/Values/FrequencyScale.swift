import Glibc

/// How frequencies are scaled over the height of a spectrogram.
public enum FrequencyScale: String, CaseIterable, Hashable, Sendable {
  /// Equal distances for equal differences, starting at 0 Hz.
  case linear
  /// Equal distances for equal ratios, starting at 20 Hz: all octaves have the same height.
  case log
  /// Mel: 2595 log10(1 + f / 700), nearly linear up to 1 kHz and logarithmic above, starting at 0 Hz.
  case mel

  /// The lowest frequency shown below `highest`, in Hz.
  func lowest(below highest: Double) -> Double {
    self == .log ? min(20, highest / 10) : 0
  }

  /// The frequency in Hz at a height from 0 at the bottom to 1 at the top, where it is `highest`.
  package func frequency(at height: Double, highest: Double) -> Double {
    switch self {
    case .linear: return height * highest
    case .log:
      let lowest = lowest(below: highest)
      return lowest * pow(highest / lowest, height)
    case .mel: return 700 * (pow(1 + highest / 700, height) - 1)
    }
  }

  /// The height of a frequency in Hz; below 0 or above 1 if it is not shown.
  func height(of frequency: Double, highest: Double) -> Double {
    switch self {
    case .linear: return frequency / highest
    case .log:
      let lowest = lowest(below: highest)
      guard frequency > 0 else { return -1 }
      return naturalLogarithm(frequency / lowest) / naturalLogarithm(highest / lowest)
    case .mel: return naturalLogarithm(1 + frequency / 700) / naturalLogarithm(1 + highest / 700)
    }
  }
}

/// The natural logarithm, whose name a case of ``FrequencyScale`` hides.
private func naturalLogarithm(_ value: Double) -> Double { log(value) }

/// The bins of a transform in each row of a spectrogram.
struct FrequencyBands: Hashable {
  /// One row.
  enum Row: Hashable {
    /// The loudest of these bins.
    case loudest(ClosedRange<Int>)
    /// Between a bin and the next, at a share of their distance.
    case between(Int, share: Double)
  }

  /// The frequency at the top, in Hz.
  let highest: Double
  let rows: [Row]

  /// The rows of a scale up to `highest` for a transform whose `lastBin` is at half the sample rate.
  init(_ scale: FrequencyScale, rowCount: Int, lastBin: Int, nyquist: Double, highest: Double) {
    self.highest = highest
    let binsPerHertz = Double(lastBin) / nyquist
    func edge(_ row: Int) -> Double {
      let place = scale.frequency(at: Double(row) / Double(rowCount), highest: highest)
      let bin = place * binsPerHertz
      // Whole numbers are exact despite the division.
      return (bin - bin.rounded()).magnitude < 1e-9 * Double(lastBin) ? bin.rounded() : bin
    }
    rows = (0..<rowCount).map { row in
      let (low, high) = (edge(row), edge(row + 1))
      let lower = min(lastBin, Int(low.rounded(.up)))
      let upper = row == rowCount - 1 ? Int(high) : Int(high.rounded(.up)) - 1
      if lower <= min(upper, lastBin) { return .loudest(lower...min(upper, lastBin)) }
      let middle = min(Double(lastBin), (low + high) / 2)
      if scale == .linear {
        let nearest = min(lastBin, Int((middle + 0.5).rounded(.down)))
        return .loudest(nearest...nearest)
      }
      let bin = min(Int(middle), lastBin - 1)
      return .between(bin, share: middle - Double(bin))
    }
  }
}

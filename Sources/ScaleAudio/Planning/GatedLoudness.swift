import Glibc

/// Integrated loudness by the gates of EBU R 128 over the blocks of several streams, as if they were one.
///
/// Blocks are counted by their loudness in steps of 0.01 LU, so that memory does not grow. Within a step, energies are exact.
struct GatedLoudness: Hashable, Sendable {
  private var counts = [Int](repeating: 0, count: steps)
  private var energies = [Double](repeating: 0, count: steps)

  /// The absolute gate, in LUFS, and the relative one, in LU below the mean of the blocks above it.
  private static let (gate, relativeGate) = (-70.0, -10.0)
  private static let stepsEach = 100.0
  private static let steps = 11_000

  /// Adds a block of 400 ms by its loudness in LUFS.
  mutating func add(_ loudness: Double) { add(1, loudness, Self.energy(loudness)) }

  /// Adds the blocks of another stream, at a gain in dB.
  mutating func add(_ other: GatedLoudness, decibels: Double = 0) {
    let factor = pow(10, decibels / 10)
    for step in 0..<Self.steps where other.counts[step] > 0 {
      let energy = other.energies[step] * factor
      add(other.counts[step], Self.loudness(energy / Double(other.counts[step])), energy)
    }
  }

  private mutating func add(_ count: Int, _ loudness: Double, _ energy: Double) {
    guard loudness >= Self.gate else { return }
    let step = min(Self.steps - 1, Int((loudness - Self.gate) * Self.stepsEach))
    counts[step] += count
    energies[step] += energy
  }

  /// LUFS; `nil` if nothing is above the absolute gate.
  var integrated: Double? {
    guard let mean = mean(from: 0) else { return nil }
    let gate = Self.loudness(mean) + Self.relativeGate
    let first = max(0, Int(((gate - Self.gate) * Self.stepsEach).rounded(.up)))
    return self.mean(from: first).map(Self.loudness)
  }

  private func mean(from first: Int) -> Double? {
    let count = counts[first...].reduce(0, +)
    return count > 0 ? energies[first...].reduce(0, +) / Double(count) : nil
  }

  /// The relation of Recommendation ITU-R BS.1770-5 between mean squares and loudness.
  private static func energy(_ loudness: Double) -> Double { pow(10, (loudness + 0.691) / 10) }
  private static func loudness(_ energy: Double) -> Double { 10 * log10(energy) - 0.691 }
}

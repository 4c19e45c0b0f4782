import Glibc

/// Integrated loudness by the gates of EBU R 128 over the blocks of several streams, as if they were one.
///
/// Blocks are counted by their loudness in steps of 0.01 LU, so that memory grows with the steps that occur, not with time. Within a
/// step, energies are exact.
struct GatedLoudness: Hashable, Sendable {
  /// The blocks of one step of loudness.
  private struct Step: Hashable {
    let number: Int32
    var count: Int32
    var energy: Double
  }

  /// The steps that have blocks, the quietest first.
  private var steps: [Step] = []

  /// The absolute gate, in LUFS, and the relative one, in LU below the mean of the blocks above it.
  private static let (gate, relativeGate) = (-70.0, -10.0)
  private static let stepsEach = 100.0
  private static let mostSteps = 11_000

  /// Adds a block of 400 ms by its loudness in LUFS.
  mutating func add(_ loudness: Double) { add(1, loudness, Self.energy(loudness)) }

  /// Adds the blocks of another stream, at a gain in dB.
  mutating func add(_ other: GatedLoudness, decibels: Double = 0) {
    let factor = pow(10, decibels / 10)
    for step in other.steps {
      let energy = step.energy * factor
      add(step.count, Self.loudness(energy / Double(step.count)), energy)
    }
  }

  private mutating func add(_ count: Int32, _ loudness: Double, _ energy: Double) {
    guard loudness >= Self.gate else { return }
    let number = Int32(min(Double(Self.mostSteps - 1), (loudness - Self.gate) * Self.stepsEach))
    let index = firstStep(from: number)
    if index < steps.count, steps[index].number == number {
      let sum = steps[index].count.addingReportingOverflow(count)
      // Beyond 27 years of sound, more blocks do not count.
      if sum.overflow { return }
      steps[index].count = sum.partialValue
      steps[index].energy += energy
    } else {
      steps.insert(Step(number: number, count: count, energy: energy), at: index)
    }
  }

  /// The index of the first step that has at least this number.
  private func firstStep(from number: Int32) -> Int {
    var (low, high) = (0, steps.count)
    while low < high {
      let middle = (low + high) / 2
      if steps[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// LUFS; `nil` if nothing is above the absolute gate.
  var integrated: Double? {
    guard let mean = mean(from: 0) else { return nil }
    let gate = Self.loudness(mean) + Self.relativeGate
    let first = min(
      Double(Self.mostSteps - 1), max(0, ((gate - Self.gate) * Self.stepsEach).rounded(.up)))
    return self.mean(from: Int32(first)).map(Self.loudness)
  }

  private func mean(from first: Int32) -> Double? {
    let loud = steps[firstStep(from: first)...]
    let count = loud.reduce(0) { $0 + Int($1.count) }
    return count > 0 ? loud.reduce(0) { $0 + $1.energy } / Double(count) : nil
  }

  /// The relation of Recommendation ITU-R BS.1770-5 between mean squares and loudness.
  private static func energy(_ loudness: Double) -> Double { pow(10, (loudness + 0.691) / 10) }
  private static func loudness(_ energy: Double) -> Double { 10 * log10(energy) - 0.691 }
}

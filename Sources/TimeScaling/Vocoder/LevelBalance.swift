/// The level of the output beside that of the source along the map.
///
/// Spectra do not show the level of an attack that moves within the windows. What complete output has too much or too
/// little of, over about two seconds, later attacks make up for. Frames without attacks keep their levels by
/// themselves.
struct LevelBalance {
  /// The gain of frames with attacks, within 1.6 dB.
  private(set) var gain: Float = 1
  private let hop: Int
  private let keeping: Double
  /// The energies of the source for hops of output that are not complete.
  private var expected: [(end: Int, energy: Double)] = []
  private var complete = 0.0
  private var (source, output) = (0.0, 0.0)

  private static let seconds = 2.0
  private static let gains: ClosedRange<Double> = 1 / 1.2...1.2

  init(hop: Int, sampleRate: Int) {
    self.hop = hop
    keeping = max(0, 1 - Double(hop) / (Self.seconds * Double(sampleRate)))
  }

  /// Takes the energy that the source has along the map in the hop of output before a frame.
  mutating func expect(before end: Int, energy: Double) { expected.append((end, energy)) }

  /// Takes the energy of complete output, block by block.
  mutating func complete(from start: Int, count: Int, energy: Double) {
    guard let next = expected.first, start >= next.end - hop else { return }
    complete += energy
    guard start + count >= next.end else { return }
    expected.removeFirst()
    source = keeping * source + next.energy
    output = keeping * output + complete
    complete = 0
    guard source > 1e-9, output > 1e-9 else {
      gain = 1
      return
    }
    // Attacks are a part of the sound, so the square root would leave most of the difference.
    let ratio = source / output
    gain = Float(min(max(ratio * ratio, Self.gains.lowerBound), Self.gains.upperBound))
  }
}

/// The level of the output beside that of the source along the map.
///
/// Spectra do not show the level of an attack that moves within the windows. What complete output has too much or too
/// little of, over about two seconds, later attacks make up for. Frames without attacks keep their levels by themselves.
struct LevelBalance {
  /// The gain of frames with attacks, within 1.6 dB.
  private(set) var gain: Float = 1
  private let hop: Int
  private let keeping: Double
  private var cursor = MapCursor()
  /// The energies of the source for hops of output that are not complete.
  private var expected: [(end: Int, energy: Double)] = []
  private var complete = 0.0
  private var (source, output) = (0.0, 0.0)

  private static let seconds = 2.0
  private static let gains: ClosedRange<Double> = 1 / 1.2...1.2
  /// The parts of a hop within which the map counts as straight.
  private static let parts = 8

  init(hop: Int, sampleRate: Int) {
    self.hop = hop
    keeping = max(0, 1 - Double(hop) / (Self.seconds * Double(sampleRate)))
  }

  /// Continues on another map, which lacks the first attacks of the last one.
  mutating func continueOnMap(droppingAttacks attacks: Int) {
    cursor.continueOnMap(droppingAttacks: attacks)
  }

  /// Takes the energy of the source for the hop of output before a frame.
  ///
  /// - Parameter mean: Gives the mean energy of source frames: from a frame on, and how many.
  mutating func expect(before end: Int, along map: StretchMap, mean: (Int, Int) -> Double) {
    // Before frame 0, windows are lacking.
    guard end >= hop else { return }
    var energy = 0.0
    var first = cursor.place(at: end - hop, on: map).source
    for part in 1...Self.parts {
      let next = cursor.place(at: end - hop + hop * part / Self.parts, on: map).source
      let start = Int(first.rounded())
      energy += mean(start, max(1, Int(next.rounded()) - start))
      first = next
    }
    expected.append((end, energy * Double(hop) / Double(Self.parts)))
  }

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

internal import AudioModel
internal import CEBUR128
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

/// The blocks of one stream for ``GatedLoudness``, and its true peaks, through libebur128.
final class BlockMeter {
  private(set) var blocks = GatedLoudness()
  private var state: UnsafeMutablePointer<ebur128_state>?
  private let channelCount: Int
  /// Frames of 100 ms, by which blocks follow each other; a block is four times as long.
  private let stepFrames: Int
  private var frameCount = 0

  /// `nil` for a rate or channels that libebur128 does not support.
  init?(_ spec: AudioSpec) {
    let mode = EBUR128_MODE_M.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
    guard
      let state = ebur128_init(
        UInt32(spec.channelCount), UInt(spec.sampleRate), Int32(bitPattern: mode))
    else { return nil }
    self.state = state
    channelCount = spec.channelCount
    stepFrames = (spec.sampleRate + 5) / 10
    LoudnessMeter.place(spec.layout, in: state)
  }

  deinit {
    // `deinit` also runs after a failed `init`.
    if state != nil { ebur128_destroy(&state) }
  }

  /// Measures the next frames, interleaved, with a full scale of 1.
  func add(_ samples: Span<Double>, frameCount count: Int) {
    samples.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress, let state else { return }
      var done = 0
      while done < count {
        let frames = min(count - done, stepFrames - frameCount % stepFrames)
        _ = ebur128_add_frames_double(state, base + done * channelCount, frames)
        done += frames
        frameCount += frames
        guard frameCount % stepFrames == 0, frameCount >= 4 * stepFrames else { continue }
        var loudness = 0.0
        if ebur128_loudness_momentary(state, &loudness) == 0, loudness.isFinite {
          blocks.add(loudness)
        }
      }
    }
  }

  /// The greatest magnitude between samples, over all channels; full scale is 1.
  var truePeak: Double? {
    guard let state else { return nil }
    var highest: Double?
    for channel in 0..<channelCount {
      var value = 0.0
      if ebur128_true_peak(state, UInt32(channel), &value) == 0, value.isFinite {
        highest = max(highest ?? 0, value)
      }
    }
    return highest
  }
}

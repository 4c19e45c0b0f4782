internal import CKernels

/// Finds attacks: places where energy rises in most of the spectrum at once.
///
/// Windows of about 12 ms step by a quarter. The mean positive rise of the logarithm of the energies over one window is
/// compared with 0.9 + 1.6 times the median around it, and the place is refined by the energy of the derivative.
final class AttackFinder {
  /// The places found so far, in frames of the source, in rising order.
  private(set) var attacks: [Int] = []

  private let channelCount: Int
  private let spectra: Spectra
  private var hop: Int { spectra.size / 4 }
  /// The last frames of every channel, in planes of one window, and how many of them are new.
  private var window: [Float]
  private var fresh = 0
  /// The hops completed.
  private var hops = 0
  private var real, imaginary, energies: [Float]
  /// The logarithms of the last four hops, one plane each.
  private var logs: [Float]
  private let floor: Float
  /// The rises around a hop, and the energies of the derivative in eighths of a hop; hop `h` is at `h % rises.count`.
  private var rises: [Double]
  private var steps: [Float]
  private var sorted: [Double]

  /// Hops on either side whose median counts.
  private static var reach: Int { 32 }
  /// Hops on either side that must not rise more.
  private static var neighbors: Int { 6 }
  /// Energy below -80 dB counts as that.
  private static var quietest: Float { 1e-8 }

  init(channelCount: Int, sampleRate: Int) throws(ScalingError) {
    self.channelCount = channelCount
    spectra = try Spectra(size: Spectra.size(nearest: 0.0116 * Double(sampleRate)))
    let bins = spectra.binCount
    window = Array(repeating: 0, count: channelCount * spectra.size)
    real = Array(repeating: 0, count: bins)
    imaginary = real
    energies = real
    floor = Self.quietest * 0.375 * Float(spectra.size) * Float(channelCount)
    logs = Array(repeating: 0, count: 4 * bins)
    rises = Array(repeating: 0, count: 2 * Self.reach + 1)
    steps = Array(repeating: 0, count: 8 * rises.count)
    sorted = rises
    for plane in 0..<4 { _ = rise(plane) }
  }

  /// Looks at the next frames, interleaved.
  func look(at input: Span<Double>, frameCount: Int) {
    let size = spectra.size
    for frame in 0..<frameCount {
      var step: Float = 0
      for channel in 0..<channelCount {
        let at = channel * size + size - hop + fresh
        window[at] = Float(audible: input[frame * channelCount + channel])
        let difference = window[at] - window[at - 1]
        step += difference * difference
      }
      let eighth = fresh * 8 / hop
      let place = hops % rises.count * 8 + eighth
      if fresh == 0 || (fresh - 1) * 8 / hop != eighth { steps[place] = 0 }
      steps[place] += step
      fresh += 1
      if fresh == hop { completeHop() }
    }
  }

  /// Looks at silence until nothing of the source is undecided.
  func finish() {
    let silence = [Double](repeating: 0, count: hop * channelCount)
    for _ in 0..<Self.reach + 5 { look(at: silence.span, frameCount: hop) }
  }

  private func completeHop() {
    for bin in energies.indices { energies[bin] = 0 }
    for channel in 0..<channelCount {
      window.withUnsafeBufferPointer { block in
        guard let start = block.baseAddress else { return }
        spectra.analyze(start + channel * spectra.size, real: &real, imaginary: &imaginary)
      }
      scaleaudio_phases_add_energies(real, imaginary, Int32(spectra.binCount), &energies)
    }
    rises[hops % rises.count] = rise(hops % 4)
    hops += 1
    decide(hops - 1 - Self.reach)
    // The window moves on by a hop.
    for channel in 0..<channelCount {
      let start = channel * spectra.size
      for index in start..<start + spectra.size - hop { window[index] = window[index + hop] }
    }
    fresh = 0
  }

  private func rise(_ plane: Int) -> Double {
    logs.withUnsafeMutableBufferPointer { logs in
      guard let start = logs.baseAddress else { return 0 }
      return scaleaudio_phases_rise(
        energies, Int32(spectra.binCount), floor, start + plane * spectra.binCount)
    }
  }

  /// Decides about a hop, when those around it are known.
  private func decide(_ hop: Int) {
    guard hop >= 0 else { return }
    let value = rises[hop % rises.count]
    guard value > 0.9 else { return }
    for near in max(0, hop - Self.neighbors)...hop + Self.neighbors where near != hop {
      let other = rises[near % rises.count]
      if other > value || (other == value && near < hop) { return }
    }
    for index in rises.indices { sorted[index] = rises[index] }
    sorted.sort()
    guard value > 0.9 + 1.6 * sorted[Self.reach] else { return }
    // The window ended with this hop, and the one compared with it three hops before.
    let eighths = max(0, hop - 4) * 8..<(hop + 1) * 8
    var loudest: Float = 0
    for eighth in eighths { loudest = max(loudest, steps[eighth % steps.count]) }
    guard loudest > 0,
      let first = eighths.first(where: { steps[$0 % steps.count] > 0.1 * loudest })
    else { return }
    let place = first * self.hop / 8
    if let last = attacks.last, place <= last + 4 * self.hop { return }
    attacks.append(place)
  }
}

extension Spectra {
  /// The power of two nearest to a number of frames, by ratio, within ``sizes``.
  static func size(nearest frames: Double) -> Int {
    var size = sizes.lowerBound
    while Double(size) * 2.0.squareRoot() < frames, size < sizes.upperBound / 4 { size *= 2 }
    return size
  }
}

extension Float {
  /// The nearest `Float` whose energies neither overflow nor become subnormal. NaN becomes silence.
  init(audible value: Double) {
    let (least, most) = (0x1p-40, 0x1p40)
    // The comparison is false for NaN.
    self = abs(value) >= least ? Float(min(max(value, -most), most)) : 0
  }
}

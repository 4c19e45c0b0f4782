internal import CKernels

/// Finds tracks: channels, or groups of them, that have little or nothing in common with the others throughout a source,
/// such as several recordings in one file.
///
/// Two channels belong to one track if enough of their energy is alike, or if they are correlated as a whole. Energy is
/// alike where bins keep their phase and level beside each other for a second, as those of one sound do in both channels,
/// later or louder in one. Channels count as one track until all of the source is known to differ.
final class TrackFinder {
  private let channelCount: Int
  private let spectra: Spectra
  /// The frames of a window of every channel, in planes, and how many are there.
  private let window: UnsafeMutablePointer<Float>
  private var filled = 0
  /// The spectra of a window, real and imaginary parts of each channel.
  private let real, imaginary: UnsafeMutablePointer<Float>
  /// The bins that are compared, of many channels only the lower ones; and the distance between planes of all bins.
  private let bins, plane: Int
  /// Sums over the windows of a period: the energies of each channel, and the products of each pair with the conjugate.
  private let energies, products: UnsafeMutablePointer<Float>
  /// Pairs of channels that are not known to belong together.
  private var pairs: [Pair]
  /// The track of each channel: the first of its channels.
  private var trackOfChannel: [Int]
  /// True for each channel of which nothing was heard yet.
  private var isSilent: [Bool]
  /// The energy of each channel in complete periods.
  private var wholes: [Double]
  /// The windows of this period, the periods before it, and all windows.
  private var windows = 0, periods = 0
  private var completeWindows: UInt32 = 0
  /// The largest share of alike energy, and the largest correlation, of channels of different tracks.
  private let most: (alike: Double, correlation: Double)

  /// Two channels, where their products are, and over complete periods the energy of each that is alike and the sum of
  /// their products.
  private struct Pair {
    var one, other, place: Int
    var alike = (one: 0.0, other: 0.0)
    var common = 0.0
  }

  /// The windows of a period, and those after which its first one is looked at.
  private static let (period, least) = (32, 12)
  /// The part of the energy that is alike from which on channels belong together after one period; after many it is as
  /// much as different tracks have.
  private static let first = 0.5
  /// The mean square from which on a source is loud enough to be decided about before its end.
  private static let loud = 1e-5
  /// The most products that are kept.
  private static let mostProducts = 1 << 20

  init(channelCount: Int, sampleRate: Int, isPortable: Bool = false) throws(ScalingError) {
    self.channelCount = channelCount
    // Of three channels and more, some notes may be the same by chance.
    most = channelCount == 2 ? (0.1, 0.05) : (0.35, 0.35)
    let size = max(Spectra.sizes.lowerBound, Vocoder.windowFrames(sampleRate: sampleRate) / 2)
    spectra = try Spectra(size: size, isPortable: isPortable)
    plane = (spectra.binCount + 7) / 8 * 8
    var pairs: [Pair] = []
    for one in 0..<channelCount {
      for other in one + 1..<max(channelCount, one + 1) {
        pairs.append(Pair(one: one, other: other, place: pairs.count))
      }
    }
    self.pairs = pairs
    bins = min(spectra.binCount, Self.mostProducts / max(1, pairs.count))
    func zeros(_ count: Int) -> UnsafeMutablePointer<Float> {
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
      memory.initialize(repeating: 0, count: count)
      return memory
    }
    window = zeros(channelCount * size)
    (real, imaginary) = (zeros(channelCount * plane), zeros(channelCount * plane))
    (energies, products) = (zeros(channelCount * bins), zeros(2 * pairs.count * bins))
    trackOfChannel = Array(0..<channelCount)
    wholes = Array(repeating: 0, count: channelCount)
    isSilent = Array(repeating: true, count: channelCount)
  }

  deinit {
    for memory in [window, real, imaginary, energies, products] { memory.deallocate() }
  }

  /// True if all channels belong to one track, so that nothing needs to be looked at any more.
  var isOne: Bool { pairs.isEmpty }

  /// The channels of each track, when all of the source was looked at; those that are silent throughout are one.
  func tracks() -> [[Int]] {
    weigh(isEnd: true)
    let silent = trackOfChannel.indices.filter { isSilent[$0] }
    for channel in silent { trackOfChannel[channel] = silent[0] }
    return Set(trackOfChannel).sorted().map { track in
      trackOfChannel.indices.filter { trackOfChannel[$0] == track }
    }
  }

  /// Looks at the next frames of all channels, interleaved.
  func look(at input: Span<Double>, frameCount: Int) {
    var frame = 0
    while frame < frameCount, !isOne {
      let count = min(frameCount - frame, spectra.size - filled)
      for channel in 0..<channelCount {
        let place = window + channel * spectra.size + filled
        Spectra.take(
          channel, of: channelCount, from: frame, count: count, in: input, into: place,
          level: spectra.level)
        if isSilent[channel] { isSilent[channel] = (0..<count).allSatisfy { place[$0] == 0 } }
      }
      frame += count
      filled += count
      if filled == spectra.size { completeWindow() }
    }
  }

  private func completeWindow() {
    let (bins, plane) = (bins, plane)
    for channel in 0..<channelCount {
      let (r, i) = (real + channel * plane, imaginary + channel * plane)
      spectra.analyze(window + channel * spectra.size, real: r, imaginary: i)
      scaleaudio_phases_add_energies(spectra.level, r, i, Int32(bins), energies + channel * bins)
    }
    for pair in pairs {
      let (ar, ai) = (real + pair.one * plane, imaginary + pair.one * plane)
      let (br, bi) = (real + pair.other * plane, imaginary + pair.other * plane)
      let cr = products + 2 * pair.place * bins
      let ci = cr + bins
      for bin in 0..<bins {
        cr[bin] += ar[bin] * br[bin] + ai[bin] * bi[bin]
        ci[bin] += ai[bin] * br[bin] - ar[bin] * bi[bin]
      }
    }
    windows += 1
    // The next window begins half a window to a whole one later, never the same: frequencies whose phases lie the same
    // again after each step would seem to be one.
    completeWindows &+= 1
    filled = Int((completeWindows &* 0x9E37_79B1) >> 16) % (spectra.size / 2)
    for channel in 0..<channelCount {
      let start = window + channel * spectra.size
      start.update(from: start + spectra.size - filled, count: filled)
    }
    if windows == Self.period || (periods == 0 && windows == Self.least) { weigh(isEnd: false) }
  }

  /// Joins the channels that are alike so far, and ends a period that is complete.
  private func weigh(isEnd: Bool) {
    // Few windows are alike by chance.
    let counts = windows >= Self.least
    if periods == 0, !counts {
      if isEnd { join(pairs) }
      return
    }
    var wholes = wholes
    if counts {
      for channel in 0..<channelCount { wholes[channel] += energy(of: channel) }
    }
    var found = pairs
    if counts { for index in found.indices { add(to: &found[index]) } }
    let bound = most.alike + (isEnd ? 0 : (Self.first - most.alike) / Double(periods + 1))
    // A window of a mean square of 1 has this energy in its bins.
    let one = 0.375 * Double(spectra.size) * Double(spectra.size) / 2
    let loud = isEnd ? 0 : Self.loud * one * Double(periods * Self.period + windows)
    join(
      found.filter { pair in
        let (one, other) = (wholes[pair.one], wholes[pair.other])
        guard one > loud, other > loud else { return false }
        if isEnd, abs(pair.common) > most.correlation * (one * other).squareRoot() { return true }
        return max(pair.alike.one / one, pair.alike.other / other) > bound
      })
    guard windows == Self.period else { return }
    // The pairs that are left, with what this period has added.
    pairs = found.filter { trackOfChannel[$0.one] != trackOfChannel[$0.other] }
    self.wholes = wholes
    (windows, periods) = (0, periods + 1)
    energies.update(repeating: 0, count: channelCount * bins)
    for pair in pairs { (products + 2 * pair.place * bins).update(repeating: 0, count: 2 * bins) }
  }

  private func energy(of channel: Int) -> Double {
    (0..<bins).reduce(0) { $0 + Double(energies[channel * bins + $1]) }
  }

  /// Adds the energy of this period that is alike: the square of the coherence of each bin, less what it is by chance.
  private func add(to pair: inout Pair) {
    let (a, b) = (energies + pair.one * bins, energies + pair.other * bins)
    let cr = products + 2 * pair.place * bins
    let ci = cr + bins
    let count = Double(windows)
    for bin in 0..<bins {
      let (one, other, r, i) = (Double(a[bin]), Double(b[bin]), Double(cr[bin]), Double(ci[bin]))
      pair.common += r
      guard one * other > 0 else { continue }
      let coherence = (count * (r * r + i * i) / (one * other) - 1) / (count - 1)
      pair.alike.one += coherence * one
      pair.alike.other += coherence * other
    }
  }

  /// Lets the channels of pairs belong together, and those that belong together with them.
  private func join(_ alike: [Pair]) {
    for pair in alike {
      let (one, other) = (trackOfChannel[pair.one], trackOfChannel[pair.other])
      for channel in trackOfChannel.indices where trackOfChannel[channel] == max(one, other) {
        trackOfChannel[channel] = min(one, other)
      }
    }
    pairs.removeAll { trackOfChannel[$0.one] == trackOfChannel[$0.other] }
  }
}

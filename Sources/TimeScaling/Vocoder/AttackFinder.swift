internal import CKernels

/// Finds attacks: places where energy rises in most of the spectrum at once.
///
/// Windows of about 12 ms step by a quarter. The mean positive rise of the logarithm of the energies over one window is
/// compared with 0.9 + 1.6 times the median around it, and the place is refined to the frame by the derivative.
final class AttackFinder {
  /// The places found so far, in frames of the source, in rising order.
  private(set) var attacks: [Int] = []
  private var last: Int?

  private let start: Int
  /// The channels that are looked at, of `sourceChannels` in a frame.
  private let channels: [Int]
  private let sourceChannels: Int
  private let spectra: Spectra
  private let hop: Int
  /// The last frames of every channel, in planes of one window, and how many of them are new.
  private let window: UnsafeMutablePointer<Float>
  private var fresh = 0
  /// The hops completed.
  private var hops = 0
  private let real, imaginary, energies: UnsafeMutablePointer<Float>
  /// The logarithms of the last four hops, one plane each.
  private let logs: UnsafeMutablePointer<Float>
  private let floor: Float
  /// The rises around a hop, and the energies of the derivative in eighths of a hop; hop `h` is at `h % rises.count`.
  private let rises: UnsafeMutableBufferPointer<Double>
  private let steps: UnsafeMutableBufferPointer<Float>
  /// The largest square of the derivative in each eighth of a hop, and its frame in the hop, likewise.
  private let sharpest: UnsafeMutableBufferPointer<(square: Float, frame: Int)>
  /// The energies of the second derivative, likewise.
  private let bends: UnsafeMutableBufferPointer<Float>
  private var sorted: UnsafeMutableBufferPointer<Double>

  /// Hops on either side whose median counts.
  private static var reach: Int { 32 }
  /// Hops on either side that must not rise more.
  private static var neighbors: Int { 6 }
  /// Hops before an attack in which nothing is as sharp, and the part of its sharpness that counts as the same.
  private static let (before, repeated): (Int, Float) = (4, 0.7)
  /// The hops in which only one attack is found.
  private static let apart = 4
  /// Energy below -80 dB counts as that.
  private static var quietest: Float { 1e-8 }

  /// - Parameters:
  ///   - start: The place of the first frame.
  ///   - channels: The channels that are looked at, of `sourceChannels`.
  init(
    start: Int = 0, channels: [Int], of sourceChannels: Int, sampleRate: Int,
    isPortable: Bool = false
  ) throws(ScalingError) {
    (self.start, self.channels, self.sourceChannels) = (start, channels, sourceChannels)
    let channelCount = channels.count
    spectra = try Spectra(
      size: Spectra.size(nearest: 0.0116 * Double(sampleRate)), isPortable: isPortable)
    hop = spectra.size / 4
    let bins = spectra.binCount
    func zeros(_ count: Int) -> UnsafeMutablePointer<Float> {
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
      memory.initialize(repeating: 0, count: count)
      return memory
    }
    window = zeros(channelCount * spectra.size)
    (real, imaginary, energies) = (zeros(bins), zeros(bins), zeros(bins))
    floor = Self.quietest * 0.375 * Float(spectra.size) * Float(channelCount)
    logs = zeros(4 * bins)
    rises = .allocate(capacity: 2 * Self.reach + 1)
    rises.initialize(repeating: 0)
    sorted = .allocate(capacity: rises.count)
    sorted.initialize(repeating: 0)
    let stepCount = 8 * rises.count
    steps = UnsafeMutableBufferPointer(start: zeros(stepCount), count: stepCount)
    bends = UnsafeMutableBufferPointer(start: zeros(stepCount), count: stepCount)
    sharpest = .allocate(capacity: stepCount)
    sharpest.initialize(repeating: (0, 0))
    for plane in 0..<4 { _ = rise(plane) }
  }

  deinit {
    for memory in [window, real, imaginary, energies, logs] { memory.deallocate() }
    for memory in [steps, bends] { memory.deallocate() }
    for memory in [rises, sorted] { memory.deallocate() }
    sharpest.deallocate()
  }

  /// Looks at the next frames, interleaved.
  func look(at input: Span<Double>, frameCount: Int) {
    let (size, hop) = (spectra.size, hop)
    var frame = 0
    while frame < frameCount {
      let fresh = fresh
      let count = min(frameCount - frame, hop - fresh)
      for (index, channel) in channels.enumerated() {
        let target = window + (index + 1) * size - hop + fresh
        Spectra.take(
          channel, of: sourceChannels, from: frame, count: count, in: input, into: target,
          level: spectra.level)
      }
      frame += count
      self.fresh = fresh + count
      if fresh + count == hop { completeHop() }
    }
  }

  /// Looks at silence until nothing of the source is undecided.
  func finish() {
    let silence = [Double](repeating: 0, count: hop * sourceChannels)
    for _ in 0..<Self.reach + 5 { look(at: silence.span, frameCount: hop) }
  }

  /// The most frames that are examined after an attack before it is found.
  var delay: Int { (Self.reach + 5) * hop }

  /// Forgets the first attacks.
  func dropAttacks(_ count: Int) { attacks.removeFirst(min(count, attacks.count)) }

  private func completeHop() {
    let (size, hop, bins) = (spectra.size, hop, spectra.binCount)
    energies.update(repeating: 0, count: bins)
    let place = hops % rises.count * 8
    for eighth in place..<place + 8 {
      (steps[eighth], bends[eighth], sharpest[eighth]) = (0, 0, (0, 0))
    }
    for channel in channels.indices {
      let plane = window + channel * size
      spectra.analyze(plane, real: real, imaginary: imaginary)
      scaleaudio_phases_add_energies(spectra.level, real, imaginary, Int32(bins), energies)
      let first = plane + size - hop
      for eighth in 0..<8 {
        var (energy, bent) = (Float(0), Float(0))
        var sharpest = sharpest[place + eighth]
        for frame in eighth * hop / 8..<(eighth + 1) * hop / 8 {
          let (last, step) = (first[frame - 1] - first[frame - 2], first[frame] - first[frame - 1])
          energy += step * step
          bent += (step - last) * (step - last)
          if step * step > sharpest.square { sharpest = (step * step, frame) }
        }
        self.sharpest[place + eighth] = sharpest
        steps[place + eighth] += energy
        bends[place + eighth] += bent
      }
      // The window moves on by a hop.
      plane.update(from: plane + hop, count: size - hop)
    }
    rises[hops % rises.count] = rise(hops % 4)
    hops += 1
    decide(hops - 1 - Self.reach)
    fresh = 0
  }

  private func rise(_ plane: Int) -> Double {
    scaleaudio_phases_rise(
      spectra.level, energies, Int32(spectra.binCount), floor, logs + plane * spectra.binCount)
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
    _ = sorted.update(from: rises)
    sorted.sort()
    guard value > 0.9 + 1.6 * sorted[Self.reach] else { return }
    // The window ended with this hop, and the one compared with it three hops before.
    let eighths = max(0, hop - 4) * 8..<(hop + 1) * 8
    var loudest: Float = 0
    for eighth in eighths { loudest = max(loudest, steps[eighth % steps.count]) }
    guard loudest > 0,
      let first = eighths.first(where: { steps[$0 % steps.count] > 0.1 * loudest })
    else { return }
    let place = start + first / 8 * self.hop + sharpest[first % sharpest.count].frame
    if let last, place <= last + Self.apart * self.hop { return }
    if repeats(eighths) { return }
    last = place
    attacks.append(place)
  }
}

extension AttackFinder {
  /// The attacks that any of several finders has found, in rising order.
  static func attacks(ofAny finders: [AttackFinder]) -> [Int] {
    if finders.count == 1 { return finders[0].attacks }
    var found: [Int] = []
    for place in finders.flatMap(\.attacks).sorted() {
      if let last = found.last, place <= last + apart * finders[0].hop { continue }
      found.append(place)
    }
    return found
  }

  /// True if what is loudest in some eighths of hops is no louder than before them: the next pulse of many.
  private func repeats(_ eighths: Range<Int>) -> Bool {
    func sharpest(_ range: Range<Int>) -> Float {
      range.reduce(0) { max($0, bends[$1 % bends.count]) }
    }
    let before = max(0, eighths.lowerBound - Self.before * 8)..<eighths.lowerBound
    return sharpest(before) > Self.repeated * sharpest(eighths)
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

internal import CKernels

/// One band of a vocoder: its bins, and the phases of its last output frame.
final class VocoderBand {
  /// Its windows and bins.
  let shape: BandShape
  /// The frames of the source that become those of the output.
  let analysis: BandAnalysis
  /// The middle of the next frame in the output.
  private(set) var output: Int

  private let channelCount: Int
  private let spectra: Spectra
  private let made, energies, scratch: UnsafeMutablePointer<Float>
  private let windowed, levels, overlaps: UnsafeMutablePointer<Float>
  private let keeping: Float
  private var ties, shares: CrossoverTurns?
  /// The numbers of a plane, and of the planes of all channels.
  private let plane, planes: Int

  /// - Parameter formants: The envelope that preserves formants, the same for all bands; `nil` if they move with the pitch.
  init(
    _ shape: BandShape, channelCount: Int, sampleRate: Int, formants: FormantEnvelope?,
    isPortable: Bool
  ) throws(ScalingError) {
    (self.shape, self.channelCount) = (shape, channelCount)
    spectra = try Spectra(size: shape.size, isPortable: isPortable)
    plane = (spectra.binCount + 7) / 8 * 8
    planes = plane * channelCount
    func zeros(_ count: Int) -> UnsafeMutablePointer<Float> {
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
      memory.initialize(repeating: 0, count: count)
      return memory
    }
    (made, energies, scratch) = (zeros(2 * planes), zeros(plane), zeros(22 * plane))
    (windowed, levels) = (zeros(2 * planes), zeros(2 * plane))
    // After a window, half of a level is left.
    var keeping = 0.5
    for _ in 0..<shape.overlap.trailingZeroBitCount { keeping = keeping.squareRoot() }
    self.keeping = Float(keeping)
    overlaps = zeros(shape.overlap)
    for hops in 1..<shape.overlap {
      overlaps[hops - 1] = Float(Self.common(hops, of: shape.overlap))
    }
    analysis = try BandAnalysis(
      shape, channelCount: channelCount, sampleRate: sampleRate, formants: formants,
      isPortable: isPortable)
    output = analysis.output
  }

  deinit {
    for memory in [made, energies, scratch, windowed, levels, overlaps] { memory.deallocate() }
  }

  /// Takes the turns at the crossover from the band below, which makes its frames first.
  func tie(to below: VocoderBand) {
    let count = shape.bins.prefix { shape.gains[$0] < 1 }.count
    guard count > 0, below.shape.size > shape.size else { return }
    let made = CrossoverTurns(
      first: shape.bins.lowerBound, count: count, ratio: below.shape.size / shape.size)
    (ties, below.shares) = (made, made)
  }

  /// Makes the next frame of the output from one of the source; those before it must still have their spectra.
  ///
  /// - Parameters:
  ///   - attackGain: The gain if the window holds an attack.
  ///   - sum: The place of the frame's start in a channel's output.
  func make(
    _ frame: AnalyzedFrame, attackGain: Float, sum: (Int) -> UnsafeMutablePointer<Float>
  ) {
    var work = analysis.work(of: frame)
    if frame.aheadSource != nil {
      let last = analysis.frame(at: output - shape.hop)
      let (real, ahead, imaginary) = (last.now, frame.ahead, analysis.planes)
      (work.last_real, work.last_imaginary) = (UnsafePointer(real), UnsafePointer(real + imaginary))
      (work.ahead_real, work.ahead_imaginary) = (
        UnsafePointer(ahead), UnsafePointer(ahead + imaginary)
      )
    }
    work.is_first = frame.isFirst
    work.plane = Int32(clamping: plane)
    (work.made_real, work.made_imaginary) = (made, made + planes)
    (work.energies, work.scratch) = (energies + shape.bins.lowerBound, scratch)
    (work.windowed_real, work.windowed_imaginary) = (windowed, windowed + planes)
    work.levels = levels
    (work.keeping, work.overlap) = (keeping, Int32(shape.overlap))
    work.overlaps = UnsafePointer(overlaps)
    work.is_onset = frame.isAttack
    if let ties, let turns = ties.turns(at: output, from: frame.source) {
      (work.ties, work.tied) = (turns, Int32(clamping: ties.count))
    }
    if let shares {
      (work.shared, work.shared_first) = (
        Int32(clamping: shares.count), Int32(clamping: shares.first)
      )
      (work.ratio, work.shares) = (
        Int32(clamping: shares.ratio), shares.place(at: output, from: frame.source)
      )
    }
    work.attack_scale = Float(frame.attackScale)
    if let attackDelay = frame.attackDelay {
      (work.has_attack, work.attack_turn) = (true, Float(attackDelay / Double(shape.size)))
    }
    work.attack_gain = attackGain
    (work.pull, work.shift) = (Float(frame.pull), Float(frame.shift / Double(shape.size)))
    scaleaudio_phases_continue(spectra.level, &work)
    // Two Hann windows overlap to 3/8 of their number.
    let gain = Float(8 * shape.hop) / Float(3 * shape.size)
    for channel in 0..<channelCount {
      let real = made + channel * plane
      spectra.synthesize(
        real: real, imaginary: real + planes, gain: gain, addingTo: sum(channel))
    }
    output += shape.hop
  }

  /// The part of noise that frames under two Hann windows have in common with those some hops before.
  private static func common(_ hops: Int, of overlap: Int) -> Double {
    let count = 64 * overlap
    let shape = (0..<count).map { frame in
      var (cosine, sine) = (0.0, 0.0)
      scaleaudio_turn(Int64(frame), Int64(count), &cosine, &sine)
      return (0.5 - 0.5 * cosine) * (0.5 - 0.5 * cosine)
    }
    let shared = zip(shape, shape.dropFirst(64 * hops)).reduce(0) { $0 + $1.0 * $1.1 }
    return shared / shape.reduce(0) { $0 + $1 * $1 }
  }
}

/// The turns of the bins where two bands overlap, as the lower one has settled them for its last frames.
///
/// If both bands turn a tone by the same angle, they add up.
final class CrossoverTurns {
  /// The first bin of the upper band, the number of bins, and how many bins of the lower one are as wide.
  let first, count, ratio: Int
  private let turns: UnsafeMutablePointer<Float>
  private var frames = [(output: Int, source: Int)](repeating: (.min, .min), count: 8)
  private var next = 0

  init(first: Int, count: Int, ratio: Int) {
    (self.first, self.count, self.ratio) = (first, count, ratio)
    turns = .allocate(capacity: 2 * count * frames.count)
    turns.initialize(repeating: 0, count: 2 * count * frames.count)
  }

  deinit { turns.deallocate() }

  /// The place for the turns of a frame of the lower band.
  func place(at output: Int, from source: Int) -> UnsafeMutablePointer<Float> {
    next = (next + 1) % frames.count
    frames[next] = (output, source)
    return turns + 2 * count * next
  }

  /// The turns at an output frame, if the lower band has a frame there, of the same source frame.
  func turns(at output: Int, from source: Int) -> UnsafePointer<Float>? {
    guard let index = frames.firstIndex(where: { $0 == (output, source) }) else { return nil }
    return UnsafePointer(turns + 2 * count * index)
  }
}

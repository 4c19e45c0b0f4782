internal import CKernels

/// One band of a vocoder: its bins, and the phases of its last output frame.
final class VocoderBand {
  /// Frames of a window, and between the middles of two.
  let size, hop: Int
  /// The frames of the source that become those of the output.
  let analysis: BandAnalysis
  /// The middle of the next frame in the output.
  private(set) var output: Int

  private let channelCount: Int
  private let spectra: Spectra
  private let bins: Range<Int>
  private let gains: UnsafeMutablePointer<Float>
  private let made, energies, scratch: UnsafeMutablePointer<Float>
  private let windowed, levels, hopTurns, overlaps: UnsafeMutablePointer<Float>
  private let keeping: Float
  private let overlap: Int
  private let isLowest: Bool
  private var ties, shares: CrossoverTurns?
  /// The numbers of a plane, and of the planes of all channels.
  private let plane, planes: Int

  /// A band above a crossover in Hz and below another, where a band with windows of another size follows; `nil` for none.
  init(
    size: Int, overlap: Int, channelCount: Int, sampleRate: Int, above: Double?,
    below: (hertz: Double, size: Int)?, keepsAllBins: Bool, isPortable: Bool = false
  ) throws(ScalingError) {
    (self.size, hop, self.channelCount) = (size, size / overlap, channelCount)
    (self.overlap, isLowest) = (overlap, above == nil)
    spectra = try Spectra(size: size, isPortable: isPortable)
    plane = (spectra.binCount + 7) / 8 * 8
    planes = plane * channelCount
    func zeros(_ count: Int) -> UnsafeMutablePointer<Float> {
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
      memory.initialize(repeating: 0, count: count)
      return memory
    }
    gains = zeros(plane)
    (made, energies, scratch) = (zeros(2 * planes), zeros(plane), zeros(22 * plane))
    (windowed, levels, hopTurns) = (zeros(2 * planes), zeros(2 * plane), zeros(2 * plane))
    // After a window, half of a level is left.
    var keeping = 0.5
    for _ in 0..<overlap.trailingZeroBitCount { keeping = keeping.squareRoot() }
    self.keeping = Float(keeping)
    overlaps = zeros(overlap)
    for hops in 1..<overlap { overlaps[hops - 1] = Float(Self.common(hops, of: overlap)) }
    for turn in 0..<spectra.binCount {
      var (cosine, sine) = (0.0, 0.0)
      scaleaudio_turn(Int64(turn), Int64(overlap), &cosine, &sine)
      (hopTurns[turn], hopTurns[plane + turn]) = (Float(cosine), Float(sine))
    }
    var (first, end) = (spectra.binCount, 0)
    for bin in 0..<spectra.binCount {
      let width = Double(sampleRate) / Double(size)
      var gain = above.map { Self.rise(Double(bin) * width, at: $0) } ?? 1
      if let below {
        gain *= 1 - Self.passed(bin, of: size, by: below, sampleRate: sampleRate)
        if gain < 1e-4 { gain = 0 }
      }
      gains[bin] = Float(gain)
      if gain > 0 { (first, end) = (min(first, bin), bin + 1) }
    }
    bins = first < end ? first..<end : 0..<0
    analysis = try BandAnalysis(
      size: size, hop: hop, bins: keepsAllBins ? 0..<spectra.binCount : bins,
      channelCount: channelCount, sampleRate: sampleRate,
      isLowest: isLowest, isPortable: isPortable)
    output = analysis.output
  }

  deinit {
    for memory in [
      gains, made, energies, scratch, windowed, levels, hopTurns, overlaps,
    ] {
      memory.deallocate()
    }
  }

  /// Takes the turns at the crossover from the band below, which makes its frames first.
  func tie(to below: VocoderBand) {
    let count = (bins.lowerBound..<bins.upperBound).prefix { gains[$0] < 1 }.count
    guard count > 0, below.size > size else { return }
    let made = CrossoverTurns(first: bins.lowerBound, count: count, ratio: below.size / size)
    (ties, below.shares) = (made, made)
  }

  /// Whether the band has any bins.
  var isEmpty: Bool { bins.isEmpty }
  /// Makes the next frame of the output from one of the source; that before must still have its spectra.
  ///
  /// - Parameters:
  ///   - attackGain: The gain if the window holds an attack.
  ///   - formants: What keeps formants in place; `nil` where they move with the pitch.
  ///   - sum: The place of the frame's start in a channel's output.
  func make(
    _ frame: AnalyzedFrame, attackGain: Float, formants: FormantEnvelope?,
    sum: (Int) -> UnsafeMutablePointer<Float>
  ) {
    let (last, sources) = (analysis.frame(at: output - hop).now, analysis.planes)
    let before = frame.followsLast ? last : frame.earlier
    var work = scaleaudio_phases()
    if frame.hasAhead {
      (work.last_real, work.last_imaginary) = (UnsafePointer(last), UnsafePointer(last + sources))
      (work.ahead_real, work.ahead_imaginary) = (
        UnsafePointer(frame.ahead), UnsafePointer(frame.ahead + sources)
      )
    }
    work.is_first = frame.isFirst
    (work.channels, work.plane) = (Int32(clamping: channelCount), Int32(clamping: plane))
    work.source_plane = Int32(clamping: analysis.plane)
    (work.first, work.end) = (Int32(bins.lowerBound), Int32(bins.upperBound))
    (work.real, work.imaginary) = (UnsafePointer(frame.now), UnsafePointer(frame.now + sources))
    (work.earlier_real, work.earlier_imaginary) = (
      UnsafePointer(before), UnsafePointer(before + sources)
    )
    (work.made_real, work.made_imaginary) = (made, made + planes)
    if isLowest { formants?.take(frame.now, plane: analysis.plane, channelCount: channelCount) }
    work.gains = formants?.moved(gains, of: bins, size: size) ?? UnsafePointer(gains)
    (work.energies, work.scratch) = (energies + bins.lowerBound, scratch)
    (work.windowed_real, work.windowed_imaginary) = (windowed, windowed + planes)
    work.levels = levels
    (work.keeping, work.overlap) = (keeping, Int32(overlap))
    work.overlaps = UnsafePointer(overlaps)
    (work.hop_cosine, work.hop_sine) = (UnsafePointer(hopTurns), UnsafePointer(hopTurns + plane))
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
      (work.has_attack, work.attack_turn) = (true, Float(attackDelay / Double(size)))
    }
    work.attack_gain = attackGain
    (work.pull, work.shift) = (Float(frame.pull), Float(frame.shift / Double(size)))
    scaleaudio_phases_continue(spectra.level, &work)
    // Two Hann windows overlap to 3/8 of their number.
    let gain = Float(8 * hop) / Float(3 * size)
    for channel in 0..<channelCount {
      let real = made + channel * plane
      spectra.synthesize(
        real: real, imaginary: real + planes, gain: gain, addingTo: sum(channel))
    }
    output += hop
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

  /// How much the band above a crossover passes of the middle of a bin.
  ///
  /// A window spreads a frequency over bins, which have gains of their own; their energies weigh them. The band below
  /// passes the rest, so that both together pass everything.
  private static func passed(
    _ bin: Int, of size: Int, by above: (hertz: Double, size: Int), sampleRate: Int
  ) -> Double {
    let place = Double(bin) * Double(above.size) / Double(size)
    let width = Double(sampleRate) / Double(above.size)
    var sum = 0.0
    for other in Int(place) - 4...Int(place) + 4 {
      let distance = abs(place - Double(other))
      var weight = distance == 0 ? 1 : 0.5
      if distance != 0, distance != 1 {
        var (cosine, sine) = (0.0, 0.0)
        // Half a turn for each bin.
        let whole = Int64(2 * size)
        scaleaudio_turn(Int64((distance * Double(size)).rounded()), whole, &cosine, &sine)
        weight = sine / (Double.pi * distance * (1 - distance * distance))
      }
      sum += weight * weight / 1.5 * rise(Double(abs(other)) * width, at: above.hertz)
    }
    return sum
  }

  /// The raised cosine of a crossover, 12 % wide, by arithmetic that is the same everywhere.
  private static func rise(_ hertz: Double, at crossover: Double) -> Double {
    let place = min(max((hertz / crossover - 0.94) / 0.12, 0), 1)
    let whole = 1 << 20
    var (cosine, sine) = (0.0, 0.0)
    scaleaudio_turn(
      Int64(place * Double(whole / 2)), Int64(whole), &cosine, &sine)
    return 0.5 - 0.5 * cosine
  }
}

/// The turns of the bins where two bands overlap, as the lower one has settled them for its last frames.
///
/// Where both bands turn a tone by the same angle, they add up.
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

internal import CKernels

/// One band of a vocoder: its windows, its bins, and the phases of its last output frame.
///
/// Frame `k` has its middle at output frame `k * hop`.
final class VocoderBand {
  /// Frames of a window, and between the middles of two.
  let size, hop: Int
  /// The middle of the next frame in the output, and its source frame.
  private(set) var output: Int
  private(set) var source = 0
  private var isAttack = false
  private var attackScale = 1.0

  private let channelCount: Int
  private let spectra: Spectra
  private let bins: Range<Int>
  private let gains: UnsafeMutablePointer<Float>
  private var now, earlier: UnsafeMutablePointer<Float>
  private let made, energies, scratch: UnsafeMutablePointer<Float>
  private let windowed, levels, hopTurns: UnsafeMutablePointer<Float>
  private let overlap: Int
  /// The numbers of a plane, and of the planes of all channels.
  private let plane, planes: Int
  /// The source frame of the spectrum `now`.
  private var analyzed: Int?
  private var walk = StretchWalk()
  private let ahead: Double

  /// A band above a crossover in Hz and below another, where a band with windows of another size follows; `nil` for none.
  init(
    size: Int, overlap: Int, channelCount: Int, sampleRate: Int, above: Double?,
    below: (hertz: Double, size: Int)?
  ) throws(ScalingError) {
    (self.size, hop, self.channelCount) = (size, size / overlap, channelCount)
    self.overlap = overlap
    spectra = try Spectra(size: size)
    plane = (spectra.binCount + 7) / 8 * 8
    planes = plane * channelCount
    func zeros(_ count: Int) -> UnsafeMutablePointer<Float> {
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
      memory.initialize(repeating: 0, count: count)
      return memory
    }
    gains = zeros(plane)
    (now, earlier, made) = (zeros(2 * planes), zeros(2 * planes), zeros(2 * planes))
    (energies, scratch) = (zeros(plane), zeros(7 * plane))
    (windowed, levels, hopTurns) = (zeros(2 * planes), zeros(plane), zeros(2 * overlap))
    for turn in 0..<overlap {
      var (cosine, sine) = (0.0, 0.0)
      scaleaudio_turn(Int64(turn), Int64(overlap), &cosine, &sine)
      (hopTurns[2 * turn], hopTurns[2 * turn + 1]) = (Float(cosine), Float(sine))
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
    ahead = StretchPath.before * Double(sampleRate)
    // The first frame whose window reaches into the output.
    output = -size / 2 + hop
  }

  deinit {
    for memory in [gains, now, earlier, made, energies, scratch, windowed, levels, hopTurns] {
      memory.deallocate()
    }
  }

  /// Whether the band has any bins.
  var isEmpty: Bool { bins.isEmpty }
  /// The first source frame that a frame of this band reads.
  var needsFrom: Int { source - hop - size / 2 }
  /// The source frame behind the last one that the next frame reads.
  var needsTo: Int { source + size / 2 }

  /// Settles the source of the next frame.
  func aim(along path: StretchPath) {
    (source, isAttack) = walk.step(to: output, on: path, ahead: ahead)
    attackScale = walk.attackScale(at: output, from: source, on: path, reach: size / 2)
  }

  /// Makes the next frame.
  ///
  /// - Parameters:
  ///   - block: Gives `size` source frames of a channel from a frame on.
  ///   - sum: The place of the frame's start in a channel's output.
  func make(
    block: (Int, Int) -> UnsafePointer<Float>, sum: (Int) -> UnsafeMutablePointer<Float>
  ) {
    if analyzed == source - hop {
      swap(&now, &earlier)
    } else {
      analyze(source - hop, into: earlier, block)
    }
    analyze(source, into: now, block)
    analyzed = source
    var work = scaleaudio_phases()
    (work.channels, work.plane) = (Int32(clamping: channelCount), Int32(clamping: plane))
    (work.first, work.end) = (Int32(bins.lowerBound), Int32(bins.upperBound))
    (work.real, work.imaginary) = (UnsafePointer(now), UnsafePointer(now + planes))
    (work.earlier_real, work.earlier_imaginary) = (
      UnsafePointer(earlier), UnsafePointer(earlier + planes)
    )
    (work.made_real, work.made_imaginary) = (made, made + planes)
    work.gains = UnsafePointer(gains)
    (work.energies, work.scratch) = (energies + bins.lowerBound, scratch)
    (work.windowed_real, work.windowed_imaginary) = (windowed, windowed + planes)
    work.levels = levels
    (work.hop_turns, work.hop_mask) = (UnsafePointer(hopTurns), Int32(clamping: overlap - 1))
    work.is_onset = isAttack
    work.attack_scale = Float(attackScale)
    scaleaudio_phases_continue(&work)
    // Two Hann windows overlap to 3/8 of their number.
    let gain = Float(8 * hop) / Float(3 * size)
    for channel in 0..<channelCount {
      let real = made + channel * plane
      spectra.synthesize(
        real: real, imaginary: real + planes, gain: gain, addingTo: sum(channel))
    }
    output += hop
  }

  private func analyze(
    _ middle: Int, into target: UnsafeMutablePointer<Float>,
    _ block: (Int, Int) -> UnsafePointer<Float>
  ) {
    for channel in 0..<channelCount {
      let real = target + channel * plane
      spectra.analyze(block(channel, middle - size / 2), real: real, imaginary: real + planes)
    }
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

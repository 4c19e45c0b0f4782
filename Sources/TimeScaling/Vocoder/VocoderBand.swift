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
  /// True if noise is made anew.
  private let isSmooth: Bool
  private let spectra: Spectra
  private let made, energies, ownEnergies, scratch: UnsafeMutablePointer<Float>
  private let windowed, levels, overlaps: UnsafeMutablePointer<Float>
  /// The spectra of a channel, times the shares of this band.
  private let shown: UnsafeMutablePointer<Float>
  private let keeping: Float
  /// The turns of the last frames.
  private let settled: SettledTurns
  /// Room for what the bands below settle for the bins of this one.
  private let ties: UnsafeMutablePointer<Float>
  /// The band of another vocoder that has the transform and the scratch memory; `nil` for its own.
  private let owner: VocoderBand?
  /// The numbers of a plane, and of the planes of all channels.
  private let plane, planes: Int

  /// - Parameters:
  ///   - isSmooth: True if noise is made anew, and voices are not moved by whole periods.
  ///   - formants: The envelope that preserves formants, the same for all bands; `nil` if they move with the pitch.
  ///   - owner: A band of the same shape on the same thread, whose transform and scratch memory this one shares.
  init(
    _ shape: BandShape, channelCount: Int, sampleRate: Int, isSmooth: Bool,
    formants: FormantEnvelope?, isPortable: Bool, sharing owner: VocoderBand?
  ) throws(ScalingError) {
    (self.shape, self.channelCount, self.isSmooth) = (shape, channelCount, isSmooth)
    self.owner = owner
    if let owner {
      spectra = owner.spectra
    } else {
      spectra = try Spectra(size: shape.size, isPortable: isPortable)
    }
    plane = (spectra.binCount + 7) / 8 * 8
    planes = plane * channelCount
    func zeros(_ count: Int) -> UnsafeMutablePointer<Float> {
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
      memory.initialize(repeating: 0, count: count)
      return memory
    }
    (made, energies) = (zeros(2 * planes), zeros(plane))
    scratch = owner?.scratch ?? zeros(24 * plane)
    (windowed, levels, shown) = (zeros(2 * planes), zeros(2 * plane), zeros(2 * plane))
    ties = zeros(2 * planes)
    ownEnergies = zeros(channelCount > 1 ? planes : 0)
    settled = SettledTurns(binCount: shape.reachable.count, channelCount: channelCount)
    // After a window, half of a level is left.
    var keeping = 0.5
    for _ in 0..<shape.overlap.trailingZeroBitCount { keeping = keeping.squareRoot() }
    self.keeping = Float(keeping)
    overlaps = zeros(shape.overlap)
    let common = Self.common(shape.overlap)
    for hops in 1..<shape.overlap { overlaps[hops - 1] = Float(common[hops - 1]) }
    analysis = try BandAnalysis(
      shape, channelCount: channelCount, sampleRate: sampleRate, isSmooth: isSmooth,
      formants: formants, isPortable: isPortable)
    output = analysis.output
  }

  deinit {
    for memory in [made, energies, ownEnergies, windowed, levels, overlaps, shown, ties] {
      memory.deallocate()
    }
    if owner == nil { scratch.deallocate() }
  }

  /// Makes the next frame of the output from one of the source; those before it must still have their spectra.
  ///
  /// - Parameters:
  ///   - bands: All bands, from the lowest up. Where bands share bins, the turns of longer windows count, so that tones
  ///     add up.
  ///   - attackGain: The gain if the window holds an attack.
  ///   - sum: The place of the frame's start in a channel's output.
  func make(
    _ frame: AnalyzedFrame, among bands: [VocoderBand], attackGain: Float,
    sum: (Int) -> UnsafeMutablePointer<Float>
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
    work.plane = Int32(clamping: plane)
    (work.made_real, work.made_imaginary) = (made, made + planes)
    (work.energies, work.scratch) = (energies + shape.reachable.lowerBound, scratch)
    work.own_energies = channelCount > 1 ? ownEnergies : nil
    (work.windowed_real, work.windowed_imaginary) = (windowed, windowed + planes)
    work.levels = levels
    (work.keeping, work.overlap) = (keeping, Int32(shape.overlap))
    work.overlaps = UnsafePointer(overlaps)
    work.is_onset = frame.isAttack
    if collectTies(for: frame, from: bands.prefix { $0 !== self }) {
      (work.ties, work.tied) = (UnsafePointer(ties), work.end - work.first)
      work.tie_stride = Int32(2 * plane)
    }
    if shape.isLowest, !frame.isFirst { adopt(for: frame, from: bands.dropFirst(), work) }
    let turns = settled.place(
      at: output, from: frame.source, count: frame.end - shape.reachable.lowerBound)
    work.turns = turns
    work.attack_scale = Float(frame.attackScale)
    if let attackDelay = frame.attackDelay {
      (work.has_attack, work.attack_turn) = (true, Float(attackDelay / Double(shape.size)))
    }
    work.is_attack_outside = frame.isAttackOutside
    (work.is_smooth, work.number) = (
      isSmooth, UInt32(truncatingIfNeeded: output / shape.hop)
    )
    work.attack_gain = attackGain
    (work.pull, work.shift) = (Float(frame.pull), Float(frame.shift / Double(shape.size)))
    // Tones that long windows hold apart go on by themselves.
    work.pulled = Int32(frame.pulled - shape.reachable.lowerBound)
    scaleaudio_phases_continue(spectra.level, &work)
    // Two Hann windows overlap to 3/8 of their number.
    let gain = Float(8 * shape.hop) / Float(3 * shape.size)
    let range = shape.reachable.lowerBound..<frame.end
    settled.keep(UnsafePointer(energies + range.lowerBound))
    for channel in 0..<channelCount {
      show(made + channel * plane, range, frame.shares, as: shown)
      show(made + planes + channel * plane, range, frame.shares, as: shown + plane)
      spectra.synthesize(
        real: shown, imaginary: shown + plane, gain: gain, addingTo: sum(channel))
    }
    output += shape.hop
  }

  /// Writes the share of each bin that this band has in the output.
  private func show(
    _ from: UnsafePointer<Float>, _ range: Range<Int>, _ shares: UnsafePointer<Float>,
    as target: UnsafeMutablePointer<Float>
  ) {
    let (from, place) = (from + range.lowerBound, target + range.lowerBound)
    for bin in 0..<range.count { place[bin] = from[bin] * shares[bin] }
    (target + range.upperBound).update(repeating: 0, count: plane - range.upperBound)
  }

  /// Collects the turns that the bands below have settled for bins that they share at this frame. Returns false for none.
  private func collectTies(
    for frame: AnalyzedFrame, from below: ArraySlice<VocoderBand>
  ) -> Bool {
    let first = shape.reachable.lowerBound
    let count = frame.end - first
    var found = false
    for band in below {
      guard let turns = band.settled.turns(at: output, from: frame.source) else { continue }
      let (ratio, from) = (band.shape.size / shape.size, band.shape.reachable.lowerBound)
      guard ratio > 1 else { continue }
      let shares = band.analysis.frame(at: output).shares
      if !found { ties.update(repeating: 0, count: 2 * planes) }
      found = true
      // The bins whose middles the band below has.
      let lower = max(0, (from + ratio - 1) / ratio - first)
      let upper = min(count, (from + turns.count - 1) / ratio + 1 - first)
      guard lower < upper else { continue }
      for channel in 0..<channelCount {
        let target = ties + 2 * plane * channel
        for bin in lower..<upper {
          guard shares[(first + bin) * ratio - from] > 0.05,
            target[2 * bin] == 0 && target[2 * bin + 1] == 0
          else { continue }
          scaleaudio_phases_widen(
            turns.turns + 2 * turns.count * channel, turns.energies, Int32(from),
            Int32(turns.count), Int32(first + bin), Int32(ratio), target + 2 * bin)
        }
      }
    }
    return found
  }

  /// Lets bins that this band takes over continue what the bands above have made.
  private func adopt(
    for frame: AnalyzedFrame, from above: ArraySlice<VocoderBand>, _ now: scaleaudio_phases
  ) {
    let last = analysis.frame(at: output - shape.hop)
    guard frame.end > shape.bins.upperBound else { return }
    var work = now
    (work.last_real, work.last_imaginary) = (
      UnsafePointer(last.now), UnsafePointer(last.now + analysis.planes)
    )
    var bin = 0
    while bin < frame.end {
      guard frame.shares[bin] > 0, bin >= last.end || last.shares[bin] == 0 else {
        bin += 1
        continue
      }
      // Bins up to the end of what one band above has made.
      guard
        let band = above.first(where: {
          bin <= $0.shape.bins.upperBound * shape.size / $0.shape.size
        })
          ?? above.last
      else { return }
      let ratio = shape.size / band.shape.size
      let top =
        band === above.last ? frame.end : min(frame.end, band.shape.bins.upperBound * ratio + 1)
      var end = bin
      while end < top, frame.shares[end] > 0, end >= last.end || last.shares[end] == 0 { end += 1 }
      if let turns = band.settled.turns(at: output - shape.hop) {
        scaleaudio_phases_adopt(
          &work, Int32(bin), Int32(end), turns.turns, Int32(2 * turns.count),
          Int32(band.shape.bins.lowerBound), Int32(turns.count), Int32(ratio),
          Float(Double(turns.source - last.source) / Double(shape.size)))
      } else {
        // Before the first frame of that band, the sound is that of the source.
        let unturned: [Float] = [1, 0]
        scaleaudio_phases_adopt(&work, Int32(bin), Int32(end), unturned, 0, 0, 1, 1, 0)
      }
      bin = max(end, bin + 1)
    }
  }

  /// The part of noise that frames under two Hann windows have in common with those 1 hop before, 2 hops before and so on.
  private static func common(_ overlap: Int) -> [Double] {
    let shape = Turns(64 * overlap).cosines.map { (0.5 - 0.5 * $0) * (0.5 - 0.5 * $0) }
    let whole = shape.reduce(0) { $0 + $1 * $1 }
    return (1..<overlap).map { hops in
      var shared = 0.0
      for frame in 0..<shape.count - 64 * hops { shared += shape[frame] * shape[frame + 64 * hops] }
      return shared / whole
    }
  }
}

/// The turns and the energies of the bins of a band's last frames.
///
/// If two bands turn a tone by the same angle, they add up.
private final class SettledTurns {
  /// Those of a frame: for each channel the cosines of `count` bins, then the sines; and the energies.
  struct Frame {
    var output = Int.min, source = Int.min, count = 0
    var turns: UnsafePointer<Float>
    var energies: UnsafePointer<Float>
  }

  private let numbers: UnsafeMutablePointer<Float>
  private let stride, energyPlace: Int
  private let frames: UnsafeMutableBufferPointer<Frame>
  private var next = 0

  init(binCount: Int, channelCount: Int) {
    energyPlace = 2 * binCount * channelCount
    stride = energyPlace + binCount
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: stride * Self.kept + 1)
    memory.initialize(repeating: 0, count: stride * Self.kept + 1)
    numbers = memory
    frames = .allocate(capacity: Self.kept)
    for index in 0..<Self.kept {
      let place = memory + stride * index
      frames.initializeElement(
        at: index,
        to: Frame(turns: UnsafePointer(place), energies: UnsafePointer(place + energyPlace)))
    }
  }

  deinit {
    numbers.deallocate()
    frames.deallocate()
  }

  private static let kept = 16

  /// The place for the turns of a frame.
  func place(at output: Int, from source: Int, count: Int) -> UnsafeMutablePointer<Float> {
    next = (next + 1) % Self.kept
    (frames[next].output, frames[next].source, frames[next].count) = (output, source, count)
    return numbers + stride * next
  }

  /// Keeps the energies of the frame whose turns were placed last.
  func keep(_ energies: UnsafePointer<Float>) {
    (numbers + stride * next + energyPlace).update(from: energies, count: frames[next].count)
  }

  /// Those at an output frame, if the band has a frame there, of the same source frame.
  func turns(at output: Int, from source: Int) -> Frame? {
    turns(at: output).flatMap { $0.source == source ? $0 : nil }
  }

  /// Those at an output frame, if the band has a frame there.
  func turns(at output: Int) -> Frame? { frames.first { $0.output == output } }
}

internal import CKernels

/// Stretches audio along a map, in three bands with windows of their own; where all of it becomes
/// ``smoothFactor`` times as long or longer, in one band with longer windows.
///
/// Frames of all bands lie on one grid of the output, so lengths are exact and nothing drifts. Source frames are put as
/// many as are lacking; each ``advance()`` makes a frame of a band, or a block of output. Outside of
/// what is put is silence.
final class Vocoder {
  /// The channels that are stretched, of `sourceChannels` in a frame.
  private let channels: [Int]
  private let sourceChannels: Int
  private var channelCount: Int { channels.count }
  /// The output frames of one block.
  let blockFrames: Int

  private let bands: [VocoderBand]
  private let analysis: VocoderAnalysis
  private let ahead: AnalysisAhead?
  private var balance: LevelBalance
  /// The gain at the end of the last block.
  private var blockGain: Float = 1
  /// True if formants are preserved. The spectrum then changes on purpose, so levels are not
  /// balanced.
  private let keepsFormants: Bool
  /// Planes of output from frame `sumBase` on.
  private let sums: UnsafeMutablePointer<Float>
  private let sumCapacity: Int
  private var sumBase: Int
  /// The next output frame.
  private var next: Int
  private let reach: Int

  /// The most that a block may have of the energy of the source near its place: 36 dB more. Slow beats have less.
  private static let mostExcess = 4000.0

  /// Seconds of the longest window, and the crossovers in Hz.
  private static let seconds = 0.093
  private static let crossovers = (550.0, 5000.0)

  /// The factor from which on noise is made anew from a smooth spectrum, since stretched it would waver.
  static let smoothFactor = 8.0

  /// The frames of the longest window.
  ///
  /// - Parameter gentlest: The least output frames for a source frame on the map.
  static func windowFrames(sampleRate: Int, gentlest: Double = 1) -> Int {
    let longer = gentlest < smoothFactor ? 1.0 : gentlest < 16 ? 2 : gentlest < 32 ? 4 : 8
    return Spectra.size(nearest: longer * seconds * Double(sampleRate))
  }

  /// How many frames overlap at a number of source frames for an output frame: where much of the source is left out,
  /// they must lie closer for their windows to overlap there.
  static func overlap(atMost fastest: Double) -> Int { fastest <= 2.5 ? 4 : fastest <= 5 ? 8 : 16 }

  /// - Parameters:
  ///   - channels: The channels that are stretched together, of `sourceChannels`.
  ///   - steepest: The most source frames for an output frame that any map will have; `nil` for that of this map.
  ///   - overlaps: How many frames of the lowest band overlap, and how many of the others.
  ///   - shift: The shift of the pitch by resampling afterwards, in the output / in the source, if formants are to
  ///     stay.
  ///   - gentlest: The least output frames for a source frame, except around attacks.
  ///   - edgeFrames: The frames before the source that are put before those of it, at most a window.
  ///   - outputFrames: The output frames that will be read; more may be.
  ///   - isPortable: True to avoid vector instructions that some processors lack.
  ///   - cores: Those that may read the source ahead; `nil` if it is to be read no further than a frame needs.
  ///   - other: A vocoder on the same thread with the same factors, rate and overlaps, whose tables and scratch memory this one
  ///     shares.
  init(
    map: StretchMap, channels: [Int], of sourceChannels: Int, sampleRate: Int,
    steepest: Double? = nil, overlaps: (lowest: Int, others: Int), shift: Double? = nil,
    gentlest: Double = 1, edgeFrames: Int = 0, outputFrames: Int = .max, isPortable: Bool = false,
    cores: (any SpareCores)? = nil, sharing other: Vocoder? = nil
  ) throws(ScalingError) {
    (self.channels, self.sourceChannels) = (channels, sourceChannels)
    let channelCount = channels.count
    let level = Spectra.level(isPortable: isPortable)
    let isSmooth = gentlest >= Self.smoothFactor
    let size = Self.windowFrames(sampleRate: sampleRate, gentlest: gentlest)
    let shapes =
      other?.bands.map(\.shape)
      ?? Self.shapes(size: size, isSmooth: isSmooth, overlaps: overlaps, sampleRate: sampleRate)
    var formants: FormantEnvelope?
    if let shift {
      formants = try FormantEnvelope(
        ratio: shift,
        size: max(Spectra.sizes.lowerBound, Self.windowFrames(sampleRate: sampleRate) / 2),
        longest: size, sampleRate: sampleRate, isPortable: isPortable)
    }
    keepsFormants = formants != nil
    var bands: [VocoderBand] = []
    for shape in shapes where !shape.bins.isEmpty {
      bands.append(
        try VocoderBand(
          shape, channelCount: channelCount, sampleRate: sampleRate, isSmooth: isSmooth,
          formants: formants, isPortable: isPortable, sharing: other?.bands[bands.count]))
    }
    self.bands = bands
    blockFrames =
      max(Spectra.sizes.lowerBound, Self.windowFrames(sampleRate: sampleRate) / 8)
      / overlaps.others
    balance = LevelBalance(hop: bands.first?.shape.hop ?? blockFrames, sampleRate: sampleRate)
    reach = size
    // All vocoders of a source take as many frames at a time.
    let batchFrames = AnalysisAhead.batchFrames(
      hop: bands.first?.shape.hop ?? blockFrames, channelCount: sourceChannels)
    analysis = VocoderAnalysis(
      bands: bands.map(\.analysis), map: map, channels: channels, of: sourceChannels,
      sampleRate: sampleRate,
      steepest: steepest ?? map.steepest, blockFrames: blockFrames,
      aheadFrames: cores == nil ? 0 : 2 * batchFrames, next: -size, edgeFrames: edgeFrames,
      level: level)
    ahead = cores.map { [analysis] in
      AnalysisAhead(analysis, batchFrames: batchFrames, outputFrames: outputFrames, cores: $0)
    }
    sumCapacity = 3 * size
    sums = .allocate(capacity: sumCapacity * channelCount)
    sums.initialize(repeating: 0, count: sumCapacity * channelCount)
    (next, sumBase) = (-size, -size)
  }

  private static func shapes(
    size: Int, isSmooth: Bool, overlaps: (lowest: Int, others: Int), sampleRate: Int
  ) -> [BandShape] {
    if isSmooth {
      return [
        BandShape(
          size: size, overlap: overlaps.lowest, sampleRate: sampleRate, above: nil, below: nil)
      ]
    }
    let sizes = [size, size / 4, size / 8].map { max(Spectra.sizes.lowerBound, $0) }
    let (low, high) = crossovers
    return [
      BandShape(
        size: sizes[0], overlap: overlaps.lowest, sampleRate: sampleRate, above: nil,
        below: (low, sizes[1])),
      BandShape(
        size: sizes[1], overlap: overlaps.others, sampleRate: sampleRate, above: low,
        below: (high, sizes[2])),
      BandShape(
        size: sizes[2], overlap: overlaps.others, sampleRate: sampleRate, above: high, below: nil),
    ]
  }

  deinit {
    ahead?.stop()
    sums.deallocate()
  }

  /// The result of an ``advance()``.
  enum Progress {
    /// This number of source frames must be put first.
    case lacks(Int)
    /// A frame of a band was made.
    case frame
    /// A block of output is complete, from this frame on; negative before the output.
    case block(Int)
  }

  /// Takes interleaved source frames, at most those that are lacking here or to another track; `nil` for silence.
  func put(_ input: Span<Double>?, from start: Int, count: Int) {
    ahead?.settle()
    analysis.put(input, from: start, count: count)
  }

  /// Makes a frame of a band, or completes a block of output.
  ///
  /// A complete block must be read before the next call.
  func advance() -> Progress {
    if next - sumBase >= reach { moveSums() }
    if let ahead, ahead.ready <= next {
      let lacking = ahead.takeBatch()
      if lacking > 0 { return .lacks(min(lacking, 4096)) }
    }
    if let band = nextBand {
      if ahead == nil {
        let lacking = analysis.advance()
        if lacking > 0 { return .lacks(min(lacking, 4096)) }
      }
      let frame = band.analysis.frame(at: band.output)
      if let energy = frame.energy { balance.expect(before: band.output, energy: energy) }
      let place = band.output - band.shape.size / 2 - sumBase
      band.make(
        frame, among: bands, attackGain: keepsFormants ? 1 : balance.gain,
        sum: { channel in self.sums + channel * self.sumCapacity + place })
      return .frame
    }
    next += blockFrames
    silence(from: next - blockFrames)
    balance.complete(
      from: next - blockFrames, count: blockFrames,
      energy: VocoderAnalysis.energy(
        of: sums, plane: sumCapacity, channelCount: channelCount,
        from: next - blockFrames - sumBase, count: blockFrames))
    return .block(next - blockFrames)
  }

  /// Silences a block that sounds where the source does not, as windows do before attacks and behind ends.
  private func silence(from start: Int) {
    let energy = VocoderAnalysis.energy(
      of: sums, plane: sumCapacity, channelCount: channelCount, from: start - sumBase,
      count: blockFrames)
    let most = Double(analysis.energyNear(start)) * Double(blockFrames) * Self.mostExcess
    let gain = energy > most ? Float((most / energy).squareRoot()) : 1
    let last = blockGain
    blockGain = gain
    guard gain < 1 || last < 1 else { return }
    for channel in 0..<channelCount {
      let plane = sums + channel * sumCapacity + start - sumBase
      for frame in 0..<blockFrames {
        plane[frame] *= last + (gain - last) * Float(frame) / Float(blockFrames)
      }
    }
  }

  /// The band of the frame that is made next; `nil` if a block is completed.
  private var nextBand: VocoderBand? {
    WindowChoice.next(of: bands, before: next + blockFrames) {
      ($0.shape.size, $0.shape.hop, $0.output)
    }
  }

  /// The middle of the output frame that is made next; `nil` if a block is completed.
  var nextMiddle: Int? { nextBand?.output }

  /// An output frame before which frames that will be made need nothing of the map.
  var firstNeeded: Int { bands.reduce(next) { min($0, $1.output) } - 2 * reach }

  /// Takes another map, on which the frames that were made lie as well; it lacks the first attacks of the last one.
  func use(_ map: StretchMap, droppingAttacks attacks: Int) {
    analysis.use(map, droppingAttacks: attacks)
  }

  /// Writes frames of the block that was completed last, to the places of its channels in interleaved frames.
  func copyBlock<Sample: BinaryFloatingPoint>(
    _ frames: Range<Int>, to target: UnsafeMutablePointer<Sample>
  ) {
    let (stride, first, count) = (sourceChannels, frames.lowerBound, frames.count)
    for (index, channel) in channels.enumerated() {
      let plane = sums + index * sumCapacity + next - blockFrames - sumBase + first
      for frame in 0..<count { target[frame * stride + channel] = Sample(plane[frame]) }
    }
  }

  private func moveSums() {
    let done = next - sumBase
    for channel in 0..<channelCount {
      let plane = sums + channel * sumCapacity
      plane.update(from: plane + done, count: sumCapacity - done)
      (plane + sumCapacity - done).update(repeating: 0, count: done)
    }
    sumBase = next
  }
}

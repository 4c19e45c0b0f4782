internal import CKernels

/// Stretches audio along a map, in three bands with windows of their own.
///
/// Frames of all bands lie on one grid of the output, so lengths are exact and nothing drifts. Source frames are put as
/// many as are lacking; each ``advance()`` makes a frame of a band, or a block of output. Outside the source is silence.
final class Vocoder {
  /// The number of channels.
  let channelCount: Int
  /// The output frames of one block.
  let blockFrames: Int

  private var map: StretchMap
  private let level: scaleaudio_kernel_level
  private let bands: [VocoderBand]
  private let voice: PitchSynchronizer
  private var balance: LevelBalance
  /// Where the spectrum changes on purpose, levels do not balance.
  private let formants: FormantEnvelope?
  /// Planes of source frames from `base` on; `filled` of them are present.
  private let source: UnsafeMutablePointer<Float>
  private let sourceCapacity: Int
  private var base: Int
  private var filled: Int
  /// Planes of output from frame `sumBase` on.
  private let sums: UnsafeMutablePointer<Float>
  private let sumCapacity: Int
  private var sumBase: Int
  /// The next output frame.
  private var next: Int
  private let reach: Int

  /// Seconds of the longest window, and the crossovers in Hz.
  private static let seconds = 0.093
  private static let crossovers = (550.0, 5000.0)

  /// The frames of the longest window.
  static func windowFrames(sampleRate: Int) -> Int {
    Spectra.size(nearest: seconds * Double(sampleRate))
  }

  /// How many frames overlap at a number of source frames for an output frame: where much of the source is left out, they
  /// must lie closer for their windows to overlap there.
  static func overlap(atMost fastest: Double) -> Int { fastest <= 2.5 ? 4 : fastest <= 5 ? 8 : 16 }

  /// - Parameters:
  ///   - steepest: The most source frames for an output frame that any map will have; `nil` for that of this map.
  ///   - overlaps: How many frames of the lowest band overlap, and how many of the others.
  ///   - shift: The shift of the pitch by resampling afterwards, in the output / in the source, if formants are to stay.
  ///   - isPortable: Whether to do without vector instructions that not every processor has.
  init(
    map: StretchMap, channelCount: Int, sampleRate: Int, steepest: Double? = nil,
    overlaps: (lowest: Int, others: Int), shift: Double? = nil,
    isPortable: Bool = false
  ) throws(ScalingError) {
    self.map = map
    self.channelCount = channelCount
    let level = Spectra.level(isPortable: isPortable)
    self.level = level
    let steepest = steepest ?? map.steepest
    let size = Self.windowFrames(sampleRate: sampleRate)
    let sizes = [size, size / 4, size / 8].map { max(Spectra.sizes.lowerBound, $0) }
    let (low, high) = Self.crossovers
    func band(
      _ index: Int, _ above: Double?, _ below: (hertz: Double, size: Int)?
    ) throws(ScalingError) -> VocoderBand {
      try VocoderBand(
        size: sizes[index], overlap: index == 0 ? overlaps.lowest : overlaps.others,
        channelCount: channelCount, sampleRate: sampleRate,
        above: above, below: below, isPortable: isPortable)
    }
    bands = [
      try band(0, nil, (low, sizes[1])), try band(1, low, (high, sizes[2])), try band(2, high, nil),
    ].filter { !$0.isEmpty }
    for (below, band) in zip(bands, bands.dropFirst()) { band.tie(to: below) }
    blockFrames = sizes[2] / overlaps.others
    formants = shift.map {
      FormantEnvelope(ratio: $0, size: sizes[0], sampleRate: sampleRate, level: level)
    }
    voice = PitchSynchronizer(
      start: bands.map(\.output).min() ?? 0, hop: blockFrames, memory: size,
      channelCount: channelCount, sampleRate: sampleRate,
      level: level)
    balance = LevelBalance(hop: bands.first?.hop ?? blockFrames, sampleRate: sampleRate)
    reach = size
    sourceCapacity = Int(steepest * Double(2 * size)) + 4 * size + 8192
    base = -2 * size
    filled = 2 * size
    source = .allocate(capacity: sourceCapacity * channelCount)
    source.initialize(repeating: 0, count: sourceCapacity * channelCount)
    sumCapacity = 3 * size
    sums = .allocate(capacity: sumCapacity * channelCount)
    sums.initialize(repeating: 0, count: sumCapacity * channelCount)
    (next, sumBase) = (-size, -size)
  }

  deinit {
    source.deallocate()
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

  /// Takes interleaved source frames, at most those that are lacking; `nil` for silence.
  func put(_ input: Span<Double>?, from start: Int, count: Int) {
    makeRoom(count)
    for channel in 0..<channelCount {
      let plane = source + channel * sourceCapacity + filled
      if let input {
        Spectra.take(
          channel, of: channelCount, from: start, count: count, in: input, into: plane, level: level
        )
      } else {
        plane.update(repeating: 0, count: count)
      }
    }
    filled += count
  }

  /// Makes a frame of a band, or completes a block of output.
  ///
  /// A complete block must be read before the next call.
  func advance() -> Progress {
    if next - sumBase >= reach { moveSums() }
    if let band = nextBand {
      if !band.isPlaced {
        while voice.output <= band.output {
          let lacking = voice.needsTo(along: map) - (base + filled)
          if lacking > 0 { return .lacks(min(lacking, 4096)) }
          voice.advance(along: map, plane: sourceCapacity) { self.frames($0, 0) }
        }
        band.place(along: map, voice)
      }
      let lacking = band.needsTo - (base + filled)
      if lacking > 0 { return .lacks(min(lacking, 4096)) }
      if band === bands.first { expectLevel(before: band.output) }
      let place = band.output - band.size / 2 - sumBase
      band.make(
        attackGain: formants == nil ? balance.gain : 1, formants: formants,
        block: { channel, start in self.frames(start, channel) },
        sum: { channel in self.sums + channel * self.sumCapacity + place })
      return .frame
    }
    next += blockFrames
    balance.complete(
      from: next - blockFrames, count: blockFrames,
      energy: energy(of: sums, sumCapacity, from: next - blockFrames - sumBase, count: blockFrames))
    return .block(next - blockFrames)
  }

  /// Takes the energy that the source has along the map in the hop before an output frame.
  private func expectLevel(before output: Int) {
    balance.expect(before: output, along: map) { start, count in
      let start = max(start, base)
      let end = min(start + count, base + filled)
      return start < end
        ? energy(of: source, sourceCapacity, from: start - base, count: end - start)
          / Double(end - start) : 0
    }
  }

  private func energy(
    of planes: UnsafeMutablePointer<Float>, _ capacity: Int, from first: Int, count: Int
  ) -> Double {
    var whole = 0.0
    for channel in 0..<channelCount {
      let plane = UnsafeRawPointer(planes + channel * capacity + first)
      var (sums, rest) = (SIMD8<Float>(), Float(0))
      for index in 0..<count / 8 {
        let frames = plane.loadUnaligned(fromByteOffset: 32 * index, as: SIMD8<Float>.self)
        sums += frames * frames
      }
      for frame in count / 8 * 8..<count {
        let sample = planes[channel * capacity + first + frame]
        rest += sample * sample
      }
      whole += Double(sums.sum()) + Double(rest)
    }
    return whole
  }

  private func frames(_ start: Int, _ channel: Int) -> UnsafePointer<Float> {
    UnsafePointer(source + channel * sourceCapacity + max(0, start - base))
  }

  /// The band of the frame that is made next; `nil` if a block is completed.
  private var nextBand: VocoderBand? {
    bands.first { $0.output - $0.size / 2 < next + blockFrames }
  }

  /// The middle of the output frame that is made next; `nil` if a block is completed.
  var nextMiddle: Int? { nextBand?.output }

  /// An output frame before which frames that will be made need nothing of the map.
  var firstNeeded: Int { bands.reduce(next) { min($0, $1.output) } - 2 * reach }

  /// Takes another map, on which the frames that were made lie as well; it lacks the first attacks of the last one.
  func use(_ map: StretchMap, droppingAttacks attacks: Int) {
    self.map = map
    voice.continueOnMap(droppingAttacks: attacks)
    balance.continueOnMap(droppingAttacks: attacks)
    for band in bands { band.continueOnMap(droppingAttacks: attacks) }
  }

  /// Writes frames of the block that was completed last, interleaved.
  func copyBlock<Sample: BinaryFloatingPoint>(
    _ frames: Range<Int>, to target: UnsafeMutablePointer<Sample>
  ) {
    let (channelCount, first, count) = (channelCount, frames.lowerBound, frames.count)
    for channel in 0..<channelCount {
      let plane = sums + channel * sumCapacity + next - blockFrames - sumBase + first
      for frame in 0..<count { target[frame * channelCount + channel] = Sample(plane[frame]) }
    }
  }

  /// Drops source frames that no band needs any more.
  private func makeRoom(_ count: Int) {
    guard filled + count > sourceCapacity else { return }
    var least = base + filled
    // A frame at an attack may lie up to a hop before the map.
    for band in bands { least = min(least, band.needsFrom - band.hop - voice.reach) }
    let drop = max(filled + count - sourceCapacity, min(filled, least - base))
    for channel in 0..<channelCount {
      let plane = source + channel * sourceCapacity
      plane.update(from: plane + drop, count: filled - drop)
    }
    base += drop
    filled -= drop
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

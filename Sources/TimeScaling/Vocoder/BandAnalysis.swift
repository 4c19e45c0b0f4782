internal import CKernels

/// The windows and bins of a band of a vocoder.
///
/// Frame `k` has its middle at output frame `k * hop`.
final class BandShape {
  /// Frames of a window, between the middles of two, and how many overlap.
  let size, hop, overlap: Int
  /// True for the lowest band.
  let isLowest: Bool
  /// The bins with a share, and those whose phases may be continued: all of the lowest band.
  let bins, reachable: Range<Int>
  /// The share of each bin in the output, and its cosine and sine of a hop: its number in turns / ``overlap``.
  let shares, hopCosine, hopSine: UnsafeMutablePointer<Float>

  /// A band above a crossover in Hz and below another, where a band with windows of another size follows; `nil` for
  /// none.
  init(
    size: Int, overlap: Int, sampleRate: Int, above: Double?, below: (hertz: Double, size: Int)?
  ) {
    (self.size, hop, self.overlap, isLowest) = (size, size / overlap, overlap, above == nil)
    let binCount = size / 2 + 1
    (shares, hopCosine, hopSine) = (
      .allocate(capacity: binCount), .allocate(capacity: binCount), .allocate(capacity: binCount)
    )
    var (first, end) = (binCount, 0)
    let turns = Turns(overlap)
    let passed = below.map { Self.passed(binCount, of: size, by: $0, sampleRate: sampleRate) }
    for bin in 0..<binCount {
      (hopCosine + bin).initialize(to: Float(turns.cosines[bin % overlap]))
      (hopSine + bin).initialize(to: Float(turns.sines[bin % overlap]))
      let width = Double(sampleRate) / Double(size)
      var share = above.map { Self.rise(Double(bin) * width, at: $0) } ?? 1
      if let passed {
        share *= 1 - passed[bin]
        if share < 1e-4 { share = 0 }
      }
      (shares + bin).initialize(to: Float(share))
      if share > 0 { (first, end) = (min(first, bin), bin + 1) }
    }
    bins = first < end ? first..<end : 0..<0
    reachable = isLowest ? 0..<binCount : bins
  }

  deinit {
    for memory in [shares, hopCosine, hopSine] { memory.deallocate() }
  }

  /// The part of the middle of each bin that the band above a crossover passes.
  ///
  /// A window spreads a frequency over bins, which have gains of their own; their energies weigh them. The band below
  /// passes the rest, so that both together pass everything.
  private static func passed(
    _ binCount: Int, of size: Int, by above: (hertz: Double, size: Int), sampleRate: Int
  ) -> [Double] {
    let (ratio, width) = (size / above.size, Double(sampleRate) / Double(above.size))
    // The bins on either side that count.
    let near = 4
    let spreads = (0..<(near + 1) * ratio).map {
      spread(Double($0) / Double(ratio), resolution: size)
    }
    let rises = (0...binCount / ratio + near).map { rise(Double($0) * width, at: above.hertz) }
    return (0..<binCount).map { bin in
      let place = bin / ratio
      return (place - near...place + near).reduce(0) {
        $0 + spreads[abs(bin - $1 * ratio)] * rises[abs($1)]
      }
    }
  }

  /// The part of a tone's energy that a bin has under a Hann window, at a distance in bins that is a whole number of
  /// parts of `resolution`.
  static func spread(_ distance: Double, resolution: Int) -> Double {
    var weight = distance == 0 ? 1 : 0.5
    if distance != 0, distance != 1 {
      var (cosine, sine) = (0.0, 0.0)
      // Half a turn for each bin.
      let whole = Int64(2 * resolution)
      scaleaudio_turn(Int64((distance * Double(resolution)).rounded()), whole, &cosine, &sine)
      weight = sine / (Double.pi * distance * (1 - distance * distance))
    }
    return weight * weight / 1.5
  }

  /// The raised cosine of a crossover, 12 % wide, by arithmetic that is the same everywhere.
  private static func rise(_ hertz: Double, at crossover: Double) -> Double {
    let place = min(max((hertz / crossover - 0.94) / 0.12, 0), 1)
    if place == 0 || place == 1 { return place }
    let whole = 1 << 20
    var (cosine, sine) = (0.0, 0.0)
    scaleaudio_turn(
      Int64(place * Double(whole / 2)), Int64(whole), &cosine, &sine)
    return 0.5 - 0.5 * cosine
  }
}

/// A frame of a band before it has phases: its place, and the spectra of the source there.
final class AnalyzedFrame {
  /// The middle of the frame in the output, and its source frame, `Int.min` before it is analyzed.
  fileprivate(set) var output = 0, source = Int.min
  /// True for the first frame.
  fileprivate(set) var isFirst = false
  fileprivate(set) var isAttack = false
  /// The degree to which bins tend to the turns of one delay, and the part of a frame by which the source lies later.
  fileprivate(set) var pull = 0.0, shift = 0.0
  fileprivate(set) var attackScale = 1.0
  fileprivate(set) var attackDelay: Double?
  fileprivate(set) var isAttackOutside = false
  /// How many frames before this one another lies a hop earlier in the source, so that its spectrum is the one from
  /// there; `nil` if none of the last ones does.
  fileprivate(set) var framesBack: Int?
  /// The source frame of the spectrum a hop after the last frame; `nil` if there is none.
  fileprivate(set) var aheadSource: Int?
  /// The energy of the source along the map in the hop before; `nil` where nothing is to be expected.
  var energy: Double?
  /// The spectra of the frame, a hop earlier in the source, and a hop after the last frame, of the bins that are kept:
  /// planes of real parts of all channels, then of imaginary parts.
  let now, earlier, ahead: UnsafeMutablePointer<Float>
  /// The share of each reachable bin in the output, and the end of those whose phases are continued.
  let shares: UnsafeMutablePointer<Float>
  fileprivate(set) var end = 0
  /// The end of those that tend to the turns of one delay.
  fileprivate(set) var pulled = 0
  /// The gains of bins, if formants stay, and the levels of groups of bins in the source.
  fileprivate let gains, levels: UnsafeMutablePointer<Float>
  /// 1 for each group of bins in which channels hold different things.
  fileprivate let apart: UnsafeMutablePointer<UInt8>

  fileprivate init(planes: Int, binCount: Int, hasGains: Bool) {
    func zeros(_ count: Int) -> UnsafeMutablePointer<Float> {
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
      memory.initialize(repeating: 0, count: count)
      return memory
    }
    (now, earlier, ahead) = (zeros(2 * planes), zeros(2 * planes), zeros(2 * planes))
    (gains, levels) = (zeros(hasGains ? binCount : 0), zeros(4 * (binCount / 8 + 2)))
    shares = zeros(binCount)
    let groups = binCount / 8 + 2
    apart = .allocate(capacity: groups)
    apart.initialize(repeating: 0, count: groups)
  }

  deinit {
    for memory in [now, earlier, ahead, shares, gains, levels] { memory.deallocate() }
    apart.deallocate()
  }
}

/// The positions of a band's frames in the source, and their spectra.
final class BandAnalysis {
  /// The windows and bins.
  let shape: BandShape
  /// The middle of the next frame in the output.
  private(set) var output: Int
  /// True once the source position of the next frame is settled.
  private(set) var isPlaced = false

  private let channelCount: Int
  private let spectra: Spectra
  private let level: scaleaudio_kernel_level
  /// The numbers of kept bins from the plane of one channel to the next, and those of all planes.
  let plane, planes: Int
  private let scratch: UnsafeMutablePointer<Float>
  /// Running means of what the channels have in common, and the part of them that remains after a frame.
  private let likeness: UnsafeMutablePointer<Float>
  private let remembering: Float
  private let formants: FormantEnvelope?
  /// A whole spectrum, whose real and imaginary parts are half of the numbers each.
  private let whole: UnsafeMutableBufferPointer<Float>
  private var frames: [AnalyzedFrame] = []
  private var source: Int
  private var isAttack = false
  private var (pull, shift) = (0.0, 0.0)
  /// The steady frames since voiced ones began, at most a window of them.
  private var steadyFrames = 0
  private var attackScale = 1.0
  private var attackDelay: Double?
  private var isAttackOutside = false
  /// The source frame of the last frame.
  private var analyzed: Int?
  private var cursor = MapCursor()
  private let reaching: Double
  private let isSmooth: Bool

  /// The degree to which bins tend to the turns of one delay in voiced frames, and in the first that are steady, over a window: what
  /// came before left phases that have nothing to do with each other.
  private static let (voicedPull, firstPull) = (0.35, 8.0)
  /// Seconds for which it counts what channels have in common.
  private static let likenessSeconds = 1.0
  /// How many frames are searched for one a hop earlier: at factors of 2, 3 and 4, every second, third and fourth is.
  private static let searched = 4

  /// - Parameters:
  ///   - isSmooth: True if noise is made anew, and voiced frames are not moved by whole periods.
  ///   - formants: The envelope that preserves formants, the same for all bands; `nil` if they move with the pitch.
  init(
    _ shape: BandShape, channelCount: Int, sampleRate: Int, isSmooth: Bool,
    formants: FormantEnvelope?, isPortable: Bool
  ) throws(ScalingError) {
    self.isSmooth = isSmooth
    spectra = try Spectra(size: shape.size, isPortable: isPortable)
    (self.shape, self.channelCount, self.formants) = (shape, channelCount, formants)
    level = spectra.level
    plane = (shape.reachable.count + 7) / 8 * 8
    planes = plane * channelCount
    scratch = .allocate(capacity: 7 * (shape.reachable.count + 1))
    scratch.initialize(repeating: 0, count: 7 * (shape.reachable.count + 1))
    let likenessCount = (shape.reachable.count / 8 + 2) * (2 + 3 * channelCount)
    likeness = .allocate(capacity: likenessCount)
    likeness.initialize(repeating: 0, count: likenessCount)
    remembering = Float(
      max(0, 1 - Double(shape.hop) / (Self.likenessSeconds * Double(sampleRate))))
    whole = .allocate(capacity: 2 * (spectra.binCount + 7))
    whole.initialize(repeating: 0)
    reaching = StretchMap.before * Double(sampleRate)
    // The first frame whose window reaches into the output.
    output = -shape.size / 2 + shape.hop
    source = output
  }

  deinit {
    whole.deallocate()
    scratch.deallocate()
    likeness.deallocate()
  }

  /// Makes room for the frames whose middles lie within some output frames, and for those before that they need.
  func makeRoom(within outputFrames: Int) {
    let missing = outputFrames / shape.hop + 1 + Self.searched - frames.count
    guard missing > 0 else { return }
    frames =
      frames
      + (0..<missing).map { _ in
        AnalyzedFrame(
          planes: planes, binCount: shape.reachable.count, hasGains: formants != nil)
      }
  }

  /// The frame with its middle at an output frame, a multiple of a hop.
  func frame(at output: Int) -> AnalyzedFrame {
    let number = output / shape.hop % frames.count
    return frames[number < 0 ? number + frames.count : number]
  }

  /// The first source frame that a frame of this band reads.
  var needsFrom: Int { min(source - shape.hop, (analyzed ?? source) + shape.hop) - shape.size / 2 }
  /// The source frame after the last one that the next frame reads.
  var needsTo: Int { max(source, (analyzed ?? source) + shape.hop) + shape.size / 2 }

  /// Settles the source of the next frame.
  func place(along map: StretchMap, _ voice: PitchSynchronizer) {
    (source, isAttack) = cursor.step(to: output, on: map, ahead: reaching)
    (pull, shift) = (0, 0)
    if !isSmooth, !isAttack, let step = voice.step(at: output), step.isVoiced {
      source = Int(step.source.rounded())
      let isFirst = step.isSteady && steadyFrames < shape.overlap
      if step.isSteady { steadyFrames += 1 }
      (pull, shift) = (
        isFirst ? Self.firstPull : Self.voicedPull, step.source - step.source.rounded()
      )
    } else {
      steadyFrames = 0
    }
    attackScale = cursor.attackScale(at: output, from: source, on: map, reach: shape.size / 2)
    attackDelay = cursor.attackDelay(at: output, from: source, on: map, reach: shape.size / 2)
    isAttackOutside = cursor.isAttackOutside(
      at: output, from: source, on: map, reach: shape.size / 2)
    isPlaced = true
  }

  /// Continues on another map, which lacks the first attacks of the last one.
  func continueOnMap(droppingAttacks attacks: Int) {
    cursor.continueOnMap(droppingAttacks: attacks)
  }

  /// Analyzes the next frame, which is placed.
  ///
  /// - Parameters:
  ///   - energy: That of the source in the hop before, if it is to be expected.
  ///   - choice: The windows that make each group of bins.
  ///   - block: Gives `size` source frames of a channel from a frame on.
  func advance(
    energy: Double?, choice: WindowChoice, block: (Int, Int) -> UnsafePointer<Float>
  ) {
    let frame = frame(at: output)
    (frame.output, frame.source, frame.energy) = (output, source, energy)
    (frame.isFirst, frame.isAttack) = (analyzed == nil, isAttack)
    (frame.pull, frame.shift) = (pull, shift)
    (frame.attackScale, frame.attackDelay) = (attackScale, attackDelay)
    frame.isAttackOutside = isAttackOutside
    let last = self.frame(at: output - shape.hop)
    if last.aheadSource == source {
      frame.now.update(from: last.ahead, count: 2 * planes)
    } else {
      analyze(source, into: frame.now, block)
    }
    frame.framesBack = (1...Self.searched).first {
      self.frame(at: output - $0 * shape.hop).source == source - shape.hop
    }
    if frame.framesBack == nil { analyze(source - shape.hop, into: frame.earlier, block) }
    frame.aheadSource = nil
    if let analyzed, frame.framesBack != 1, source - analyzed < shape.hop {
      analyze(analyzed + shape.hop, into: frame.ahead, block)
      frame.aheadSource = analyzed + shape.hop
    }
    if let formants {
      if shape.isLowest {
        formants.find(around: source, channelCount: channelCount, block: block)
        formants.keepLevel(
          of: frame.now, plane: plane, channelCount: channelCount, size: shape.size)
      }
      let gains = formants.gains(of: shape.reachable, size: shape.size)
      frame.gains.update(from: gains + shape.reachable.lowerBound, count: shape.reachable.count)
    }
    (frame.end, frame.pulled) = choice.share(among: shape, at: output, into: frame.shares)
    var work = work(of: frame)
    work.scratch = scratch
    scaleaudio_phases_measure(level, &work)
    analyzed = source
    output += shape.hop
    isPlaced = false
  }

  /// The levels of the source that a frame and those before it show.
  func work(of frame: AnalyzedFrame) -> scaleaudio_phases {
    let earlier =
      frame.framesBack.map { self.frame(at: frame.output - $0 * shape.hop).now } ?? frame.earlier
    let first = shape.reachable.lowerBound
    var work = scaleaudio_phases()
    (work.channels, work.source_plane) = (Int32(clamping: channelCount), Int32(clamping: plane))
    (work.first, work.end) = (Int32(first), Int32(frame.end))
    work.grouped = Int32(shape.reachable.count)
    (work.real, work.imaginary) = (UnsafePointer(frame.now), UnsafePointer(frame.now + planes))
    (work.earlier_real, work.earlier_imaginary) = (
      UnsafePointer(earlier), UnsafePointer(earlier + planes)
    )
    work.gains = formants == nil ? nil : UnsafePointer(frame.gains)
    (work.hop_cosine, work.hop_sine) = (
      UnsafePointer(shape.hopCosine + first), UnsafePointer(shape.hopSine + first)
    )
    work.source_levels = frame.levels
    work.is_first = frame.isFirst
    (work.apart, work.likeness, work.remembering) = (frame.apart, likeness, remembering)
    return work
  }

  private func analyze(
    _ middle: Int, into target: UnsafeMutablePointer<Float>,
    _ block: (Int, Int) -> UnsafePointer<Float>
  ) {
    let kept = shape.reachable
    guard let real = whole.baseAddress, !kept.isEmpty else { return }
    let imaginary = real + whole.count / 2
    for channel in 0..<channelCount {
      let place = target + channel * plane
      let frames = block(channel, middle - shape.size / 2)
      if kept.count == spectra.binCount {
        spectra.analyze(frames, real: place, imaginary: place + planes)
        continue
      }
      spectra.analyze(frames, real: real, imaginary: imaginary)
      place.update(from: real + kept.lowerBound, count: kept.count)
      (place + planes).update(from: imaginary + kept.lowerBound, count: kept.count)
    }
  }
}

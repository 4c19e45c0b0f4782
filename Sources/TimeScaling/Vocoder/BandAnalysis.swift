/// A frame of a band before it has phases: its place, and the spectra of the source there.
final class AnalyzedFrame {
  /// The middle of the frame in the output, and its source frame.
  fileprivate(set) var output = 0, source = 0
  /// Whether no frame came before.
  fileprivate(set) var isFirst = false
  fileprivate(set) var isAttack = false
  /// How much bins tend to the turns of one delay, and the part of a frame by which the source lies later.
  fileprivate(set) var pull = 0.0, shift = 0.0
  fileprivate(set) var attackScale = 1.0
  fileprivate(set) var attackDelay: Double?
  /// Whether the last frame lies a hop earlier in the source, so that its spectrum is the one from there.
  fileprivate(set) var followsLast = false
  fileprivate(set) var hasAhead = false
  /// The energy of the source along the map in the hop before; `nil` where nothing is to be expected.
  var energy: Double?
  /// The spectra of the frame, a hop earlier in the source, and a hop behind the last frame, of the bins that are kept:
  /// planes of real parts of all channels, then of imaginary parts.
  let now, earlier, ahead: UnsafeMutablePointer<Float>

  fileprivate init(planes: Int, isLowest: Bool) {
    func zeros(_ count: Int) -> UnsafeMutablePointer<Float> {
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
      memory.initialize(repeating: 0, count: count)
      return memory
    }
    (now, earlier, ahead) = (zeros(2 * planes), zeros(2 * planes), zeros(isLowest ? 2 * planes : 0))
  }

  deinit {
    for memory in [now, earlier, ahead] { memory.deallocate() }
  }
}

/// Where the frames of a band lie in the source, and their spectra.
///
/// Frame `k` has its middle at output frame `k * hop`.
final class BandAnalysis {
  /// Frames of a window, and between the middles of two.
  let size, hop: Int
  /// The middle of the next frame in the output.
  private(set) var output: Int
  /// Whether the source of the next frame is settled.
  private(set) var isPlaced = false

  private let channelCount: Int
  private let isLowest: Bool
  private let spectra: Spectra
  /// The bins that are kept, the numbers from the plane of one channel to the next, and those of all planes.
  private let bins: Range<Int>
  let plane, planes: Int
  /// A whole spectrum, whose real and imaginary parts are half of the numbers each.
  private let whole: UnsafeMutableBufferPointer<Float>
  private var frames: [AnalyzedFrame] = []
  private var source: Int
  private var isAttack = false
  private var (pull, shift) = (0.0, 0.0)
  private var attackScale = 1.0
  private var attackDelay: Double?
  /// The source frame of the last frame.
  private var analyzed: Int?
  private var cursor = MapCursor()
  private let reaching: Double

  /// How much bins tend to the turns of one delay in voiced frames.
  private static let voicedPull = 0.35

  /// - Parameter bins: Those to keep of each spectrum.
  init(
    size: Int, hop: Int, bins: Range<Int>, channelCount: Int, sampleRate: Int, isLowest: Bool,
    isPortable: Bool
  ) throws(ScalingError) {
    spectra = try Spectra(size: size, isPortable: isPortable)
    (self.size, self.hop, self.channelCount, self.isLowest) = (size, hop, channelCount, isLowest)
    self.bins = bins
    plane = (bins.count + 7) / 8 * 8
    planes = plane * channelCount
    whole = .allocate(capacity: 2 * (spectra.binCount + 7))
    whole.initialize(repeating: 0)
    reaching = StretchMap.before * Double(sampleRate)
    // The first frame whose window reaches into the output.
    output = -size / 2 + hop
    source = output
  }

  deinit { whole.deallocate() }

  /// Makes room for the frames whose middles lie within some output frames, and for the last one before.
  func makeRoom(within outputFrames: Int) {
    while frames.count < outputFrames / hop + 2 {
      frames.append(AnalyzedFrame(planes: planes, isLowest: isLowest))
    }
  }

  /// The frame with its middle at an output frame, a multiple of ``hop``.
  func frame(at output: Int) -> AnalyzedFrame {
    let number = output / hop % frames.count
    return frames[number < 0 ? number + frames.count : number]
  }

  /// The first source frame that a frame of this band reads.
  var needsFrom: Int { min(source - hop, (analyzed ?? source) + hop) - size / 2 }
  /// The source frame behind the last one that the next frame reads.
  var needsTo: Int { max(source, (analyzed ?? source) + hop) + size / 2 }

  /// Settles the source of the next frame.
  func place(along map: StretchMap, _ voice: PitchSynchronizer) {
    (source, isAttack) = cursor.step(to: output, on: map, ahead: reaching)
    (pull, shift) = (0, 0)
    if !isAttack, let step = voice.step(at: output), step.isVoiced {
      source = Int(step.source.rounded())
      (pull, shift) = (Self.voicedPull, step.source - step.source.rounded())
    }
    attackScale = cursor.attackScale(at: output, from: source, on: map, reach: size / 2)
    attackDelay = cursor.attackDelay(at: output, from: source, on: map, reach: size / 2)
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
  ///   - block: Gives `size` source frames of a channel from a frame on.
  func advance(energy: Double?, block: (Int, Int) -> UnsafePointer<Float>) {
    let frame = frame(at: output)
    (frame.output, frame.source, frame.energy) = (output, source, energy)
    (frame.isFirst, frame.isAttack) = (analyzed == nil, isAttack)
    (frame.pull, frame.shift) = (pull, shift)
    (frame.attackScale, frame.attackDelay) = (attackScale, attackDelay)
    analyze(source, into: frame.now, block)
    frame.followsLast = analyzed == source - hop
    frame.hasAhead = false
    if !frame.followsLast {
      analyze(source - hop, into: frame.earlier, block)
      if let analyzed, isLowest, source - analyzed < hop {
        analyze(analyzed + hop, into: frame.ahead, block)
        frame.hasAhead = true
      }
    }
    analyzed = source
    output += hop
    isPlaced = false
  }

  private func analyze(
    _ middle: Int, into target: UnsafeMutablePointer<Float>,
    _ block: (Int, Int) -> UnsafePointer<Float>
  ) {
    guard let real = whole.baseAddress, !bins.isEmpty else { return }
    let imaginary = real + whole.count / 2
    for channel in 0..<channelCount {
      spectra.analyze(block(channel, middle - size / 2), real: real, imaginary: imaginary)
      let kept = target + channel * plane
      kept.update(from: real + bins.lowerBound, count: bins.count)
      (kept + planes).update(from: imaginary + bins.lowerBound, count: bins.count)
    }
  }
}

public import AudioModel
import Glibc

/// Changes the length and keeps the pitch, or shifts it independently, by our own phase vocoder.
///
/// Source position `t`, in frames, is at `t * L / N` of the output, or where a map puts it; around attacks the audio
/// runs at its original speed for 6 ms, and in voiced parts in whole pitch periods. If neither length nor pitch
/// changes, frames pass through unchanged. Otherwise samples are processed as `Float`, and NaN becomes silence. The
/// whole source must be studied first, for its attacks. A shift of the pitch is a longer or shorter stretch, resampled.
/// Channels that have nothing in common with others throughout the source are stretched as files of their own.
///
/// Copies of a scaler share its vocoders, so use only one of them.
///
/// Sources: J. L. Flanagan and R. M. Golden, "Phase vocoder", Bell System Technical Journal 45, 1966; J. Laroche and M.
/// Dolson, "Improved phase vocoder time-scale modification of audio", IEEE Transactions on Speech and Audio Processing
/// 7(3), 1999.
public struct VocoderScaler: TimeScaler {
  /// The sample type of input and output.
  public typealias Sample = Double

  /// The number of channels, at least 1.
  public let channelCount: Int
  /// The number of input frames, at least 0.
  public let inputFrames: Int
  /// The number of output frames, at least 0.
  public let outputFrames: Int

  private let sampleRate: Int
  private let stretchMap: StretchMap
  private let isIdentity: Bool
  private let isSmooth: Bool
  /// The shift of the pitch, if formants stay in place.
  private let keptShift: Double?
  private let isPortable: Bool
  private let cores: (any SpareCores)?
  /// Stretched frames, before the pitch is shifted.
  private let stretchedFrames: Int
  /// Those of attacks in all channels, and then in each while they may belong to several tracks.
  private var finders: [AttackFinder] = []
  /// Finds tracks while there may be several.
  private var trackFinder: TrackFinder?
  private var edges: SourceEdges
  /// The frames behind the source that were put.
  private var edgePut = 0
  /// A vocoder for each track, and the index of the one that makes the next frame. All finish a block before the next.
  private var vocoders: [Vocoder] = []
  private var turn = 0
  private var resampler: SincScaler<Double>?
  private var studied = 0
  private var taken = 0
  /// Stretched frames that were passed on, and output frames.
  private var passed = 0
  private var produced = 0
  /// A block of stretched frames, interleaved, and the frames in it that are left.
  private var block: [Double] = []
  private var left = 0..<0

  /// A scaler for fixed lengths.
  ///
  /// - Parameters:
  ///   - inputFrames: The number of input frames, at least 0.
  ///   - outputFrames: The number of output frames, at least 0.
  ///   - channelCount: The number of samples in a frame, at least 1.
  ///   - sampleRate: In Hz. Rates outside 1 kHz to 1 MHz are treated as the nearest rate within.
  ///   - semitones: The shift of the pitch, within ``StretchSettings/semitoneRange``.
  ///   - formants: The treatment of the formants: they move with the pitch or stay in place.
  ///   - map: The positions in the output, in frames; `nil` for a constant factor.
  /// - Throws: ``ScalingError/outOfRange(_:remedy:)`` if the pitch or a factor is out of range.
  public init(
    inputFrames: Int, outputFrames: Int, channelCount: Int, sampleRate: Int,
    semitones: Double = 0, formants: StretchSettings.Formants = .shift, map: TimeMap? = nil
  ) throws(ScalingError) {
    try self.init(
      inputFrames: inputFrames, outputFrames: outputFrames, channelCount: channelCount,
      sampleRate: sampleRate, semitones: semitones, formants: formants, map: map,
      isPortable: false, cores: nil)
  }

  /// A scaler that other cores may help; the output is the same.
  ///
  /// - Parameters:
  ///   - isPortable: `true` to do without vector instructions that not every processor has; the output is the same.
  ///   - cores: The cores that may do a part of the work; `nil` for none.
  /// - Throws: ``ScalingError/outOfRange(_:remedy:)`` if the pitch or a factor is out of range.
  package init(
    inputFrames: Int, outputFrames: Int, channelCount: Int, sampleRate: Int,
    semitones: Double = 0, formants: StretchSettings.Formants = .shift, map: TimeMap? = nil,
    isPortable: Bool = false, cores: (any SpareCores)? = nil
  ) throws(ScalingError) {
    self.channelCount = max(1, channelCount)
    (self.isPortable, self.cores) = (isPortable, cores)
    self.inputFrames = max(0, inputFrames)
    self.outputFrames = self.inputFrames == 0 ? 0 : max(0, outputFrames)
    self.sampleRate = min(max(sampleRate, 1000), 1_000_000)
    try StretchSettings(semitones: semitones).checkPitch()
    let pitch = semitones == 0 ? 1 : exp2(semitones / 12)
    keptShift = formants == .preserve && semitones != 0 ? pitch : nil
    let unshifted = StretchMap(
      inputFrames: self.inputFrames, outputFrames: self.outputFrames, map: map, scale: 1)
    if self.outputFrames > 0 { try unshifted.checkSlopes(of: .vocoder) }
    isIdentity = semitones == 0 && unshifted.isIdentity
    stretchMap = StretchMap(
      inputFrames: self.inputFrames, outputFrames: self.outputFrames, map: map, scale: pitch)
    isSmooth = stretchMap.gentlest >= Vocoder.smoothFactor
    edges = SourceEdges(
      frames: Vocoder.windowFrames(sampleRate: self.sampleRate, gentlest: stretchMap.gentlest),
      channelCount: self.channelCount, goesOn: isSmooth,
      level: Spectra.level(isPortable: isPortable))
    guard let frames = Int(exactly: (Double(self.outputFrames) * pitch).rounded(.up)) else {
      throw .outOfRange("the audio is too long")
    }
    stretchedFrames = frames
    if semitones != 0, frames > 0 {
      resampler = try SincScaler<Double>(
        inputFrames: frames, outputFrames: self.outputFrames, factor: 1 / pitch,
        channelCount: self.channelCount, quality: .high)
    }
  }

  /// True if the length or the pitch changes.
  public var needsStudy: Bool { !isIdentity && outputFrames > 0 }

  /// Analyzes the next frames of the input.
  public mutating func study(_ input: Span<Double>) throws(ScalingError) {
    guard needsStudy else { return }
    let count = min(input.count / channelCount, inputFrames - studied)
    let first = edges.take(input, frameCount: count)
    if studied == 0, channelCount > 1 {
      trackFinder = try TrackFinder(
        channelCount: channelCount, sampleRate: sampleRate, isPortable: isPortable)
    }
    studied += count
    if finders.isEmpty, edges.isFirstComplete || studied == inputFrames {
      let all = Array(0..<channelCount)
      for channels in [all] + (trackFinder == nil ? [] : all.map { [$0] }) {
        finders.append(
          try AttackFinder(
            start: -edges.frames, channels: channels, of: channelCount, sampleRate: sampleRate,
            isPortable: isPortable))
      }
      edges.predictBefore()
      look(at: edges.before.span, frameCount: edges.frames)
      look(at: edges.first.span, frameCount: edges.first.count / channelCount)
    }
    if first < count {
      look(
        at: input.extracting(first * channelCount..<count * channelCount),
        frameCount: count - first)
    }
    trackFinder?.look(at: input, frameCount: count)
    if trackFinder?.isOne == true {
      trackFinder = nil
      if finders.count > 1 { finders.removeLast(finders.count - 1) }
    }
  }

  /// Looks for attacks.
  private func look(at input: Span<Double>, frameCount: Int) {
    for finder in finders { finder.look(at: input, frameCount: frameCount) }
  }

  /// Consumes frames of `input` and writes frames to `output`.
  public mutating func process(
    _ input: Span<Double>, into output: inout MutableSpan<Double>
  ) throws(ScalingError) -> ScalingProgress {
    let available = min(input.count / channelCount, inputFrames - taken)
    let capacity = min(output.count / channelCount, outputFrames - produced)
    if isIdentity {
      let count = min(available, capacity)
      for i in 0..<count * channelCount { output[i] = input[i] }
      taken += count
      produced += count
      return ScalingProgress(consumed: count, produced: count)
    }
    if outputFrames == 0 || (available == 0 && vocoders.isEmpty) {
      return ScalingProgress(consumed: 0, produced: 0)
    }
    try prepareVocoders()
    var progress = ScalingProgress(consumed: 0, produced: 0)
    while progress.produced < capacity {
      if !left.isEmpty {
        try pass(into: &output, capacity, &progress.produced)
        continue
      }
      switch advance() {
      case .lacks(let lacking):
        let count = min(lacking, available - progress.consumed)
        if count == 0 { return progress }
        put(input, from: progress.consumed, count: count)
        progress.consumed += count
        taken += count
      case .frame: break
      case .block(let start): fill(from: start)
      }
    }
    return progress
  }

  /// Writes the remaining frames, and returns their number.
  public mutating func finish(
    into output: inout MutableSpan<Double>
  ) throws(ScalingError) -> Int {
    let capacity = min(output.count / channelCount, outputFrames - produced)
    if isIdentity || capacity <= 0 { return 0 }
    try prepareVocoders()
    var made = 0
    while made < capacity {
      if !left.isEmpty {
        try pass(into: &output, capacity, &made)
      } else if passed == stretchedFrames, resampler != nil {
        var target = output._mutatingExtracting(made * channelCount..<capacity * channelCount)
        let count = try resampler?.finish(into: &target) ?? 0
        if count == 0 { throw .failed("the resampler has ended early") }
        made += count
        produced += count
      } else {
        switch advance() {
        case .lacks(let lacking):
          let count = min(lacking, edges.frames - edgePut)
          if count > 0 {
            put(edges.behind.span, from: edgePut, count: count)
            edgePut += count
          } else {
            put(nil, from: 0, count: lacking)
          }
        case .frame: break
        case .block(let start): fill(from: start)
        }
      }
    }
    return made
  }

  /// Returns to the state of a new scaler.
  public mutating func reset() {
    (finders, trackFinder, vocoders, turn) = ([], nil, [], 0)
    resampler?.reset()
    (studied, taken, passed, produced) = (0, 0, 0, 0)
    edges = SourceEdges(
      frames: edges.frames, channelCount: channelCount, goesOn: isSmooth,
      level: Spectra.level(isPortable: isPortable))
    edgePut = 0
    left = 0..<0
  }

  /// Makes the vocoders, before the first frame, with what the study has found.
  private mutating func prepareVocoders() throws(ScalingError) {
    guard vocoders.isEmpty else { return }
    guard studied == inputFrames else {
      throw .failed("audio cannot be stretched before all of it was studied")
    }
    edges.predictBehind()
    look(at: edges.behind.span, frameCount: edges.frames)
    for finder in finders { finder.finish() }
    // Between attacks the map is steeper, but for less than a window.
    let fastest = stretchMap.steepest
    let overlap = Vocoder.overlap(atMost: fastest)
    let tracks = trackFinder?.tracks() ?? []
    var vocoders: [Vocoder] = []
    for track in tracks.count > 1 ? tracks : [Array(0..<channelCount)] {
      let found = track.count == channelCount ? [finders[0]] : track.map { finders[1 + $0] }
      let attacks = AttackFinder.attacks(ofAny: found).filter { $0 >= 0 }
      // Voices that leave out periods change more within a long window.
      let made = try Vocoder(
        map: stretchMap.around(isSmooth ? [] : attacks, sampleRate: sampleRate),
        channels: track, of: channelCount, sampleRate: sampleRate,
        overlaps: (fastest > 1 ? max(8, overlap) : overlap, overlap), shift: keptShift,
        gentlest: stretchMap.gentlest, edgeFrames: edges.frames, outputFrames: stretchedFrames,
        isPortable: isPortable, cores: cores, sharing: vocoders.first)
      made.put(edges.before.span, from: 0, count: edges.frames)
      block = Array(repeating: 0, count: made.blockFrames * channelCount)
      vocoders.append(made)
    }
    self.vocoders = vocoders
    (finders, trackFinder) = ([], nil)
  }

  /// Makes a frame of a track, or completes a block of all.
  private mutating func advance() -> Vocoder.Progress {
    while true {
      let progress = vocoders[turn].advance()
      guard case .block = progress else { return progress }
      turn += 1
      if turn < vocoders.count { continue }
      turn = 0
      return progress
    }
  }

  /// Gives all tracks the same frames: they need them within some milliseconds of each other.
  private func put(_ input: Span<Double>?, from start: Int, count: Int) {
    for vocoder in vocoders { vocoder.put(input, from: start, count: count) }
  }

  /// Takes the frames of a complete block that lie in the output.
  private mutating func fill(from start: Int) {
    let first = max(0, -start)
    let end = min(block.count / channelCount, stretchedFrames - start)
    guard first < end else { return }
    left = first..<end
    block.withUnsafeMutableBufferPointer { block in
      guard let base = block.baseAddress else { return }
      for vocoder in vocoders { vocoder.copyBlock(left, to: base + first * channelCount) }
    }
  }

  /// Passes frames of the block on, through the resampler if there is one.
  private mutating func pass(
    into output: inout MutableSpan<Double>, _ capacity: Int, _ made: inout Int
  ) throws(ScalingError) {
    var progress = ScalingProgress(consumed: 0, produced: 0)
    if var shifting = resampler {
      // One owner at a time, so that nothing is copied.
      resampler = nil
      defer { resampler = shifting }
      var target = output._mutatingExtracting(made * channelCount..<capacity * channelCount)
      let frames = block.span.extracting(
        left.lowerBound * channelCount..<left.upperBound * channelCount)
      progress = try shifting.process(frames, into: &target)
    } else {
      let count = min(left.count, capacity - made)
      let (from, to) = (left.lowerBound * channelCount, made * channelCount)
      for index in 0..<count * channelCount { output[to + index] = block[from + index] }
      progress = ScalingProgress(consumed: count, produced: count)
    }
    left = left.lowerBound + progress.consumed..<left.upperBound
    passed += progress.consumed
    made += progress.produced
    produced += progress.produced
  }
}

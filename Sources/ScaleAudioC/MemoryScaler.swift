internal import AudioModel
internal import CScaleAudio
internal import TimeScaling

/// A scaler behind the interface in C, whose sample types are known only at run time.
class InterfaceScaler {
  /// The sentence of the last error.
  var message = ""

  func study(_ address: UnsafeRawPointer?, count: Int) throws(InterfaceError) {}
  func push(_ address: UnsafeRawPointer?, count: Int) throws(InterfaceError) {}
  func end() throws(InterfaceError) {}
  func pull(
    _ address: UnsafeMutableRawPointer?, capacity: Int
  ) throws(InterfaceError) -> Int { 0 }
  func reset() {}
  func begin(atOutput frame: Int) throws(InterfaceError) -> Int { 0 }
  func scale(
    _ input: UnsafeRawPointer?, count: Int, into output: UnsafeMutableRawPointer?, capacity: Int
  ) throws(InterfaceError) -> Int { 0 }
}

extension ScalerSettings {
  /// A scaler in the sample types that the program takes for this method.
  func scaler() throws(InterfaceError) -> InterfaceScaler {
    switch sampleType {
    case SCALEAUDIO_FLOAT32: try scaler(of: Float.self)
    case SCALEAUDIO_FLOAT64: try scaler(of: Double.self)
    default: try scaler(of: Int16.self)
    }
  }

  private func scaler<Stored: WorkingSample>(
    of type: Stored.Type
  ) throws(InterfaceError) -> InterfaceScaler {
    let channelCount = channelCount
    switch method {
    case .smoothstep: return try interpolating(.smoothstep, type)
    case .linear: return try interpolating(.linear, type)
    case .sinc(.best): return try resampling(.best, type, in: Double.self)
    case .sinc(let quality): return try resampling(quality, type, in: Float.self)
    case .stretch(let settings):
      let sampleRate = sampleRate
      return try MemoryScaler<Stored, Double>(self) { lengths throws(ScalingError) in
        try VocoderScaler(
          inputFrames: lengths.inputFrames, outputFrames: lengths.outputFrames,
          channelCount: channelCount, sampleRate: sampleRate, semitones: settings.semitones,
          formants: settings.formants, map: lengths.map)
      }
    }
  }

  private func interpolating<Stored: WorkingSample>(
    _ interpolation: Interpolation, _: Stored.Type
  ) throws(InterfaceError) -> InterfaceScaler {
    let channelCount = channelCount
    return try MemoryScaler<Stored, Stored>(self) { lengths throws(ScalingError) in
      InterpolatingScaler<Stored>(
        points: ControlPoints(
          inputFrames: lengths.inputFrames, outputFrames: lengths.outputFrames,
          interpolation: interpolation), channelCount: channelCount)
    }
  }

  private func resampling<Stored: WorkingSample, Working: WorkingSample & BinaryFloatingPoint>(
    _ quality: ScalingQuality, _: Stored.Type, in _: Working.Type
  ) throws(InterfaceError) -> InterfaceScaler {
    let channelCount = channelCount
    return try MemoryScaler<Stored, Working>(self) { lengths throws(ScalingError) in
      try SincScaler<Working>(
        inputFrames: lengths.inputFrames, outputFrames: lengths.outputFrames,
        factor: lengths.factor, channelCount: channelCount, quality: quality)
    }
  }
}

/// Scales frames of the type `Stored` in memory, in the type `Working`.
///
/// Positions are counted from the first frame of the signal. Frames that were pushed and not yet consumed are copied; a whole
/// signal is read where it lies.
///
/// The interface calls it through its class, so that nothing inside would be specialized by itself: each sample would be moved
/// by calls, which took longer than libsoxr.
final class MemoryScaler<Stored: WorkingSample, Working: WorkingSample>: InterfaceScaler {
  typealias Maker = (ScalerSettings.Lengths) throws(ScalingError) -> any TimeScaler<Working>

  private let settings: ScalerSettings
  private let makeScaler: Maker
  /// The scaler; `nil` while the length is open and nothing was made.
  private var scaler: (any TimeScaler<Working>)?
  /// The frames to make; `nil` while the length is open.
  private var outputFrames: Int?
  private var quantizer: Quantizer<Stored>

  /// Frames that were pushed, interleaved, from the frame `queueStart` on.
  private var queue: [Stored] = []
  private var queueStart = 0
  /// Frames that were studied, pushed, and made; output frames to leave out.
  private var (studied, received, produced, skipped) = (0, 0, 0, 0)
  private var isEnded = false

  /// Frames in the working type, and those of them that the scaler has not consumed.
  private var block: [Working]
  private var loaded = 0..<0
  private var loadedFirst = 0
  /// Memory for frames before and after they get their type.
  private var made: [Working]
  private var stored: [Stored]

  private static var blockFrames: Int { 4096 }
  /// The length of a signal whose end is open, for the scaler.
  private static var openFrames: Int { 1 << 40 }

  init(_ settings: ScalerSettings, _ makeScaler: @escaping Maker) throws(InterfaceError) {
    (self.settings, self.makeScaler) = (settings, makeScaler)
    let count = Self.blockFrames * settings.channelCount
    (block, made, stored) = (.silence(count), .silence(count), .silence(count))
    quantizer = Quantizer(dither: settings.dither)
    super.init()
    if let frames = settings.inputFrames { try prepare(frames) }
  }

  /// Makes the scaler of a signal.
  private func prepare(_ frames: Int) throws(InterfaceError) {
    let lengths = try settings.lengths(for: frames)
    scaler = try InterfaceError.scaling(try makeScaler(lengths))
    outputFrames = lengths.outputFrames
  }

  override func study(_ address: UnsafeRawPointer?, count: Int) throws(InterfaceError) {
    let source = try Self.frames(address, count, settings)
    // Other methods ignore it.
    guard case .stretch = settings.method, scaler?.needsStudy != false else { return }
    guard let frames = settings.inputFrames, received == 0, !isEnded else {
      throw InterfaceError(
        SCALEAUDIO_WRONG_ORDER, "a study comes before the first push, and needs input_frames")
    }
    guard count <= frames - studied else { throw Self.tooMany(frames) }
    try InterfaceError.scaling(try study(source, from: 0, count: count))
    studied += count
  }

  @specialized(where Stored == Float, Working == Float)
  @specialized(where Stored == Float, Working == Double)
  @specialized(where Stored == Double, Working == Double)
  @specialized(where Stored == Double, Working == Float)
  @specialized(where Stored == Int16, Working == Int16)
  @specialized(where Stored == Int16, Working == Double)
  @specialized(where Stored == Int16, Working == Float)
  private func study(
    _ source: FramesInMemory<Stored>, from start: Int, count: Int
  ) throws(ScalingError) {
    guard scaler?.needsStudy == true else { return }
    var done = 0
    while done < count {
      let frames = min(Self.blockFrames, count - done)
      var span = block.mutableSpan
      source.read(from: start + done, count: frames, into: &span)
      try scaler?.study(block.span.extracting(first: frames * settings.channelCount))
      done += frames
    }
  }

  override func push(_ address: UnsafeRawPointer?, count: Int) throws(InterfaceError) {
    guard !isEnded else { throw InterfaceError(SCALEAUDIO_WRONG_ORDER, "the input has ended") }
    if let frames = settings.inputFrames, studied > 0, studied < frames {
      throw InterfaceError(
        SCALEAUDIO_WRONG_ORDER, "only \(studied) of \(frames) frames were studied")
    }
    let source = try Self.frames(address, count, settings)
    if let frames = settings.inputFrames, count > frames - received { throw Self.tooMany(frames) }
    guard count <= Self.openFrames - received else { throw Self.tooMany(Self.openFrames) }
    source.append(count: count, to: &queue)
    received += count
  }

  override func end() throws(InterfaceError) {
    if isEnded { return }
    if let frames = settings.inputFrames, received < frames {
      throw InterfaceError(
        SCALEAUDIO_WRONG_LENGTH, "\(received) of \(frames) announced frames were pushed")
    }
    if scaler == nil {
      try prepare(received)
    } else if settings.inputFrames == nil {
      outputFrames = try settings.lengths(for: received).outputFrames
      if settings.isCopy {
        // The last frame waits for its neighbor, which is silence.
        queue += [Stored].silence(settings.channelCount)
        received += 1
      }
    }
    if scaler?.needsStudy == true, studied == 0 { try studyQueue() }
    isEnded = true
  }

  /// Studies all that was pushed.
  private func studyQueue() throws(InterfaceError) {
    let queue = queue
    try Self.reading(queue, settings) { source throws(InterfaceError) in
      try InterfaceError.scaling(try study(source, from: 0, count: received))
    }
    studied = received
  }

  override func pull(
    _ address: UnsafeMutableRawPointer?, capacity: Int
  ) throws(InterfaceError) -> Int {
    let target = try Self.frames(address, capacity, settings)
    guard let limit = try framesToMake() else { return 0 }
    // One owner at a time, so that nothing is copied.
    var frames: [Stored] = []
    swap(&frames, &queue)
    defer { swap(&frames, &queue) }
    let start = queueStart
    let made = try Self.reading(frames, settings) { source throws(InterfaceError) in
      try InterfaceError.scaling(
        try run(
          source, startingAt: start, available: received, isEnded: isEnded, limit: limit,
          into: target, capacity: capacity))
    }
    // Loaded frames are no longer needed here.
    let consumed = min(received, loadedFirst + loaded.upperBound) - queueStart
    if consumed * 2 * settings.channelCount >= frames.count, consumed > 0 {
      frames.removeFirst(consumed * settings.channelCount)
      queueStart += consumed
    }
    return made
  }

  /// The frames that can be made at most; `nil` if none can yet.
  private func framesToMake() throws(InterfaceError) -> Int? {
    if let outputFrames {
      let isStudied = scaler?.needsStudy != true || studied == settings.inputFrames || isEnded
      return isStudied ? outputFrames : nil
    }
    guard let factor = settings.openFactor else { return nil }
    let possible = Int(Double(received) * factor)
    if scaler == nil {
      // Fewer frames are held, not resampled.
      guard received > 1, possible > 1 else { return nil }
      let lengths = ScalerSettings.Lengths(
        inputFrames: Self.openFrames,
        outputFrames: settings.isCopy ? Self.openFrames : Self.openFrames << 17, factor: factor,
        map: nil)
      scaler = try InterfaceError.scaling(try makeScaler(lengths))
    }
    return possible
  }

  override func reset() {
    if settings.inputFrames == nil { (scaler, outputFrames) = (nil, nil) }
    scaler?.reset()
    quantizer = Quantizer(dither: settings.dither)
    queue = []
    (queueStart, studied, received, produced, skipped) = (0, 0, 0, 0, 0)
    (isEnded, loaded, loadedFirst) = (false, 0..<0, 0)
  }

  override func begin(atOutput frame: Int) throws(InterfaceError) -> Int {
    guard let frames = outputFrames, settings.inputFrames != nil else {
      throw InterfaceError(SCALEAUDIO_WRONG_ORDER, "beginning at a frame needs input_frames")
    }
    guard frame <= frames else {
      throw InterfaceError(
        SCALEAUDIO_OUT_OF_RANGE, "frame \(frame) is not within 0 to \(frames)")
    }
    reset()
    if let first = scaler?.begin(atOutput: frame) {
      (queueStart, received, loadedFirst, produced) = (first, first, first, frame)
      quantizer = Quantizer(
        dither: settings.dither, nextSample: UInt64(frame * settings.channelCount))
      return first
    }
    scaler?.reset()
    skipped = frame
    return 0
  }

  override func scale(
    _ input: UnsafeRawPointer?, count: Int, into output: UnsafeMutableRawPointer?, capacity: Int
  ) throws(InterfaceError) -> Int {
    let source = try Self.frames(input, count, settings)
    guard let limit = outputFrames, limit <= capacity else {
      throw InterfaceError(
        SCALEAUDIO_WRONG_LENGTH,
        "the output has room for \(capacity) frames, but needs \(outputFrames ?? 0)")
    }
    let target = try Self.frames(output, limit, settings)
    try InterfaceError.scaling(try study(source, from: 0, count: count))
    return try InterfaceError.scaling(
      try run(
        source, startingAt: 0, available: count, isEnded: true, limit: limit, into: target,
        capacity: limit))
  }

  /// Makes up to `capacity` frames, and no more than `limit` in all, from a source that begins at the frame `start` of the
  /// signal and has the frames before `available`.
  @specialized(where Stored == Float, Working == Float)
  @specialized(where Stored == Float, Working == Double)
  @specialized(where Stored == Double, Working == Double)
  @specialized(where Stored == Double, Working == Float)
  @specialized(where Stored == Int16, Working == Int16)
  @specialized(where Stored == Int16, Working == Double)
  @specialized(where Stored == Int16, Working == Float)
  private func run(
    _ source: FramesInMemory<Stored>, startingAt start: Int, available: Int, isEnded: Bool,
    limit: Int, into target: FramesInMemory<Stored>, capacity: Int
  ) throws(ScalingError) -> Int {
    guard var scaler else { return 0 }
    self.scaler = nil
    defer { self.scaler = scaler }
    let channels = settings.channelCount
    var written = 0
    while skipped > 0 || written < capacity {
      let room = min(
        Self.blockFrames, limit - produced, skipped > 0 ? skipped : capacity - written)
      if room <= 0 { break }
      var frames = 0
      var output = made.mutableSpan
      var place = output._mutatingExtracting(0..<room * channels)
      if loaded.isEmpty, loadedFirst + loaded.upperBound < available {
        loadedFirst += loaded.upperBound
        let count = min(Self.blockFrames, available - loadedFirst)
        var span = block.mutableSpan
        source.read(from: loadedFirst - start, count: count, into: &span)
        loaded = 0..<count
      }
      if !loaded.isEmpty {
        let input = block.span.extracting(
          loaded.lowerBound * channels..<loaded.upperBound * channels)
        let progress = try scaler.process(input, into: &place)
        frames = progress.produced
        // The output is complete; the rest of the input is not needed.
        let isComplete = progress == ScalingProgress(consumed: 0, produced: 0)
        let next = isComplete ? loaded.upperBound : loaded.lowerBound + progress.consumed
        loaded = next..<loaded.upperBound
      } else if isEnded {
        frames = try scaler.finish(into: &place)
        if frames == 0 { break }
      } else {
        break
      }
      if frames == 0 { continue }
      produced += frames
      var typed = stored.mutableSpan
      var storedPlace = typed._mutatingExtracting(0..<frames * channels)
      let samples = made.span.extracting(first: frames * channels)
      Working.store(samples, by: &quantizer, into: &storedPlace)
      if skipped > 0 {
        skipped -= frames
      } else {
        target.write(stored.span, count: frames, at: written)
        written += frames
      }
    }
    return written
  }

  private static func frames(
    _ address: UnsafeRawPointer?, _ count: Int, _ settings: ScalerSettings
  ) throws(InterfaceError) -> FramesInMemory<Stored> {
    guard let frames = FramesInMemory<Stored>(address, frameCount: count, settings) else {
      throw InterfaceError(SCALEAUDIO_INVALID, "the frames are NULL")
    }
    return frames
  }

  private static func reading<Result>(
    _ frames: [Stored], _ settings: ScalerSettings,
    _ work: (FramesInMemory<Stored>) throws(InterfaceError) -> Result
  ) throws(InterfaceError) -> Result {
    try frames.withUnsafeBufferPointer { buffer throws(InterfaceError) in
      if let base = buffer.baseAddress {
        return try work(FramesInMemory(base, channelCount: settings.channelCount))
      }
      guard let none = FramesInMemory<Stored>(nil, frameCount: 0, settings) else {
        throw InterfaceError(SCALEAUDIO_INVALID, "the frames are NULL")
      }
      return try work(none)
    }
  }

  private static func tooMany(_ frames: Int) -> InterfaceError {
    InterfaceError(SCALEAUDIO_WRONG_LENGTH, "more frames than the \(frames) that were announced")
  }
}

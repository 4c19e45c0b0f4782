internal import AudioIO
internal import AudioModel
internal import SystemPackage
internal import TimeScaling

/// The passes of a conversion over its source. Each pass pulls frames through a chain of streams.
struct Passes {
  /// Reports the source frames done so far; may throw to stop the work.
  typealias Progress = (Int) throws(ConversionError) -> Void

  /// The result of processing the samples.
  struct Result {
    /// Samples that were clamped when they were stored.
    var clipping = Clipping()
    /// The factor of every sample; `nil` if the level stayed.
    var gain: Double?
    /// The number of samples that were not finite, from readers other than the conversion's own.
    var nonFiniteSamples = 0
    /// The level before the gain; `nil` if it was not measured.
    var level: ScaledLevel?
    /// The work of a limiter after the gain; `nil` if there was none.
    var reduction: Limiter.Reduction?
    /// The level of the output, if it was measured.
    var output: ScaledLevel?
  }

  /// The maximum number of bytes to keep from scalers that are about as fast as a disk: as much as memory can cache.
  private static let maximumBytesKeptOfFastScalers: Int64 = 1 << 30

  let plan: ConversionPlan
  /// The source at its first frame, for the last pass.
  let reader: any FrameStream
  /// `nil` if nothing is written.
  let writer: (any AudioFileWriter)?
  /// The input, for errors.
  let path: FilePath
  /// The frames into which a piece fades.
  var edges = PieceEdges()

  // MARK: - Passes

  /// Processes all samples.
  ///
  /// If the plan depends on the level, a pass before the last measures it. If scaling again would cost
  /// more, that pass keeps the scaled samples for the last pass. A scaler that must study its input
  /// does so in a separate pass before each pass that scales.
  ///
  /// - Parameters:
  ///   - onBlock: Called after each block with the number of source frames done so far, in proportion over all
  ///     passes.
  ///   - reopen: Opens the source at its beginning, for the passes before the last one.
  func run(
    onBlock: Progress, reopen: () throws(ConversionError) -> any FrameStream
  ) throws(ConversionError) -> Result {
    if let cut = plan.cut { return try run(cut, onBlock) }
    if let album = plan.album, album.gain != nil { return try run(album, onBlock, reopen) }
    guard let level = plan.level, plan.album == nil else {
      if let interpolation = plan.interpolation {
        return Result(clipping: try interpolate(interpolation, from: reader, onBlock))
      }
      let scalers = try ScalerChain(plan, path: path, isShort: isShort, edges: edges)
      var passes = PassProgress(count: scalers.needsStudy ? 2 : 1, frameCount: plan.inputFrames)
      func report(_ frames: Int) throws(ConversionError) {
        try onBlock(passes.frames(whenDone: frames))
      }
      if scalers.needsStudy {
        try study(try reopen(), with: scalers, report)
        passes.advance()
      }
      return Result(clipping: try store(scalers, from: reader, gain: nil, report))
    }
    return try run(level, onBlock, reopen)
  }

  /// Processes all samples at a level that a rule derives from the scaled samples.
  private func run(
    _ level: LevelRule, _ onBlock: Progress, _ reopen: () throws(ConversionError) -> any FrameStream
  ) throws(ConversionError) -> Result {
    let scalers = try ScalerChain(plan, path: path, isShort: isShort, edges: edges)
    var spool = makeSpool(for: scalers, level)
    let passesEach = scalers.needsStudy ? 2 : 1
    // After the first pass, each one reads the spool, if there is one.
    let passesLater = spool == nil ? passesEach : 1
    let searches = level.mayLimit ? LimitSearch.mostPasses : 0
    let lastPass = passesEach + searches * passesLater
    var passes = PassProgress(count: lastPass + passesLater, frameCount: plan.inputFrames)
    func report(_ frames: Int) throws(ConversionError) {
      try onBlock(passes.frames(whenDone: frames))
    }
    func study() throws(ConversionError) {
      guard scalers.needsStudy else { return }
      try self.study(try reopen(), with: scalers, report)
      passes.advance()
    }
    try study()
    // The last reader of the source counts its non-finite samples.
    let isLast = spool != nil && plan.interpolation == nil
    let measured = try measure(
      level, of: isLast ? reader : try reopen(), scalers, keptIn: &spool, report)
    passes.advance()
    var result = Result(gain: measured.gain, level: measured.level)
    var isRead = isLast
    /// The scaled samples of the next pass: from the spool, or scaled again.
    func scaled(isLast: Bool) throws(ConversionError) -> StreamChain {
      if let spool { return self.chain(over: SpoolStream(spool), as: .float64) }
      scalers.reset()
      try study()
      let source = isLast && !isRead ? reader : try reopen()
      isRead = isRead || isLast
      var chain = self.chain(
        over: mixed(source, roundsToInt16: plan.samples.forcesInt16), as: .float64)
      chain.scale(by: scalers, description)
      return chain
    }
    if var search = measured.search {
      var isOpen = true
      while isOpen {
        var chain = try scaled(isLast: false)
        _ = limit(&chain, search)
        let output = measuredLevel(chain.last, needsLoudness: true)
        try drain(&chain, output, report)
        passes.advance()
        isOpen = search.next(output.level)
      }
      passes.skip(to: lastPass)
      result.gain = search.gain
      var chain = try scaled(isLast: true)
      let limiter = limit(&chain, search)
      let output = measuredLevel(chain.last, needsLoudness: true)
      chain.last = output
      result.clipping = try store(&chain, gain: 1, report)
      (result.reduction, result.output) = (limiter.reduction, output.level)
      result.nonFiniteSamples = isRead ? 0 : measured.nonFiniteSamples
      return result
    }
    passes.skip(to: lastPass)
    if result.gain == nil, let interpolation = plan.interpolation {
      result.clipping = try interpolate(interpolation, from: reader, report)
      return result
    }
    var chain = try scaled(isLast: true)
    result.clipping = try store(&chain, gain: result.gain, report)
    result.nonFiniteSamples = isRead ? 0 : measured.nonFiniteSamples
    return result
  }

  /// Processes all samples at the level of an album.
  private func run(
    _ album: AlbumLevel, _ onBlock: Progress,
    _ reopen: () throws(ConversionError) -> any FrameStream
  ) throws(ConversionError) -> Result {
    let scalers = try ScalerChain(plan, path: path, isShort: isShort, edges: edges)
    var passes = PassProgress(count: scalers.needsStudy ? 2 : 1, frameCount: plan.inputFrames)
    func report(_ frames: Int) throws(ConversionError) {
      try onBlock(passes.frames(whenDone: frames))
    }
    if scalers.needsStudy {
      try study(try reopen(), with: scalers, report)
      passes.advance()
    }
    var chain = chain(
      over: mixed(reader, roundsToInt16: plan.samples.forcesInt16), as: .float64)
    chain.scale(by: scalers, description)
    let limiter = album.search.map { limit(&chain, $0) }
    let output = measuredLevel(chain.last, needsLoudness: plan.level?.needsLoudness ?? false)
    chain.last = output
    var result = Result(gain: album.gain)
    result.clipping = try store(&chain, gain: limiter == nil ? album.gain : 1, report)
    result.reduction = limiter?.reduction
    if limiter == nil {
      result.level = output.level
    } else {
      result.output = output.level
    }
    return result
  }

  /// Processes a track of an album without gaps, at the level of the album.
  private func run(_ cut: GaplessCut, _ onBlock: Progress) throws(ConversionError) -> Result {
    let (gain, search) = (plan.album?.gain, plan.album?.search)
    let interpolates = plan.interpolation != nil && gain == nil
    let frames = try gaplessFrames(
      cut, from: cut.framesBefore - plan.output.preRoll, interpolates: interpolates,
      limitedBy: search, onBlock)
    let stored = search == nil ? gain : gain.map { _ in 1 }
    try writeBeside(frames, plan.output.preRoll, gain: stored) {
      (_) throws(ConversionError) in try onBlock(0)
    }
    // Frames of the track that were made for the track before are counted already.
    if !frames.hasMadeMore { frames.limiter?.countAnew() }
    let track = GaplessTrack(frames, track: cut.place.index, as: description)
    var chain = chain(over: track, as: frames.form.format)
    var result = Result(gain: gain)
    if interpolates {
      result.clipping = try storeInterpolated(&chain, onBlock)
    } else if gain != nil {
      let output = measuredLevel(chain.last, needsLoudness: plan.level?.needsLoudness ?? false)
      chain.last = output
      result.clipping = try store(&chain, gain: stored, onBlock)
      if search == nil { result.level = output.level } else { result.output = output.level }
    } else {
      result.clipping = try store(&chain, gain: nil, onBlock)
    }
    result.reduction = frames.limiter?.reduction
    result.clipping.add(track.clipping)
    result.nonFiniteSamples = track.nonFiniteSamples
    frames.limiter?.countAnew()
    try writeBeside(frames, plan.output.postRoll, gain: stored) {
      (_) throws(ConversionError) in try onBlock(plan.inputFrames)
    }
    if !cut.place.isLast { cut.place.album.keep(frames) }
    return result
  }

  /// Writes the next frames of an album, which lie beside a track and are not counted, for the encoder of the track.
  private func writeBeside(
    _ frames: GaplessFrames, _ count: Int, gain: Double?, _ onBlock: Progress
  ) throws(ConversionError) {
    if count == 0 { return }
    var source = description
    source.frameCount = count
    let format = frames.form.format
    var chain = StreamChain(
      GaplessTrack(frames, track: nil, as: source), in: format, blockFrames: blockFrames,
      isShort: true, path: path)
    if frames.form.interpolates {
      _ = try storeInterpolated(&chain, onBlock)
    } else {
      _ = try store(&chain, gain: gain, onBlock)
    }
  }

  /// The scaled frames of an album from a frame on: those that the track before it has left, otherwise made anew.
  private func gaplessFrames(
    _ cut: GaplessCut, from first: Int, interpolates: Bool, limitedBy search: LimitSearch?,
    _ onBlock: Progress
  ) throws(ConversionError) -> GaplessFrames {
    let formats = plan.samples
    let form = GaplessFrames.Form(
      format: interpolates ? formats.scaled : .float64, interpolates: interpolates,
      rounds: interpolates
        ? formats.scaled == .float64 && formats.roundsToInt16 : formats.forcesInt16,
      search: search)
    let kept = cut.place.album.takeKept() as? GaplessFrames
    let frames: GaplessFrames
    if let kept, kept.form == form, kept.firstFrame <= first {
      frames = kept
    } else {
      let joined = JoinedStream(cut.place.album, like: reader.source)
      frames = try Passes(
        plan: plan.whole(of: cut), reader: joined, writer: nil, path: path
      ).gaplessFrames(of: joined, form, onBlock)
    }
    try frames.skip(to: first) { () throws(ConversionError) in try onBlock(0) }
    return frames
  }

  /// The scaled frames of a whole album.
  private func gaplessFrames(
    of joined: JoinedStream, _ form: GaplessFrames.Form, _ onBlock: Progress
  ) throws(ConversionError) -> GaplessFrames {
    var chain = chain(over: mixed(joined, roundsToInt16: form.rounds), as: form.format)
    if form.interpolates, let interpolation = plan.interpolation {
      let scaler = form.format.interpolatingScaler(
        plan.controlPoints(interpolation), channelCount: channels)
      chain.scale(by: scaler, as: description)
      return GaplessFrames(chain, of: joined, limiter: nil, form)
    }
    let scalers = try ScalerChain(plan, path: path, isShort: isShort)
    if scalers.needsStudy {
      try study(JoinedStream(joined.album, like: joined.source), with: scalers) {
        (_) throws(ConversionError) in try onBlock(0)
      }
    }
    chain.scale(by: scalers, description)
    let limiter = form.search.map { limit(&chain, $0) }
    return GaplessFrames(chain, of: joined, limiter: limiter, form)
  }

  /// Measures the scaled samples for the level of an album.
  func measured(
    limitedBy search: LimitSearch?, onBlock: Progress,
    reopen: () throws(ConversionError) -> any FrameStream
  ) throws(ConversionError) -> AlbumPart {
    let formats = plan.samples
    let roundsWhenRead = formats.roundsToInt16 && !formats.forcesInt16
    let read = roundsWhenRead ? MeasuredPeaks(reader) : nil
    var chain: StreamChain
    var frames: GaplessFrames?
    if let cut = plan.cut {
      if let read { try drain(read, onBlock) }
      let made = try gaplessFrames(
        cut, from: cut.framesBefore, interpolates: false, limitedBy: search, onBlock)
      chain = self.chain(
        over: GaplessTrack(made, track: cut.place.index, as: description), as: .float64)
      frames = made
    } else {
      let scalers = try ScalerChain(plan, path: path, isShort: isShort, edges: edges)
      if scalers.needsStudy { try study(try reopen(), with: scalers, onBlock) }
      let input = read ?? (formats.forcesInt16 ? RoundedStream(reader) : reader)
      chain = self.chain(over: mixed(input, roundsToInt16: false), as: .float64)
      chain.scale(by: scalers, description)
      if let search { _ = limit(&chain, search) }
    }
    let scaled = MeasuredPeaks(chain.last)
    let meter = plan.level?.needsLoudness == true ? BlockMeter(plan.output.spec) : nil
    let channels = channels
    try drain(&chain, scaled, onBlock) { block in
      meter?.add(
        block.samples(of: Double.self).span.extracting(first: block.frameCount * channels),
        frameCount: block.frameCount)
    }
    if let frames, let place = plan.cut?.place, !place.isLast { place.album.keep(frames) }
    return AlbumPart(
      rule: plan.level, range: LevelRange(of: formats.stored, dither: formats.ditherOfGain),
      peaks: scaled.peaks,
      isClippedWhenRead: read.map { LevelRange(of: .int16).isExceeded(by: $0.peaks) } ?? false,
      truePeak: meter?.truePeak, blocks: meter?.blocks)
  }

  /// Adds a limiter to a chain.
  private func limit(_ chain: inout StreamChain, _ search: LimitSearch) -> Limiter {
    let limiter = Limiter(
      gain: search.gain, ceiling: search.ceiling, channelCount: channels,
      sampleRate: plan.output.spec.sampleRate)
    chain.scale(by: SampleScaler(limiter), as: description)
    return limiter
  }

  /// A spool for the output of scalers; `nil` if it would not save time, or if there is no room.
  private func makeSpool(for scalers: ScalerChain, _ level: LevelRule) -> SampleSpool? {
    if plan.interpolation != nil && !level.mayLimit || isShort { return nil }
    return SampleSpool(
      description, as: scalers.makesFloats ? .float32 : .float64,
      limit: scalers.needsStudy ? .max : Self.maximumBytesKeptOfFastScalers)
  }

  /// Interpolates between neighboring frames, in the sample types that the plan chose; returns the clamped
  /// samples.
  private func interpolate(
    _ interpolation: Interpolation, from source: any FrameStream, _ onBlock: Progress
  ) throws(ConversionError) -> Clipping {
    let formats = plan.samples
    let scaler = formats.scaled.interpolatingScaler(
      plan.controlPoints(interpolation), channelCount: channels)
    let rounds = formats.scaled == .float64 && formats.roundsToInt16
    var chain = chain(over: mixed(source, roundsToInt16: rounds), as: formats.scaled)
    chain.scale(by: scaler, as: description)
    return try storeInterpolated(&chain, onBlock)
  }

  /// Stores interpolated frames; returns the clamped samples.
  private func storeInterpolated(
    _ chain: inout StreamChain, _ onBlock: Progress
  ) throws(ConversionError) -> Clipping {
    let formats = plan.samples
    guard let stored = formats.stored, stored != formats.scaled else {
      try write(&chain, in: formats.scaled, onBlock)
      return Clipping()
    }
    // All samples fit exactly into `Double` and are rounded once.
    let quantized = quantized(chain.last, gain: nil)
    chain.last = quantized
    try write(&chain, in: stored, onBlock)
    return quantized.quantized
  }

  /// Passes the whole source to scalers for study.
  private func study(
    _ source: any FrameStream, with scalers: ScalerChain, _ onBlock: Progress
  ) throws(ConversionError) {
    var chain = chain(
      over: mixed(source, roundsToInt16: plan.samples.forcesInt16), as: .float64)
    chain.readAhead(in: .float64)
    defer { chain.stop() }
    let block = Block(.float64, sampleCount: blockFrames * channels)
    var done = 0
    while try ConversionError.files(chain.last.read(into: block)) > 0 {
      try ConversionError.files(AudioFileError.scaling(path, scalers.study(block)))
      done += block.frameCount
      try onBlock(done)
    }
  }

  /// Scales all samples without writing them, except into a spool. Returns their level, and the gain or the search that a
  /// rule derives from it. A spool that the file system has no room for becomes `nil`.
  private func measure(
    _ rule: LevelRule, of source: any FrameStream, _ scalers: ScalerChain,
    keptIn spool: inout SampleSpool?, _ onBlock: Progress
  ) throws(ConversionError) -> Measured {
    let formats = plan.samples
    var input = formats.forcesInt16 ? RoundedStream(source) : source
    let read =
      formats.roundsToInt16 && !formats.forcesInt16 ? MeasuredPeaks(input) : nil
    input = read ?? input
    var chain = chain(over: mixed(input, roundsToInt16: false), as: .float64)
    chain.scale(by: scalers, description)
    let scaled = measuredLevel(chain.last, needsLoudness: rule.needsLoudness)
    try drain(&chain, scaled, onBlock) { block in
      if spool?.append(block) == false { spool = nil }
    }
    let level = scaled.level
    let range = LevelRange(of: formats.stored, dither: formats.ditherOfGain)
    return Measured(
      level: level,
      gain: rule.gain(
        for: level, in: range,
        isClippedWhenRead: read.map { LevelRange(of: .int16).isExceeded(by: $0.peaks) } ?? false),
      search: rule.limitSearch(for: level, in: range), nonFiniteSamples: source.nonFiniteSamples)
  }

  /// The result of measuring scaled samples.
  private struct Measured {
    let level: ScaledLevel
    /// The gain for every sample; `nil` if the level stays, or if peaks are limited.
    let gain: Double?
    /// The search for a limiter; `nil` if none is needed.
    let search: LimitSearch?
    let nonFiniteSamples: Int
  }

  /// Reads all frames of a stream of the source.
  private func drain(
    _ stream: any FrameStream, _ onBlock: Progress
  ) throws(ConversionError) {
    let block = Block(.float64, sampleCount: blockFrames * reader.spec.channelCount)
    while try ConversionError.files(stream.read(into: block)) > 0 { try onBlock(0) }
  }

  /// Reads all frames of a chain, whose streams end with it, without writing them.
  private func drain(
    _ chain: inout StreamChain, _ stream: any FrameStream, _ onBlock: Progress,
    _ onRead: (Block) -> Void = { _ in }
  ) throws(ConversionError) {
    chain.last = stream
    chain.readAhead(in: .float64)
    defer { chain.stop() }
    let block = Block(.float64, sampleCount: blockFrames * channels)
    var done = 0
    while try ConversionError.files(chain.last.read(into: block)) > 0 {
      onRead(block)
      done += block.frameCount
      try onBlock(sourceFrames(whenMade: done))
    }
  }

  /// The frames of a stream of `Double`, which measures their level.
  private func measuredLevel(
    _ stream: any FrameStream, needsLoudness: Bool
  ) -> MeasuredLevel {
    MeasuredLevel(stream, needsLoudness: needsLoudness, frameCount: plan.output.frameCount)
  }

  /// Scales a source in floating point and stores it; returns the clamped samples.
  private func store(
    _ scalers: ScalerChain, from source: any FrameStream, gain: Double?, _ onBlock: Progress
  ) throws(ConversionError) -> Clipping {
    var chain = chain(
      over: mixed(source, roundsToInt16: plan.samples.forcesInt16), as: .float64)
    chain.scale(by: scalers, description)
    return try store(&chain, in: scalers.format, gain: gain, onBlock)
  }

  /// Stores the frames of a chain; returns the clamped samples.
  private func store(
    _ chain: inout StreamChain, in format: SampleFormat = .float64, gain: Double?,
    _ onBlock: Progress
  ) throws(ConversionError) -> Clipping {
    let stored = quantized(chain.last, in: format, gain: gain)
    chain.last = stored
    try write(&chain, in: storedFormat, onBlock)
    return stored.quantized
  }

  // MARK: - Chains

  private var channels: Int { plan.output.spec.channelCount }
  private var blockFrames: Int { StreamChain.blockFrames(of: reader.source.spec) }
  /// True when the audio is so short that one thread ends before another could help.
  private var isShort: Bool { plan.inputFrames <= 8 * blockFrames }
  /// The sample type of a lossless output, or of a lossy encoder's input.
  private var storedFormat: SampleFormat { plan.samples.stored ?? .float64 }

  /// The scaled frames, without metadata, which is handled separately.
  private var description: SourceDescription {
    var scaled = reader.source
    (scaled.spec, scaled.frameCount) = (plan.output.spec, plan.output.frameCount)
    scaled.metadata = Metadata()
    return scaled
  }

  private func chain(over source: any FrameStream, as format: SampleFormat) -> StreamChain {
    StreamChain(source, in: format, blockFrames: blockFrames, isShort: isShort, path: path)
  }

  /// The frames of a source with its channels merged, if the plan merges them.
  private func mixed(_ source: any FrameStream, roundsToInt16: Bool) -> any FrameStream {
    let rounded = roundsToInt16 ? RoundedStream(source) : source
    return plan.mergeWeights.map { MonoStream(rounded, weights: $0) } ?? rounded
  }

  private func quantized(
    _ stream: any FrameStream, in format: SampleFormat = .float64, gain: Double?
  ) -> any Quantizing {
    storedFormat.quantized(
      stream, in: format, blockSamples: blockFrames * channels,
      dither: gain == nil ? plan.samples.dither : plan.samples.ditherOfGain, gain: gain ?? 1)
  }

  /// Writes all frames of a chain, whose streams end with it.
  private func write(
    _ chain: inout StreamChain, in format: SampleFormat, _ onBlock: Progress
  ) throws(ConversionError) {
    chain.readAhead(in: format)
    defer { chain.stop() }
    try write(chain.last, in: format, onBlock)
  }

  private func write(
    _ stream: any FrameStream, in format: SampleFormat, _ onBlock: Progress
  ) throws(ConversionError) {
    let block = Block(format, sampleCount: blockFrames * channels)
    var done = 0
    while try ConversionError.files(stream.read(into: block)) > 0 {
      if let writer { try ConversionError.files(writer.write(block, channelCount: channels)) }
      done += block.frameCount
      try onBlock(sourceFrames(whenMade: done))
    }
  }

  /// The number of source frames that correspond to a number of output frames.
  private func sourceFrames(whenMade frames: Int) -> Int {
    if frames >= plan.output.frameCount { return plan.inputFrames }
    let part = Double(frames) / Double(plan.output.frameCount)
    return min(plan.inputFrames, Int(part * Double(plan.inputFrames)))
  }
}

/// A chain of streams, some of which are read ahead.
struct StreamChain {
  /// The last stream so far.
  var last: any FrameStream
  private var ahead: [ReadAhead] = []
  private let blockFrames: Int
  /// The maximum number of streams that are read ahead.
  private var aheadLimit: Int
  private let path: FilePath

  /// Samples in a block, over all channels.
  private static let blockSamples = 32768

  /// The frames in a block of a source.
  static func blockFrames(of spec: AudioSpec) -> Int { max(16, blockSamples / spec.channelCount) }

  /// A chain over a source, which is read ahead in a type of sample unless it is short.
  init(
    _ source: any FrameStream, in format: SampleFormat, blockFrames: Int, isShort: Bool,
    path: FilePath
  ) {
    (last, self.blockFrames, self.path) = (source, blockFrames, path)
    aheadLimit = isShort ? 0 : .max
    self.format = format
  }

  /// The type of the samples of the last stream.
  private let format: SampleFormat

  /// Adds a scaler.
  mutating func scale(by scaler: any BlockScaler, as description: SourceDescription) {
    readAhead(in: scaler.format)
    last = ScaledStream(
      last, by: scaler, as: description, blockFrames: blockFrames, path: path)
  }

  /// Adds all scalers of a method.
  mutating func scale(by scalers: ScalerChain, _ description: SourceDescription) {
    if scalers.coresOffered > 0 {
      aheadLimit = min(aheadLimit, max(0, CoreBudget.shared.cores - 1 - scalers.coresOffered))
    }
    for scaler in scalers.steps { scale(by: scaler, as: description) }
  }

  /// Reads the last stream ahead.
  mutating func readAhead(in format: SampleFormat) {
    if ahead.count >= aheadLimit { return }
    let stream = ReadAhead(
      last, as: format, blockSamples: blockFrames * last.spec.channelCount, after: ahead.last)
    ahead.append(stream)
    last = stream
  }

  /// Ends reading ahead, the last stream first.
  func stop() {
    for stream in ahead.reversed() { stream.stop() }
  }
}

/// The combined progress of several passes over a source.
private struct PassProgress {
  /// The number of passes, at least 1.
  let count: Int
  /// Source frames of each pass.
  let frameCount: Int
  private var done = 0

  init(count: Int, frameCount: Int) {
    self.count = count
    self.frameCount = frameCount
  }

  /// The source frames of all passes in proportion, when `frames` of the current pass are done; `frameCount`
  /// after the last pass.
  func frames(whenDone frames: Int) -> Int {
    // Divides first, so that no product exceeds the range of `Int`.
    min(frameCount, frameCount / count * done + (frameCount % count * done + frames) / count)
  }

  /// Moves on to the next pass.
  mutating func advance() { done += 1 }

  /// Moves on to a pass, from 0, if it has not come that far.
  mutating func skip(to pass: Int) { done = max(done, pass) }
}

internal import AudioIO
internal import AudioModel
internal import Dispatch
internal import TimeScaling

/// A ``TimeScaler`` whose sample type is known only at run time.
protocol BlockScaler: AnyObject, SendableMetatype {
  /// The type of the samples.
  var format: SampleFormat { get }
  /// Samples in a frame.
  var channelCount: Int { get }
  /// True when all of the input must be passed to ``study(_:)`` before any of it is processed.
  var needsStudy: Bool { get }
  /// Analyzes the frames of a block.
  func study(_ block: Block) throws(ScalingError)
  /// Processes the frames of a block, from its frame `first` on, and fills a buffer. A block is first passed from its
  /// frame 0.
  func process(
    _ block: Block, from first: Int, into output: FrameBuffer
  ) throws(ScalingError) -> ScalingProgress
  /// Fills a buffer with frames that remain after the input has ended; returns their number.
  func finish(into output: FrameBuffer) throws(ScalingError) -> Int
  /// Returns to the state of a fresh scaler.
  func reset()
  /// Begins at an output frame; see ``TimeScaler/begin(atOutput:)``.
  func begin(atOutput frame: Int) -> Int?
}

/// One scaler for all channels.
final class SampleScaler<Scaler: TimeScaler>: BlockScaler {
  private typealias Sample = Scaler.Sample

  private var scaler: Scaler

  init(_ scaler: Scaler) { self.scaler = scaler }

  var format: SampleFormat { Scaler.Sample.format }
  var channelCount: Int { scaler.channelCount }
  var needsStudy: Bool { scaler.needsStudy }

  func study(_ block: Block) throws(ScalingError) {
    let samples = block.samples(of: Sample.self)
    try scaler.study(samples.span.extracting(first: block.frameCount * channelCount))
  }

  func process(
    _ block: Block, from first: Int, into output: FrameBuffer
  ) throws(ScalingError) -> ScalingProgress {
    let input = block.samples(of: Sample.self)
    let frames = first * channelCount..<block.frameCount * channelCount
    return try output.withSamples(of: Sample.self) { (samples) throws(ScalingError) in
      try scaler.process(input.span.extracting(frames), into: &samples)
    }
  }

  func finish(into output: FrameBuffer) throws(ScalingError) -> Int {
    try output.withSamples(of: Sample.self) { (samples) throws(ScalingError) in
      try scaler.finish(into: &samples)
    }
  }

  func reset() { scaler.reset() }

  func begin(atOutput frame: Int) -> Int? { scaler.begin(atOutput: frame) }
}

/// Equal scalers of floating point that each scale their own channels, in parallel if cores are free.
final class ChannelScaler: BlockScaler, @unchecked Sendable {
  /// A scaler and its channels.
  private struct Group {
    let scaler: any BlockScaler
    let channels: Range<Int>
    /// The channels' samples, before and after scaling.
    var input, output: Block?
    var progress: Result<ScalingProgress, ScalingError> = .success(
      ScalingProgress(consumed: 0, produced: 0))
  }

  let channelCount: Int
  // While scalers work side by side, each index belongs to one thread.
  private let groups: UnsafeMutableBufferPointer<Group>

  /// Scalers whose channels follow each other.
  init(_ scalers: [any BlockScaler]) {
    var end = 0
    let made = scalers.map { scaler in
      defer { end += scaler.channelCount }
      return Group(scaler: scaler, channels: end..<end + scaler.channelCount)
    }
    channelCount = end
    groups = .allocate(capacity: made.count)
    _ = groups.initialize(from: made)
  }

  deinit { groups.deinitialize().deallocate() }

  var format: SampleFormat { groups[0].scaler.format }
  var needsStudy: Bool { groups.contains(where: \.scaler.needsStudy) }

  func study(_ block: Block) throws(ScalingError) {
    for index in groups.indices { try groups[index].scaler.study(part(block, of: index)) }
  }

  func process(
    _ block: Block, from first: Int, into output: FrameBuffer
  ) throws(ScalingError) -> ScalingProgress {
    let isNew = first == 0
    return try scale(into: output) { (index, made) throws(ScalingError) in
      let group = self.groups[index]
      let input = isNew ? self.part(block, of: index) : group.input
      guard let input else { return ScalingProgress(consumed: 0, produced: 0) }
      return try group.scaler.process(input, from: first, into: made)
    }
  }

  func finish(into output: FrameBuffer) throws(ScalingError) -> Int {
    try scale(into: output) { (index, made) throws(ScalingError) in
      ScalingProgress(consumed: 0, produced: try self.groups[index].scaler.finish(into: made))
    }.produced
  }

  func reset() {
    for group in groups { group.scaler.reset() }
  }

  func begin(atOutput frame: Int) -> Int? {
    let starts = groups.map { $0.scaler.begin(atOutput: frame) }
    return starts.allSatisfy { $0 == starts.first } ? starts.first ?? nil : nil
  }

  /// Lets every scaler fill a part of `output`, and interleaves the results.
  private func scale(
    into output: FrameBuffer,
    _ work: @escaping (Int, FrameBuffer) throws(ScalingError) -> ScalingProgress
  ) throws(ScalingError) -> ScalingProgress {
    let frames = output.sampleCount / channelCount
    nonisolated(unsafe) let work = work
    CoreBudget.shared.perform(groups.count) { [self] index in
      let made = memory(&groups[index].output, frames * groups[index].channels.count)
      do throws(ScalingError) {
        groups[index].progress = .success(
          try work(index, made.buffer.extracting(0..<frames * groups[index].channels.count)))
      } catch {
        groups[index].progress = .failure(error)
      }
    }
    let progress = try groups[0].progress.get()
    for group in groups {
      guard try group.progress.get() == progress else {
        throw .failed("its channels differ in length after scaling")
      }
      guard let made = group.output else { continue }
      copy(
        from: made.buffer, (0, group.channels.count),
        to: output, (group.channels.lowerBound, channelCount),
        channels: group.channels.count, frames: progress.produced)
    }
    return progress
  }

  /// The channels of a group in a block of all channels.
  private func part(_ block: Block, of index: Int) -> Block {
    let channels = groups[index].channels
    let part = memory(
      &groups[index].input, block.buffer.sampleCount / channelCount * channels.count)
    copy(
      from: block.buffer, (channels.lowerBound, channelCount), to: part.buffer, (0, channels.count),
      channels: channels.count, frames: block.frameCount)
    part.frameCount = block.frameCount
    return part
  }

  /// Copies channels between frames, each at a first channel of its frames and with a number of channels.
  private func copy(
    from source: FrameBuffer, _ from: (first: Int, count: Int), to target: FrameBuffer,
    _ to: (first: Int, count: Int), channels: Int, frames: Int
  ) {
    func copy<Sample: PCMSample>(_ type: Sample.Type) {
      source.withSamples(of: type) { source in
        target.withSamples(of: type) { target in
          for channel in 0..<channels {
            copyChannel(
              source.span.extracting(droppingFirst: from.first + channel), from.count,
              &target, to.first + channel, to.count, frames)
          }
        }
      }
    }
    format == .float32 ? copy(Float.self) : copy(Double.self)
  }

  /// Copies one channel of frames.
  @inline(__always)
  private func copyChannel<Sample>(
    _ source: Span<Sample>, _ sourceStep: Int, _ target: inout MutableSpan<Sample>, _ first: Int,
    _ targetStep: Int, _ frames: Int
  ) {
    guard frames > 0 else { return }
    precondition((frames - 1) * sourceStep < source.count)
    precondition(first + (frames - 1) * targetStep < target.count)
    for frame in 0..<frames {
      // The last places were checked.
      unsafe target[unchecked: first &+ frame &* targetStep] = unsafe source[
        unchecked: frame &* sourceStep]
    }
  }

  /// Memory for at least this number of samples.
  private func memory(_ block: inout Block?, _ sampleCount: Int) -> Block {
    if let block, block.buffer.sampleCount >= sampleCount { return block }
    let made = Block(format, sampleCount: sampleCount)
    block = made
    return made
  }
}

extension SampleFormat {
  /// A scaler that interpolates such samples.
  func interpolatingScaler(_ points: ControlPoints, channelCount: Int) -> any BlockScaler {
    func make<Sample: PCMSample>(_: Sample.Type) -> any BlockScaler {
      SampleScaler(InterpolatingScaler<Sample>(points: points, channelCount: channelCount))
    }
    return make(sampleType)
  }
}

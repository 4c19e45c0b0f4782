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

/// Equal scalers of `Double` that each scale their own channels, in parallel if cores are free.
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

  var format: SampleFormat { .float64 }
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
      output.withSamples(of: Double.self) { samples in
        for (place, channel) in group.channels.enumerated() {
          let source = made.samples(of: Double.self)
          for frame in 0..<progress.produced {
            samples[frame * channelCount + channel] = source[frame * group.channels.count + place]
          }
        }
      }
    }
    return progress
  }

  /// The channels of a group in a block of all channels.
  private func part(_ block: Block, of index: Int) -> Block {
    let channels = groups[index].channels
    let part = memory(
      &groups[index].input, block.buffer.sampleCount / channelCount * channels.count)
    let (source, target) = (block.samples(of: Double.self), part.samples(of: Double.self))
    for (place, channel) in channels.enumerated() {
      for frame in 0..<block.frameCount {
        target[frame * channels.count + place] = source[frame * channelCount + channel]
      }
    }
    part.frameCount = block.frameCount
    return part
  }

  /// Memory for at least this number of samples.
  private func memory(_ block: inout Block?, _ sampleCount: Int) -> Block {
    if let block, block.buffer.sampleCount >= sampleCount { return block }
    let made = Block(.float64, sampleCount: sampleCount)
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

internal import AudioIO
internal import AudioModel
internal import TimeScaling

// Queues and stages move raw blocks. Only the types here, which read, scale and write blocks, know the
// types of samples. The type is chosen once for each conversion, from a `SampleFormat`. The code is generic
// but not specialized; once per block, it calls specialized loops in readers, scalers and writers.

/// Reads a source's frames into blocks.
protocol BlockReader: AnyObject {
  /// Fills a block with the next frames and returns how many; 0 only at the end.
  func read(into block: Block) throws(AudioFileError) -> Int
}

/// Scales blocks; see ``TimeScaler``.
protocol BlockScaler: AnyObject {
  /// Samples in a frame.
  var channelCount: Int { get }
  /// Whether all of the input must be passed to ``study(_:)`` before any of it is processed.
  var needsStudy: Bool { get }
  /// Analyzes the frames of a block.
  func study(_ block: Block) throws(ScalingError)
  /// Processes the frames of a block, from its frame `first` on, and fills another block.
  func process(
    _ block: Block, from first: Int, into output: Block
  ) throws(ScalingError) -> ScalingProgress
  /// Fills a block with frames that remain after the input has ended; returns their number.
  func finish(into output: Block) throws(ScalingError) -> Int
  /// Returns to the state of a fresh scaler.
  func reset()
  /// Begins at an output frame; see ``TimeScaler/begin(atOutput:)``.
  func begin(atOutput frame: Int) -> Int?
}

/// Consumes the blocks of the output.
protocol BlockWriter: AnyObject {
  /// Samples that were clamped so far.
  var clipping: Clipping { get }
  /// Writes the frames of a block, at least one.
  func write(_ block: Block) throws(AudioFileError)
}

extension SampleFormat {
  /// Reads blocks of such samples, with channels merged by their weights, if any.
  func blockReader(_ reader: any FrameStream, mergeWeights: [Double]?) -> any BlockReader {
    func make<Sample: PCMSample>(_: Sample.Type) -> any BlockReader {
      SampleReader<Sample>(reader, mergeWeights: mergeWeights)
    }
    return make(sampleType)
  }

  /// Interpolates blocks of such samples.
  func interpolatingScaler(_ points: ControlPoints, channelCount: Int) -> any BlockScaler {
    func make<Sample: PCMSample>(_: Sample.Type) -> any BlockScaler {
      SampleScaler(InterpolatingScaler<Sample>(points: points, channelCount: channelCount))
    }
    return make(sampleType)
  }

  /// Writes blocks of such samples unchanged.
  func blockWriter(_ writer: any AudioFileWriter, channelCount: Int) -> any BlockWriter {
    func make<Sample: PCMSample>(_: Sample.Type) -> any BlockWriter {
      SampleWriter<Sample>(writer, channelCount: channelCount)
    }
    return make(sampleType)
  }

  /// Writes blocks of `Double` as such samples.
  func quantizingWriter(
    _ writer: any AudioFileWriter, channelCount: Int, dither: Dither, gain: Double = 1
  ) -> any BlockWriter {
    func make<Sample: PCMSample>(_: Sample.Type) -> any BlockWriter {
      QuantizingWriter<Sample>(writer, channelCount: channelCount, dither: dither, gain: gain)
    }
    return make(sampleType)
  }
}

// MARK: - Reading

/// Reads samples in the type in which they are scaled.
private final class SampleReader<Sample: PCMSample>: BlockReader {
  private let reader: any FrameStream
  private let merger: ChannelMerger<Sample>?

  init(_ reader: any FrameStream, mergeWeights: [Double]?) {
    self.reader = reader
    merger = mergeWeights.map { ChannelMerger(weights: $0) }
  }

  func read(into block: Block) throws(AudioFileError) -> Int {
    let samples = block.samples(of: Sample.self)
    var buffer = samples.mutableSpan
    let frames = try reader.read(into: &buffer)
    if frames > 0, let merger { merger.merge(&buffer) }
    return frames
  }
}

/// Reads `Double`, rounded to 16 bits or with its peaks measured before channels are merged.
final class DoubleReader: BlockReader {
  /// The peaks of the samples read so far, if they are measured.
  private(set) var peaks: PeakMeter?
  private let reader: any FrameStream
  private let roundsToInt16: Bool
  private let merger: ChannelMerger<Double>?
  /// Memory for samples of 16 bits.
  private var rounded: Block?

  init(
    _ reader: any FrameStream, mergeWeights: [Double]?, roundsToInt16: Bool,
    measuresPeaks: Bool = false
  ) {
    self.reader = reader
    self.roundsToInt16 = roundsToInt16
    merger = mergeWeights.map { ChannelMerger(weights: $0) }
    peaks = measuresPeaks ? PeakMeter() : nil
  }

  func read(into block: Block) throws(AudioFileError) -> Int {
    let samples = block.samples(of: Double.self)
    var buffer = samples.mutableSpan
    let frames = roundsToInt16 ? try readRounded(into: &buffer) : try reader.read(into: &buffer)
    peaks?.measure(buffer.span.extracting(first: frames * reader.source.spec.channelCount))
    if frames > 0, let merger { merger.merge(&buffer) }
    return frames
  }

  private func readRounded(
    into buffer: inout MutableSpan<Double>
  ) throws(AudioFileError) -> Int {
    let block = rounded ?? Block(byteCount: buffer.count * MemoryLayout<Int16>.stride)
    rounded = block
    let samples = block.samples(of: Int16.self)
    var span = samples.mutableSpan
    let frames = try reader.read(into: &span)
    for i in 0..<frames * reader.source.spec.channelCount { buffer[i] = span[i].normalized }
    return frames
  }
}

// MARK: - Scaling

/// A scaler that works on blocks of its type of sample.
final class SampleScaler<Scaler: TimeScaler>: BlockScaler {
  private typealias Sample = Scaler.Sample

  private var scaler: Scaler

  init(_ scaler: Scaler) { self.scaler = scaler }

  var channelCount: Int { scaler.channelCount }
  var needsStudy: Bool { scaler.needsStudy }

  func study(_ block: Block) throws(ScalingError) {
    let samples = block.samples(of: Sample.self)
    try scaler.study(samples.span.extracting(first: block.frameCount * channelCount))
  }

  func process(
    _ block: Block, from first: Int, into output: Block
  ) throws(ScalingError) -> ScalingProgress {
    let input = block.samples(of: Sample.self)
    let made = output.samples(of: Sample.self)
    var buffer = made.mutableSpan
    let frames = first * channelCount..<block.frameCount * channelCount
    return try scaler.process(input.span.extracting(frames), into: &buffer)
  }

  func finish(into output: Block) throws(ScalingError) -> Int {
    let made = output.samples(of: Sample.self)
    var buffer = made.mutableSpan
    return try scaler.finish(into: &buffer)
  }

  func reset() { scaler.reset() }

  func begin(atOutput frame: Int) -> Int? { scaler.begin(atOutput: frame) }
}

// MARK: - Writing

/// Writes samples in the type in which they were scaled.
private final class SampleWriter<Sample: PCMSample>: BlockWriter {
  private let writer: any AudioFileWriter
  private let channelCount: Int

  init(_ writer: any AudioFileWriter, channelCount: Int) {
    self.writer = writer
    self.channelCount = channelCount
  }

  /// No sample is clamped.
  var clipping: Clipping { Clipping() }

  func write(_ block: Block) throws(AudioFileError) {
    let samples = block.samples(of: Sample.self)
    try writer.write(samples.span.extracting(first: block.frameCount * channelCount))
  }
}

/// Rounds samples that were scaled as `Double` to the stored type.
private final class QuantizingWriter<Stored: PCMSample>: BlockWriter {
  private let writer: any AudioFileWriter
  private let channelCount: Int
  private var quantizer: Quantizer<Stored>
  /// Memory for the samples to store.
  private var stored: Block?

  init(_ writer: any AudioFileWriter, channelCount: Int, dither: Dither, gain: Double) {
    self.writer = writer
    self.channelCount = channelCount
    quantizer = Quantizer(dither: dither, gain: gain)
  }

  var clipping: Clipping { quantizer.clipping }

  func write(_ block: Block) throws(AudioFileError) {
    let samples = block.samples(of: Double.self)
    let count = block.frameCount * channelCount
    // All blocks of a queue have the same size.
    let memory = stored ?? Block(byteCount: samples.count * MemoryLayout<Stored>.stride)
    stored = memory
    let rounded = memory.samples(of: Stored.self)
    var output = rounded.mutableSpan
    quantizer.quantize(samples.span.extracting(first: count), into: &output)
    try writer.write(rounded.span.extracting(first: count))
  }
}

/// Measures the level of samples that were scaled as `Double`, and keeps the samples if there is a spool.
final class LevelRecorder: BlockWriter {
  private var peaks = PeakMeter()
  private let loudness: LoudnessMeter?
  /// The samples scaled so far; `nil` if they are not kept, or if the file system had no room for them.
  private(set) var spool: SampleSpool?
  private let channelCount: Int

  /// A recorder; it also measures loudness if it has a meter.
  init(channelCount: Int, loudness: LoudnessMeter?, keepingIn spool: SampleSpool?) {
    self.channelCount = channelCount
    self.loudness = loudness
    self.spool = spool
  }

  /// The level of the samples written so far.
  var level: ScaledLevel {
    ScaledLevel(
      peaks: peaks, loudness: loudness?.integrated,
      truePeak: (0..<channelCount).compactMap { loudness?.truePeak(ofChannel: $0) }.max())
  }

  /// No sample is clamped.
  var clipping: Clipping { Clipping() }

  func write(_ block: Block) {
    let samples = block.samples(of: Double.self)
    let frames = samples.span.extracting(first: block.frameCount * channelCount)
    peaks.measure(frames)
    loudness?.add(frames, frameCount: block.frameCount)
    if spool?.append(block) == false { spool = nil }
  }
}

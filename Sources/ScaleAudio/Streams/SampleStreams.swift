internal import AudioIO
internal import AudioModel
internal import TimeScaling

// Streams that change samples of another stream, frame by frame.

/// A stream whose frames are those of another, one for one: everything but reading is passed on.
protocol PassingStream: FrameStream {
  var input: any FrameStream { get }
}

extension PassingStream {
  var source: SourceDescription { input.source }
  var clipping: Clipping { input.clipping }
  var nonFiniteSamples: Int { input.nonFiniteSamples }
  var seeking: Seeking { input.seeking }

  func seek(toFrame frame: Int) throws(AudioFileError) { try input.seek(toFrame: frame) }
}

/// The frames of a stream with their channels mixed to one.
final class MonoStream: PassingStream {
  let source: SourceDescription
  let input: any FrameStream
  private let weights: [Double]
  /// Frames of all channels.
  private var block: Block?
  private var mix: ((Block) -> Void)?

  /// The weighted mean of the channels of `input`; see ``ChannelMerger``.
  init(_ input: any FrameStream, weights: [Double]) {
    (self.input, self.weights) = (input, weights)
    var source = input.source
    source.spec.layout = .mono
    self.source = source
  }

  func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    let sampleCount = buffer.sampleCount * weights.count
    if block == nil || block?.buffer.sampleCount != sampleCount {
      block = Block(buffer.format, sampleCount: sampleCount)
      mix = mixer(buffer.format.sampleType)
    }
    guard let block, let mix else { return 0 }
    let frames = try input.read(into: block.buffer)
    if frames == 0 { return 0 }
    mix(block)
    buffer.store(block, from: 0, count: frames, at: 0)
    return frames
  }

  private func mixer<Sample: PCMSample>(_: Sample.Type) -> (Block) -> Void {
    let merger = ChannelMerger<Sample>(weights: weights)
    return { block in block.buffer.withSamples(of: Sample.self) { merger.merge(&$0) } }
  }
}

/// The frames of a stream, rounded to 16 bits and delivered as `Double`.
final class RoundedStream: PassingStream {
  let input: any FrameStream
  private var block: Block?

  init(_ input: any FrameStream) { self.input = input }

  func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    let block = block ?? Block(.int16, sampleCount: buffer.sampleCount)
    self.block = block
    let frames = try input.read(
      into: block.buffer.extracting(0..<min(buffer.sampleCount, block.buffer.sampleCount)))
    buffer.store(block, from: 0, count: frames * input.spec.channelCount, at: 0)
    return frames
  }
}

/// The frames of a stream, whose peaks are measured as `Double`.
final class MeasuredPeaks: PassingStream {
  /// The peaks of the frames read so far.
  private(set) var peaks = PeakMeter()
  let input: any FrameStream
  /// Frames that are delivered in another type.
  private var block: Block?

  init(_ input: any FrameStream) { self.input = input }

  func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    if buffer.format == .float64 { return try measure(buffer) }
    let block = block ?? Block(.float64, sampleCount: buffer.sampleCount)
    self.block = block
    let count = min(buffer.sampleCount, block.buffer.sampleCount)
    let frames = try measure(block.buffer.extracting(0..<count))
    buffer.store(block, from: 0, count: frames * input.spec.channelCount, at: 0)
    return frames
  }

  private func measure(_ buffer: FrameBuffer) throws(AudioFileError) -> Int {
    let frames = try input.read(into: buffer)
    buffer.withSamples(of: Double.self) { samples in
      peaks.measure(samples.span.extracting(first: frames * input.spec.channelCount))
    }
    return frames
  }
}

/// The frames of a stream of `Double`, which measures their level.
final class MeasuredLevel: PassingStream {
  let input: any FrameStream
  private var peaks = PeakMeter()
  private let loudness: LoudnessMeter?

  /// Measures peaks, and loudness and true peaks if needed. `frameCount` decides the resolution of loudness.
  init(_ input: any FrameStream, needsLoudness: Bool, frameCount: Int) {
    self.input = input
    loudness = needsLoudness ? LoudnessMeter(input.spec, frameCount: frameCount) : nil
  }

  /// The level of the frames read so far.
  var level: ScaledLevel {
    let truePeak = (0..<spec.channelCount).compactMap { loudness?.truePeak(ofChannel: $0) }.max()
    return ScaledLevel(peaks: peaks, loudness: loudness?.integrated, truePeak: truePeak)
  }

  func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    let frames = try input.read(into: buffer)
    buffer.withSamples(of: Double.self) { samples in
      let read = samples.span.extracting(first: frames * spec.channelCount)
      peaks.measure(read)
      loudness?.add(read, frameCount: frames)
    }
    return frames
  }
}

/// The frames of a stream of floating point, rounded once to the stored sample type.
final class QuantizedStream<Stored: PCMSample>: FrameStream, Quantizing {
  private let input: any FrameStream
  private var quantizer: Quantizer<Stored>
  private let block: Block

  /// Rounds the frames of `input`, read as `Float` or `Double` in blocks of samples, after multiplying them by `gain`
  /// and adding `dither`.
  init(
    _ input: any FrameStream, in format: SampleFormat, blockSamples: Int, dither: Dither,
    gain: Double
  ) {
    self.input = input
    quantizer = Quantizer(dither: dither, gain: gain)
    block = Block(format == .float32 ? .float32 : .float64, sampleCount: blockSamples)
  }

  var source: SourceDescription { input.source }
  var clipping: Clipping {
    var clipping = input.clipping
    clipping.add(quantized)
    return clipping
  }
  var quantized: Clipping { quantizer.clipping }
  var nonFiniteSamples: Int { input.nonFiniteSamples }
  var seeking: Seeking { input.seeking }

  /// The noise depends on the place of a sample in the stream.
  func seek(toFrame frame: Int) throws(AudioFileError) {
    try input.seek(toFrame: frame)
    quantizer = Quantizer(
      dither: quantizer.dither, gain: quantizer.gain,
      nextSample: UInt64(frame) &* UInt64(spec.channelCount))
    block.frameCount = 0
  }

  func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    let channels = input.spec.channelCount
    let frames: Int
    if buffer.sampleCount < block.buffer.sampleCount {
      frames = try input.read(into: block.buffer.extracting(0..<buffer.sampleCount))
    } else {
      frames = try input.read(into: block)
    }
    let count = frames * channels
    buffer.withSamples(of: Stored.self) { stored in
      if block.format == .float32 {
        let samples = block.samples(of: Float.self)
        quantizer.quantize(samples.span.extracting(first: count), into: &stored)
      } else {
        let samples = block.samples(of: Double.self)
        quantizer.quantize(samples.span.extracting(first: count), into: &stored)
      }
    }
    return frames
  }
}

/// A stream that rounds samples.
protocol Quantizing: FrameStream {
  /// The samples that were clamped when they were rounded.
  var quantized: Clipping { get }
}

extension SampleFormat {
  /// The frames of a stream, read as `Float` or `Double`, rounded to this format.
  func quantized(
    _ input: any FrameStream, in format: SampleFormat = .float64, blockSamples: Int,
    dither: Dither, gain: Double = 1
  ) -> any Quantizing {
    func make<Stored: PCMSample>(_: Stored.Type) -> any Quantizing {
      QuantizedStream<Stored>(
        input, in: format, blockSamples: blockSamples, dither: dither, gain: gain)
    }
    return make(sampleType)
  }
}

extension AudioFileWriter {
  /// Appends the frames of a block.
  func write(_ block: Block, channelCount: Int) throws(AudioFileError) {
    func write<Sample: PCMSample>(_ type: Sample.Type) throws(AudioFileError) {
      try self.write(
        block.samples(of: type).span.extracting(first: block.frameCount * channelCount))
    }
    try write(block.format.sampleType)
  }
}

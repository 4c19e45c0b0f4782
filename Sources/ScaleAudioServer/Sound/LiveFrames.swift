internal import AudioModel
internal import ScaleAudio
internal import SystemPackage
internal import TimeScaling

/// Frames at another rate and pitch, by the engine that plays: from any frame on, and of exact length.
final class LiveFrames: FrameSource {
  let spec: AudioSpec
  let frameCount: Int

  private let source: any FrameSource
  private let rate: Double
  private let semitones: Double
  private var position = 0
  private var block: [Float]
  #if RubberBand
    private var stretcher: LiveStretcher?
  #endif
  /// The next frame to give the stretcher; those before the first and after the last are silence.
  private var next = 0

  private static let blockFrames = 4096

  /// `rate` is input frames / output frames; throws if the engine does not reach it, or is not built in.
  init(
    _ source: any FrameSource, rate: Double, semitones: Double, path: FilePath
  ) throws(ConversionError) {
    self.source = source
    self.rate = rate
    self.semitones = semitones
    spec = source.spec
    block = Array(repeating: 0, count: Self.blockFrames * source.spec.channelCount)
    #if RubberBand
      let (rates, shifts) = (LiveStretcher.rateRange, LiveStretcher.semitoneRange)
      guard rates.contains(rate), shifts.contains(semitones) else {
        throw .cannotScale(
          path,
          .outOfRange(
            "the live engine plays rates of \(rates.lowerBound) to \(rates.upperBound) and shifts of up to \(shifts.upperBound) semitones"
          ))
      }
      frameCount = Int((Double(source.frameCount) / rate).rounded())
    #else
      throw .cannotScale(path, .outOfRange("this build has no engine that keeps the pitch"))
    #endif
  }

  func seek(toFrame frame: Int) throws(ConversionError) {
    position = min(max(0, frame), frameCount)
    #if RubberBand
      stretcher = nil
    #endif
  }

  func read(into buffer: inout MutableSpan<Double>) throws(ConversionError) -> Int {
    #if RubberBand
      let channels = spec.channelCount
      let wanted = min(buffer.count / channels, frameCount - position)
      if wanted <= 0 { return 0 }
      let stretcher = try current()
      while stretcher.available == 0 { try feed(stretcher) }
      let count = min(wanted, stretcher.available)
      let samples = [Float](unsafeUninitializedCapacity: count * channels) { samples, filled in
        filled = (samples.baseAddress.map { stretcher.retrieve(count, into: $0) } ?? 0) * channels
      }
      for index in samples.indices { buffer[index] = Double(samples[index]) }
      let made = samples.count / channels
      position += made
      return made
    #else
      return 0
    #endif
  }

  #if RubberBand
    /// The stretcher, which begins at the position if there is none.
    private func current() throws(ConversionError) -> LiveStretcher {
      if let stretcher { return stretcher }
      let made = LiveStretcher(
        channelCount: spec.channelCount, sampleRate: spec.sampleRate, rate: rate,
        semitones: semitones)
      next = Int(Double(position) * rate) - made.leadFrames
      try source.seek(toFrame: max(0, min(next, source.frameCount)))
      stretcher = made
      return made
    }

    private func feed(_ stretcher: LiveStretcher) throws(ConversionError) {
      let channels = spec.channelCount
      let count = min(max(1, stretcher.lacking), Self.blockFrames)
      var filled = min(count, max(0, -next)) * channels
      for index in 0..<filled { block[index] = 0 }
      while filled < count * channels {
        let made = try read(at: filled, count: count * channels - filled)
        if made == 0 { break }
        filled += made * channels
      }
      for index in filled..<max(filled, count * channels) { block[index] = 0 }
      block.withUnsafeBufferPointer { frames in
        if let start = frames.baseAddress { stretcher.put(start, count: count) }
      }
      next += count
    }

    /// Reads frames of the source to a place in the block.
    private func read(at start: Int, count: Int) throws(ConversionError) -> Int {
      var part = [Double](repeating: 0, count: count)
      var samples = part.mutableSpan
      let made = try source.read(into: &samples)
      for index in 0..<made * spec.channelCount { block[start + index] = Float(part[index]) }
      return made
    }
  #endif
}

/// Frames at another sample rate.
final class ResampledFrames: FrameSource {
  let spec: AudioSpec
  let frameCount: Int

  private let source: any FrameSource
  private let resampler: Resampler
  private let path: FilePath
  /// The least numbers of frames that are equally long at both rates.
  private let period: (input: Int, output: Int)
  private var position = 0
  /// Output frames to leave out before the position.
  private var skipped = 0
  private var wide: [Double] = []
  /// The next sample of `wide` that the resampler has not taken.
  private var taken = 0
  private var output: [Double]

  private static let blockFrames = 4096
  /// Input frames that the resampler's filters need before a frame.
  private static let leadFrames = 8192

  init(_ source: any FrameSource, to rate: Int, path: FilePath) throws(ConversionError) {
    self.source = source
    self.path = path
    let given = source.spec.sampleRate
    var (divisor, rest) = (given, rate)
    while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
    period = (given / divisor, rate / divisor)
    spec = AudioSpec(sampleRate: rate, layout: source.spec.layout)
    let (product, overflow) = source.frameCount.multipliedReportingOverflow(by: period.output)
    if overflow { throw .cannotScale(path, .outOfRange("too long to be resampled")) }
    frameCount = product / period.input
    let channels = spec.channelCount
    resampler = try ConversionError.scaling(
      path,
      Resampler(
        ratio: Double(period.output) / Double(period.input), channelCount: channels, quality: .high)
    )
    output = Array(repeating: 0, count: Self.blockFrames * channels)
  }

  func seek(toFrame frame: Int) throws(ConversionError) {
    position = min(max(0, frame), frameCount)
    resampler.clear()
    let lead = Self.leadFrames / period.input + 1
    let start = max(0, position / period.output - lead)
    try source.seek(toFrame: start * period.input)
    skipped = position - start * period.output
    (wide, taken) = ([], 0)
  }

  func read(into buffer: inout MutableSpan<Double>) throws(ConversionError) -> Int {
    let channels = spec.channelCount
    let wanted = min(buffer.count / channels, frameCount - position)
    while wanted > 0 {
      let capacity = min(Self.blockFrames, skipped > 0 ? skipped : wanted)
      let made = try produce(capacity)
      if skipped > 0 {
        skipped -= made
        continue
      }
      for index in 0..<made * channels { buffer[index] = output[index] }
      position += made
      return made
    }
    return 0
  }

  /// Makes at least one frame of `output`.
  private func produce(_ capacity: Int) throws(ConversionError) -> Int {
    let channels = spec.channelCount
    while true {
      if taken == wide.count {
        var block = [Double](repeating: 0, count: Self.blockFrames * channels)
        var samples = block.mutableSpan
        let count = try source.read(into: &samples)
        (wide, taken) = (Array(block[..<(count * channels)]), 0)
      }
      var made = output.mutableSpan
      let progress: ScalingProgress
      do throws(ScalingError) {
        if wide.isEmpty {
          let count = try resampler.flush(into: &made, capacity: capacity)
          progress = ScalingProgress(consumed: 0, produced: count)
        } else {
          let rest = wide.span.extracting(taken..<wide.count)
          progress = try resampler.process(rest, into: &made, capacity: capacity)
        }
      } catch {
        throw .cannotScale(path, error)
      }
      taken += progress.consumed * channels
      if progress.produced > 0 { return progress.produced }
    }
  }
}

internal import AudioModel
internal import ScaleAudio
internal import SystemPackage
internal import TimeScaling

/// Frames at another rate and pitch, by the vocoder: from any frame on, and of exact length.
final class LiveFrames: FrameSource {
  let spec: AudioSpec
  let frameCount: Int

  private let source: any FrameSource
  private let rate: Double
  private let semitones: Double
  private let path: FilePath
  private var position = 0
  private var vocoder: LiveVocoder?
  /// Frames of the source, or silence before and after it, and how many of them the vocoder has.
  private var block: [Float] = []
  private var taken = 0
  /// The source frame after the block; those before the first and after the last are silence.
  private var next = 0
  private var heard: [Float]

  private static let blockFrames = 4096

  /// `rate` is input frames / output frames; throws if the vocoder does not reach it.
  init(
    _ source: any FrameSource, rate: Double, semitones: Double, path: FilePath
  ) throws(ConversionError) {
    (self.source, self.path) = (source, path)
    (self.rate, self.semitones) = (rate, semitones)
    spec = source.spec
    heard = Array(repeating: 0, count: Self.blockFrames * spec.channelCount)
    let (factors, shifts) = (StretchSettings.factorRange, StretchSettings.semitoneRange)
    // Lengths are rounded to frames.
    guard rate > 0, 1 / rate > factors.lowerBound - 1e-3, 1 / rate < factors.upperBound + 1e-3,
      shifts.contains(semitones)
    else {
      throw .cannotScale(
        path,
        .outOfRange(
          "previews have factors of \(factors.lowerBound) to \(factors.upperBound) and shifts of up to \(shifts.upperBound) semitones"
        ))
    }
    frameCount = Int((Double(source.frameCount) / rate).rounded())
  }

  func seek(toFrame frame: Int) throws(ConversionError) {
    position = min(max(0, frame), frameCount)
    vocoder = nil
  }

  func read(into buffer: inout MutableSpan<Double>) throws(ConversionError) -> Int {
    let channels = spec.channelCount
    let wanted = min(buffer.count / channels, frameCount - position, Self.blockFrames)
    if wanted <= 0 { return 0 }
    let vocoder = try current()
    var made = 0
    while made < wanted {
      while vocoder.available == 0 { try feed(vocoder) }
      let count = heard.withUnsafeMutableBufferPointer { target in
        target.baseAddress.map { vocoder.retrieve(wanted - made, into: $0) } ?? 0
      }
      buffer.store(heard.span.extracting(0..<count * channels), at: made * channels)
      made += count
    }
    position += made
    return made
  }

  /// The vocoder; if there is none, a new one that begins at the position.
  private func current() throws(ConversionError) -> LiveVocoder {
    if let vocoder { return vocoder }
    let made = try ConversionError.scaling(
      path,
      LiveVocoder(
        channelCount: spec.channelCount, sampleRate: spec.sampleRate, rate: rate,
        semitones: semitones))
    next = Int((Double(position) * rate).rounded()) - made.leadFrames
    (block, taken) = ([], 0)
    try source.seek(toFrame: max(0, min(next, source.frameCount)))
    vocoder = made
    return made
  }

  private func feed(_ vocoder: LiveVocoder) throws(ConversionError) {
    let channels = spec.channelCount
    if taken == block.count { try readBlock() }
    let count = min(vocoder.lacking, (block.count - taken) / channels)
    block.withUnsafeBufferPointer { frames in
      if let start = frames.baseAddress { vocoder.put(start + taken, count: count) }
    }
    taken += count * channels
  }

  /// Reads the next frames: silence before the first and after the last.
  private func readBlock() throws(ConversionError) {
    let channels = spec.channelCount
    taken = 0
    block.removeAll(keepingCapacity: true)
    var count = 0
    if next < 0 {
      count = min(-next, Self.blockFrames)
      block.append(contentsOf: repeatElement(0, count: count * channels))
    } else {
      var read = [Double](repeating: 0, count: Self.blockFrames * channels)
      var samples = read.mutableSpan
      count = try source.read(into: &samples)
      block = read.span.extracting(0..<count * channels).narrowed
    }
    if count == 0 {
      count = Self.blockFrames
      block.append(contentsOf: repeatElement(0, count: count * channels))
    }
    next += count
  }
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
      buffer.withUnsafeMutableBufferPointer {
        $0.baseAddress?.update(from: output, count: made * channels)
      }
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

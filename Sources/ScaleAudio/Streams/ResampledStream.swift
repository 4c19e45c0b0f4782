package import AudioIO
internal import AudioModel
package import SystemPackage
internal import TimeScaling

/// A stream at another sample rate.
///
/// After a seek, the filters restart some frames earlier. Their output differs from sequential reading by less than
/// 2e-6 of full scale.
package final class ResampledStream: FrameStream {
  package let source: SourceDescription
  package var clipping: Clipping { stream.clipping }
  package var nonFiniteSamples: Int { stream.nonFiniteSamples }
  package var seeking: Seeking { stream.seeking }

  private let stream: any FrameStream
  private let resampler: Resampler<Double>
  private let path: FilePath
  /// The smallest numbers of frames that are equally long at both rates.
  private let period: (input: Int, output: Int)
  private var position = 0
  /// Output frames to drop before the position.
  private var skipped = 0
  /// Frames of the stream, and how many of them the resampler has taken.
  private let input: Block
  private var taken = 0
  private let output: Block

  private static let blockFrames = 4096
  /// Input frames that the resampler's filters need before a frame.
  private static let leadFrames = 8192

  /// A stream that delivers another, which is at its first frame, at a sample rate.
  ///
  /// - Parameter path: The file, for errors.
  package init(
    _ stream: any FrameStream, to rate: Int, path: FilePath
  ) throws(AudioFileError) {
    (self.stream, self.path) = (stream, path)
    var source = stream.source
    let given = source.spec.sampleRate
    var (divisor, rest) = (given, rate)
    while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
    period = (given / divisor, rate / divisor)
    let (product, overflow) = source.frameCount.multipliedReportingOverflow(by: period.output)
    if overflow { throw .cannotScale(path, reason: "too long to be resampled") }
    source.spec.sampleRate = rate
    source.frameCount = product / period.input
    source.metadata = source.metadata.scaled(
      by: 1, from: stream.source.frameCount, to: source.frameCount, sampleRate: given,
      outputRate: rate)
    self.source = source
    let channels = source.spec.channelCount
    resampler = try AudioFileError.scaling(
      path,
      Resampler(
        ratio: Double(period.output) / Double(period.input), channelCount: channels, quality: .high)
    )
    let samples = Self.blockFrames * channels
    (input, output) = (
      Block(.float64, sampleCount: samples), Block(.float64, sampleCount: samples)
    )
  }

  package func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    let channels = spec.channelCount
    let wanted = min(buffer.sampleCount / channels, source.frameCount - position)
    while wanted > 0 {
      let made = try produce(min(Self.blockFrames, skipped > 0 ? skipped : wanted))
      if skipped > 0 {
        skipped -= made
        continue
      }
      buffer.store(output, from: 0, count: made * channels, at: 0)
      position += made
      return made
    }
    return 0
  }

  package func seek(toFrame frame: Int) throws(AudioFileError) {
    position = min(max(0, frame), source.frameCount)
    resampler.clear()
    let lead = Self.leadFrames / period.input + 1
    let start = max(0, position / period.output - lead)
    try stream.seek(toFrame: start * period.input)
    skipped = position - start * period.output
    (input.frameCount, taken) = (0, 0)
  }

  /// Makes at least one frame of the output.
  private func produce(_ capacity: Int) throws(AudioFileError) -> Int {
    let channels = spec.channelCount
    var made = output.samples(of: Double.self).mutableSpan
    while true {
      if taken == input.frameCount {
        try stream.read(into: input)
        taken = 0
      }
      if input.frameCount == 0 {
        return try AudioFileError.scaling(path, resampler.flush(into: &made, capacity: capacity))
      }
      let rest = input.samples(of: Double.self).span.extracting(
        taken * channels..<input.frameCount * channels)
      let progress = try AudioFileError.scaling(
        path, resampler.process(rest, into: &made, capacity: capacity))
      taken += progress.consumed
      if progress.produced > 0 { return progress.produced }
    }
  }
}

package import AudioIO
internal import AudioModel
package import SystemPackage
internal import TimeScaling

/// A stream at another rate and pitch, made by the vocoder, which can begin at any frame.
///
/// The length is exact. A seek restarts the vocoder, so its frames then differ from those of sequential reading.
package final class LiveStream: FrameStream {
  package let source: SourceDescription
  package var clipping: Clipping { stream.clipping }
  package var nonFiniteSamples: Int { stream.nonFiniteSamples }
  package var seeking: Seeking { stream.seeking }

  private let stream: any FrameStream
  private let rate: Double
  private let semitones: Double
  private let path: FilePath
  private var position = 0
  /// The vocoder that makes the frame at the position; `nil` after a seek.
  private var vocoder: LiveVocoder?
  /// Frames of the stream, or silence before and after it, and how many of them the vocoder has taken.
  private let input: Block
  private var taken = 0
  /// The frame of the stream after the last one in the input. Frames before the first and after the last are silence.
  private var next = 0
  private let output: Block

  private static let blockFrames = 4096

  /// A stream that plays another at `rate`, input frames / output frames.
  ///
  /// - Parameter path: The file, for errors.
  package init(
    _ stream: any FrameStream, rate: Double, semitones: Double, path: FilePath
  ) throws(AudioFileError) {
    (self.stream, self.path) = (stream, path)
    (self.rate, self.semitones) = (rate, semitones)
    let (factors, shifts) = (StretchSettings.factorRange, StretchSettings.semitoneRange)
    // Lengths are rounded to frames.
    guard rate > 0, 1 / rate > factors.lowerBound - 1e-3, 1 / rate < factors.upperBound + 1e-3,
      shifts.contains(semitones)
    else {
      let reason =
        "previews have factors of \(factors.lowerBound) to \(factors.upperBound) and shifts of up to "
        + "\(shifts.upperBound) semitones"
      throw .cannotScale(path, reason: reason)
    }
    var source = stream.source
    source.frameCount = Int((Double(source.frameCount) / rate).rounded())
    source.metadata = source.metadata.scaled(
      by: 1 / rate, from: stream.source.frameCount, to: source.frameCount,
      sampleRate: source.spec.sampleRate)
    self.source = source
    let samples = Self.blockFrames * source.spec.channelCount
    (input, output) = (
      Block(.float32, sampleCount: samples), Block(.float32, sampleCount: samples)
    )
  }

  package func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    let channels = spec.channelCount
    let wanted = min(
      buffer.sampleCount / channels, source.frameCount - position, Self.blockFrames)
    if wanted <= 0 { return 0 }
    let vocoder = try current()
    var made = 0
    while made < wanted {
      while vocoder.available == 0 { try feed(vocoder) }
      let count =
        output.samples(of: Float.self).baseAddress.map { vocoder.retrieve(wanted - made, into: $0) }
        ?? 0
      buffer.store(output, from: 0, count: count * channels, at: made * channels)
      made += count
    }
    position += made
    return made
  }

  package func seek(toFrame frame: Int) throws(AudioFileError) {
    position = min(max(0, frame), source.frameCount)
    vocoder = nil
  }

  /// The vocoder; after a seek, a new one that begins at the position.
  private func current() throws(AudioFileError) -> LiveVocoder {
    if let vocoder { return vocoder }
    let made = try AudioFileError.scaling(
      path,
      LiveVocoder(
        channelCount: spec.channelCount, sampleRate: spec.sampleRate, rate: rate,
        semitones: semitones))
    next = Int((Double(position) * rate).rounded()) - made.leadFrames
    (input.frameCount, taken) = (0, 0)
    try stream.seek(toFrame: max(0, min(next, stream.source.frameCount)))
    vocoder = made
    return made
  }

  private func feed(_ vocoder: LiveVocoder) throws(AudioFileError) {
    if taken == input.frameCount { try readBlock() }
    let count = min(vocoder.lacking, input.frameCount - taken)
    if let start = input.samples(of: Float.self).baseAddress {
      vocoder.put(start + taken * spec.channelCount, count: count)
    }
    taken += count
  }

  /// Reads the next frames of the stream, or silence before and after it.
  private func readBlock() throws(AudioFileError) {
    taken = 0
    if next < 0 {
      silence(min(-next, Self.blockFrames))
    } else if try stream.read(into: input) == 0 {
      silence(Self.blockFrames)
    }
    next += input.frameCount
  }

  private func silence(_ frameCount: Int) {
    input.buffer.silence(0..<frameCount * spec.channelCount)
    input.frameCount = frameCount
  }
}

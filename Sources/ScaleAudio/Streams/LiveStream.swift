package import AudioIO
package import AudioModel
package import SystemPackage
package import TimeScaling

/// A stream at another rate and pitch, or by a time map, made by the vocoder, which can begin at any frame.
///
/// The length is exact. A seek restarts the vocoder, so its frames then differ from those of sequential reading.
package final class LiveStream: FrameStream {
  package let source: SourceDescription
  package var clipping: Clipping { stream.clipping }
  package var nonFiniteSamples: Int { stream.nonFiniteSamples }
  package var seeking: Seeking { stream.seeking }

  private let stream: any FrameStream
  private let legs: [Leg]
  private let semitones: Double
  private let formants: StretchSettings.Formants
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
  /// The frame of the stream after those that the vocoder has settled, and the leg that holds there.
  private var settled = 0
  private var leg = 0

  private static let blockFrames = 4096

  /// A part of the stream at one rate: its first frame in the stream, a whole one, and in the output.
  private struct Leg {
    let source, output: Double
    /// Input frames / output frames.
    let rate: Double
  }

  /// A stream that plays another by a time map, from (0, 0) to the end of both.
  ///
  /// Corners of the map are moved to the nearest frame of the source.
  ///
  /// - Parameters:
  ///   - formants: The treatment of formants: they move with the pitch or stay in place.
  ///   - path: The file, for errors.
  package convenience init(
    _ stream: any FrameStream, map: TimeMap, semitones: Double,
    formants: StretchSettings.Formants = .shift, path: FilePath
  ) throws(AudioFileError) {
    var points: [TimeMap.Point] = []
    for point in map.points {
      let moved = TimeMap.Point(source: point.source.rounded(), output: point.output)
      if let last = points.last, moved.source <= last.source { continue }
      points.append(moved)
    }
    let legs = zip(points, points.dropFirst()).map { from, to in
      Leg(
        source: from.source, output: from.output,
        rate: (to.source - from.source) / (to.output - from.output))
    }
    let length = points.last?.output ?? 0
    guard length < 0x1p53 else {
      throw .cannotScale(path, reason: "the time map makes it too long to be played")
    }
    try self.init(
      stream, legs: legs.isEmpty ? [Leg(source: 0, output: 0, rate: 1)] : legs,
      frameCount: Int(length.rounded()), semitones: semitones, formants: formants, path: path)
  }

  /// A stream that plays another at `rate`, input frames / output frames.
  ///
  /// - Parameters:
  ///   - formants: The treatment of formants: they move with the pitch or stay in place.
  ///   - path: The file, for errors.
  package convenience init(
    _ stream: any FrameStream, rate: Double, semitones: Double,
    formants: StretchSettings.Formants = .shift, path: FilePath
  ) throws(AudioFileError) {
    let length = (Double(stream.source.frameCount) / rate).rounded()
    try self.init(
      stream, legs: [Leg(source: 0, output: 0, rate: rate)],
      frameCount: Int(exactly: length) ?? 0, semitones: semitones, formants: formants, path: path)
  }

  private init(
    _ stream: any FrameStream, legs: [Leg], frameCount: Int, semitones: Double,
    formants: StretchSettings.Formants, path: FilePath
  ) throws(AudioFileError) {
    (self.stream, self.path) = (stream, path)
    (self.legs, self.semitones, self.formants) = (legs, semitones, formants)
    let (factors, shifts) = (StretchSettings.factorRange, StretchSettings.semitoneRange)
    // Lengths are rounded to frames.
    let isPossible = legs.allSatisfy { leg in
      leg.rate > 0 && 1 / leg.rate > factors.lowerBound - 1e-3
        && 1 / leg.rate < factors.upperBound + 1e-3
    }
    guard isPossible, shifts.contains(semitones) else {
      let reason =
        "previews have factors of \(factors.lowerBound) to \(factors.upperBound) and shifts of up to "
        + "\(shifts.upperBound) semitones"
      throw .cannotScale(path, reason: reason)
    }
    var source = stream.source
    let frames = source.frameCount
    source.frameCount = frameCount
    source.metadata = source.metadata.scaled(
      by: legs.count == 1 ? 1 / legs[0].rate : Double(frameCount) / Double(max(1, frames)),
      from: stream.source.frameCount, to: source.frameCount,
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
    leg = legs.lastIndex { $0.output <= Double(position) } ?? 0
    let here = legs[leg]
    let made = try AudioFileError.scaling(
      path,
      LiveVocoder(
        channelCount: spec.channelCount, sampleRate: spec.sampleRate, rate: here.rate,
        semitones: semitones, formants: formants, fastest: legs.map(\.rate).max()))
    settled = Int((here.source + (Double(position) - here.output) * here.rate).rounded())
    next = settled - made.leadFrames
    settled = next - made.leadFrames
    (input.frameCount, taken) = (0, 0)
    try stream.seek(toFrame: max(0, min(next, stream.source.frameCount)))
    vocoder = made
    return made
  }

  private func feed(_ vocoder: LiveVocoder) throws(AudioFileError) {
    if taken == input.frameCount { try readBlock() }
    var count = min(vocoder.lacking, input.frameCount - taken)
    // A rate holds from the frame on that is settled next.
    while leg + 1 < legs.count, legs[leg + 1].source <= Double(settled) {
      leg += 1
      vocoder.set(rate: legs[leg].rate, semitones: semitones)
    }
    if leg + 1 < legs.count {
      count = min(count, max(1, Int(legs[leg + 1].source) - settled))
    }
    if let start = input.samples(of: Float.self).baseAddress {
      vocoder.put(start + taken * spec.channelCount, count: count)
    }
    taken += count
    settled += count
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

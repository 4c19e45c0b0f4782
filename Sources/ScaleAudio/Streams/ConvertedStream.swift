package import AudioIO
package import AudioModel
package import SystemPackage
internal import TimeScaling

/// Delivers the scaled frames of a source, from any output frame on.
///
/// Samples equal those of a conversion with the same settings before they are rounded to the stored format. After a
/// seek, those of `sinc` differ by less than 2e-6 of full scale. Only one thread at a time may use a reader. Its
/// memory does not grow.
package final class ConvertedStream: FrameStream {
  /// The number of frames of the output.
  package var frameCount: Int { plan.output.frameCount }
  package var clipping: Clipping { reader.clipping }
  package var nonFiniteSamples: Int { reader.nonFiniteSamples }
  package var seeking: Seeking { reader.seeking }
  /// Requested output frames / input frames.
  package var factor: Double { plan.factor }
  /// The format in which a conversion stores the samples, `nil` for a lossy codec, and the dither that it adds before
  /// rounding.
  package var stored: (format: SampleFormat?, dither: Dither) {
    (plan.samples.stored, plan.samples.dither)
  }
  /// The next frame.
  package private(set) var position = 0

  private static let blockSamples = 16_384

  /// The output as if it were a file: its metadata is scaled with it.
  package let source: SourceDescription
  /// The same part of the source, unscaled. It shares its position with this reader, so each seeks before it reads.
  package let unscaled: any FrameStream

  private let plan: ConversionPlan
  private let reader: any FrameStream
  private let blocks: any BlockReader
  private let scaler: any BlockScaler
  private let path: FilePath
  /// How the scaled samples are stored in memory.
  private let format: SampleFormat
  private let input, output: Block
  /// Consumed frames of the input block, and delivered frames of the output block.
  private var consumed = 0
  private var delivered = 0
  private var isDraining = false
  /// Frames to skip, if a scaler cannot begin at the position.
  private var left = 0

  /// A reader of the source that `reader` has opened, at its first frame.
  ///
  /// - Parameters:
  ///   - settings: The length, the method, the channels and the part. The method must not be `stretch`; level and
  ///     sample rate must stay.
  ///   - path: The file, for errors.
  package init(
    _ reader: any FrameStream, settings: ConversionSettings, path: FilePath
  ) throws(ConversionError) {
    plan = try ConversionPlan(source: reader.source, settings: settings, input: path, path: path)
    guard plan.rateQuality == nil, plan.level == nil, plan.pieces.isEmpty else {
      throw .cannotScale(
        path, .outOfRange("level, sample rate and parts cannot change while audio is read"))
    }
    self.path = path
    let source = plan.reader(of: reader)
    self.reader = source
    unscaled = plan.reader(of: reader)
    var scaled = source.source
    scaled.spec = plan.output.spec
    scaled.frameCount = plan.output.frameCount
    scaled.metadata = scaled.metadata.scaled(
      by: plan.factor, from: source.source.frameCount, to: plan.output.frameCount,
      sampleRate: scaled.spec.sampleRate)
    self.source = scaled
    let formats = plan.samples
    let channels = plan.output.spec.channelCount
    if let interpolation = plan.interpolation {
      format = formats.scaled
      scaler = format.interpolatingScaler(
        plan.controlPoints(interpolation), channelCount: channels)
    } else {
      format = .float64
      let chain = try ScalerChain(plan, path: path, isShort: true)
      guard !chain.needsStudy, chain.steps.count == 1, let first = chain.steps[0].first else {
        throw .cannotScale(
          path,
          .outOfRange(
            "the method \(plan.method.kind.rawValue) cannot begin within the audio",
            remedy: .useMethod(ScalingMethod.Kind.sinc.rawValue)))
      }
      scaler = first
    }
    let rounds = plan.interpolation == nil ? formats.forcesInt16 : formats.roundsToInt16
    blocks =
      format == .float64
      ? DoubleReader(source, mergeWeights: plan.mergeWeights, roundsToInt16: rounds)
      : format.blockReader(source, mergeWeights: plan.mergeWeights)
    let frames = max(16, Self.blockSamples / source.source.spec.channelCount)
    input = Block(format, sampleCount: frames * source.source.spec.channelCount)
    output = Block(format, sampleCount: frames * channels)
  }

  /// A reader of the result of a conversion, for playback. If the source's own format cannot hold the result, the
  /// reader delivers it as for CAF, which can.
  package static func forListening(
    _ reader: any FrameStream, settings: ConversionSettings, path: FilePath
  ) throws(ConversionError) -> ConvertedStream {
    do throws(ConversionError) {
      return try ConvertedStream(reader, settings: settings, path: path)
    } catch {
      guard settings.format == nil, case .file = error else { throw error }
      var other = settings
      other.format = AudioFormat.named("caf")
      return try ConvertedStream(reader, settings: other, path: path)
    }
  }

  /// The output positions of the frames of a source whose length `stretch` changes; `nil` for a source without
  /// frames.
  package static func stretching(
    _ source: SourceDescription, _ time: TimeRequest, path: FilePath
  ) throws(ConversionError) -> TimeMap? {
    let settings = ConversionSettings(time: time, method: .stretch(StretchSettings()))
    let length = try OutputLength(
      source: source, settings: settings, outputRate: source.spec.sampleRate, input: path)
    let end = TimeMap.Point(
      source: Double(source.frameCount), output: Double(length.scaledFrames))
    return length.map ?? TimeMap(points: [TimeMap.Point(source: 0, output: 0), end])
  }

  package func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    let channels = spec.channelCount
    let wanted = min(buffer.sampleCount / channels, frameCount - position)
    var done = 0
    while done < wanted {
      if delivered == output.frameCount, try !advance() { break }
      let passed = min(left, output.frameCount - delivered)
      (left, delivered) = (left - passed, delivered + passed)
      let count = min(wanted - done, output.frameCount - delivered)
      if count > 0 {
        buffer.store(
          output, from: delivered * channels, count: count * channels, at: done * channels)
        delivered += count
        done += count
      }
    }
    position += done
    return done
  }

  /// The position in ``unscaled`` that corresponds to an output frame, possibly between two frames: `linear` and
  /// `smoothstep` map the last frame to the last frame.
  package func unscaledFrame(at frame: Double) -> Double { frame * step }

  /// The output position that corresponds to a frame of ``unscaled``.
  package func frame(atUnscaled frame: Double) -> Double { frame / step }

  private var step: Double {
    guard plan.interpolation != nil, plan.inputFrames > 1, frameCount > 1 else {
      return 1 / plan.factor
    }
    return Double(plan.inputFrames - 1) / Double(frameCount - 1)
  }

  /// Seeks to an output frame, from 0 to the frame count; the next read starts there.
  ///
  /// If the scaler cannot begin there, the frames before it are scaled again: see ``TimeScaler/begin(atOutput:)``.
  package func seek(toFrame frame: Int) throws(AudioFileError) {
    let frame = min(max(0, frame), frameCount)
    scaler.reset()
    let first = scaler.begin(atOutput: frame)
    if first == nil { scaler.reset() }
    left = first == nil ? frame : 0
    try reader.seek(toFrame: first ?? 0)
    (input.frameCount, output.frameCount, consumed, delivered) = (0, 0, 0, 0)
    (isDraining, position) = (false, frame)
  }

  /// Scales the next block; `false` at the end.
  private func advance() throws(AudioFileError) -> Bool {
    (output.frameCount, delivered) = (0, 0)
    while output.frameCount == 0 {
      if isDraining {
        output.frameCount = try AudioFileError.scaling(path, scaler.finish(into: output))
        return output.frameCount > 0
      }
      if consumed == input.frameCount {
        input.frameCount = try blocks.read(into: input)
        consumed = 0
        if input.frameCount == 0 {
          isDraining = true
          continue
        }
      }
      let progress = try AudioFileError.scaling(
        path, scaler.process(input, from: consumed, into: output))
      output.frameCount = progress.produced
      consumed += progress.consumed
      // The output is complete; the rest of the input is not needed.
      if progress == ScalingProgress(consumed: 0, produced: 0) { consumed = input.frameCount }
    }
    return true
  }
}

extension AudioFileError {
  /// Runs the work of a scaler; its errors become errors about the file at `path`.
  package static func scaling<Result>(
    _ path: FilePath, _ work: @autoclosure () throws(ScalingError) -> Result
  ) throws(AudioFileError) -> Result {
    do throws(ScalingError) {
      return try work()
    } catch {
      throw .cannotScale(path, reason: error.cause, remedy: error.remedy)
    }
  }
}

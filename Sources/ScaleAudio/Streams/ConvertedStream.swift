package import AudioIO
package import AudioModel
package import SystemPackage
internal import TimeScaling

/// Delivers the scaled frames of a source, from any output frame on.
///
/// Samples equal those of a conversion with the same settings before rounding to the stored format. After a seek,
/// samples of `sinc` differ by less than 2e-6 of full scale, with ``ScalingQuality/fast`` 2e-5. Only one thread at a
/// time may use a stream. Its memory does not grow.
package final class ConvertedStream: FrameStream {
  /// The number of frames of the output.
  package var frameCount: Int { plan.output.frameCount }
  package var clipping: Clipping { stream.clipping }
  package var nonFiniteSamples: Int { stream.nonFiniteSamples }
  package var seeking: Seeking { stream.seeking }
  /// Requested output frames / input frames.
  package var factor: Double { plan.factor }
  /// The stored sample format, `nil` for a lossy codec, and the dither that is added before rounding.
  package var stored: (format: SampleFormat?, dither: Dither) {
    (plan.samples.stored, plan.samples.dither)
  }
  /// The next frame.
  package private(set) var position = 0

  /// The output, described like a file, with scaled metadata.
  package let source: SourceDescription
  /// The same part of the source, unscaled. It shares its position with this stream, so each seeks before it reads.
  package let unscaled: any FrameStream

  private let plan: ConversionPlan
  private let stream: ScaledStream

  private static let blockSamples = 16_384

  /// Creates the output stream of a conversion of the source that `reader` has opened, at its first frame.
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
    let part = plan.reader(of: reader)
    unscaled = plan.reader(of: reader)
    var scaled = part.source
    scaled.spec = plan.output.spec
    scaled.frameCount = plan.output.frameCount
    scaled.metadata = scaled.metadata.scaled(
      by: plan.factor, from: part.source.frameCount, to: plan.output.frameCount,
      sampleRate: scaled.spec.sampleRate)
    source = scaled
    let formats = plan.samples
    let scaler: any BlockScaler
    if let interpolation = plan.interpolation {
      scaler = formats.scaled.interpolatingScaler(
        plan.controlPoints(interpolation), channelCount: plan.output.spec.channelCount)
    } else {
      let scalers = try ScalerChain(plan, path: path, isShort: true)
      guard !scalers.needsStudy, scalers.steps.count == 1, let first = scalers.steps.first else {
        throw .cannotScale(
          path,
          .outOfRange(
            "the method \(plan.method.kind.rawValue) cannot begin within the audio",
            remedy: .useMethod(ScalingMethod.Kind.sinc.rawValue)))
      }
      scaler = first
    }
    let rounds = plan.interpolation == nil ? formats.forcesInt16 : formats.roundsToInt16
    var input: any FrameStream = part
    if scaler.format.isFloat, rounds { input = RoundedStream(input) }
    if let weights = plan.mergeWeights { input = MonoStream(input, weights: weights) }
    stream = ScaledStream(
      input, by: scaler, as: scaled,
      blockFrames: max(16, Self.blockSamples / part.source.spec.channelCount), path: path)
  }

  /// A stream of a conversion's result for playback. If the source's own format cannot hold the result, samples are
  /// delivered as for CAF, which can.
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

  /// The output positions of the source's frames when `stretch` changes the length; `nil` for a source without frames.
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
    let frames = try stream.read(into: buffer)
    position += frames
    return frames
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

  /// Seeks to an output frame, from 0 to the frame count; the next read starts there. If the scaler cannot begin there,
  /// the frames before it are scaled again.
  package func seek(toFrame frame: Int) throws(AudioFileError) {
    position = min(max(0, frame), frameCount)
    try stream.seek(toFrame: position)
  }
}

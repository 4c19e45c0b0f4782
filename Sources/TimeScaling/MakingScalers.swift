public import AudioModel

extension ScalingMethod {
  /// Makes a scaler of this method.
  ///
  /// Samples are interleaved, with a full scale of 1. ``smoothstep`` and ``linear`` also scale other sample types:
  /// make an ``InterpolatingScaler`` for these.
  ///
  /// - Parameters:
  ///   - inputFrames: The number of frames to scale, at least 0. It must be known beforehand.
  ///   - outputFrames: The number of frames to make, at least 0: see ``TimeFactor/outputFrames(for:)``.
  ///   - factor: Output frames / input frames where `outputFrames` was rounded; only ``sinc(quality:)`` uses it. `nil` for
  ///     `outputFrames / inputFrames`.
  ///   - channelCount: The number of samples in a frame, at least 1.
  ///   - sampleRate: In Hz; only ``stretch(_:)`` uses it.
  ///   - map: The positions in the output, in frames, for a tempo that changes; only ``stretch(_:)`` supports it. `nil`
  ///     for a constant factor.
  /// - Returns: A scaler at its first frame.
  /// - Throws: ``ScalingError/unavailable(_:)`` in a build without the engine of ``stretch(_:)``,
  ///   ``ScalingError/outOfRange(_:remedy:)`` for a factor, a map or a setting that the method does not support, and
  ///   ``ScalingError/failed(_:)`` if the library behind the method fails.
  public func makeScaler(
    inputFrames: Int, outputFrames: Int, factor: Double? = nil, channelCount: Int, sampleRate: Int,
    map: TimeMap? = nil
  ) throws(ScalingError) -> any TimeScaler<Double> {
    try makeScaler(
      inputFrames: inputFrames, outputFrames: outputFrames, factor: factor,
      channelCount: channelCount, sampleRate: sampleRate, map: map, cores: nil)
  }

  /// Makes a scaler of this method that may offer a part of its work to other cores; the output is the same.
  package func makeScaler(
    inputFrames: Int, outputFrames: Int, factor: Double? = nil, channelCount: Int, sampleRate: Int,
    map: TimeMap? = nil, cores: (any SpareCores)?
  ) throws(ScalingError) -> any TimeScaler<Double> {
    switch self {
    case .smoothstep, .linear:
      try refuse(map)
      return InterpolatingScaler<Double>(
        points: ControlPoints(
          inputFrames: inputFrames, outputFrames: outputFrames,
          interpolation: interpolation ?? .linear),
        channelCount: channelCount)
    case .sinc(let quality):
      try refuse(map)
      return try SincScaler<Double>(
        inputFrames: inputFrames, outputFrames: outputFrames, factor: factor,
        channelCount: channelCount, quality: quality)
    case .stretch(let settings):
      try settings.checkEngine()
      if settings.engine == .vocoder {
        return try VocoderScaler(
          inputFrames: inputFrames, outputFrames: outputFrames, channelCount: channelCount,
          sampleRate: sampleRate, semitones: settings.semitones, formants: settings.formants,
          map: map, cores: cores)
      }
      #if RubberBand
        return try StretchScaler(
          inputFrames: inputFrames, outputFrames: outputFrames, channelCount: channelCount,
          sampleRate: sampleRate, settings: settings, map: map)
      #else
        throw .unavailable(settings.engine)
      #endif
    }
  }

  private func refuse(_ map: TimeMap?) throws(ScalingError) {
    if map != nil {
      throw .outOfRange(
        "the method \(kind.rawValue) has no time map",
        remedy: .useMethod(Kind.stretch.rawValue))
    }
  }
}

extension TimeScaler {
  /// The number of output frames per step of ``scale(_:)``.
  private static var stepFrames: Int { 8192 }

  /// Scales a whole signal that is in memory, from its first frame to its last.
  ///
  /// Resets the scaler first, so that one scaler can scale several signals of the same length.
  ///
  /// - Parameter input: All frames that were announced when the scaler was made, interleaved.
  /// - Returns: All output frames, interleaved.
  /// - Throws: ``ScalingError/failed(_:)`` if the library behind the method fails, or if it has to study more frames
  ///   than `input` has.
  public mutating func scale(_ input: [Sample]) throws(ScalingError) -> [Sample] {
    reset()
    if needsStudy { try study(input.span) }
    let frames = input.count / channelCount
    var block = Array(repeating: Sample.silence, count: Self.stepFrames * channelCount)
    var output: [Sample] = []
    var consumed = 0
    while consumed < frames {
      var room = block.mutableSpan
      let progress = try process(
        input.span.extracting(consumed * channelCount..<frames * channelCount), into: &room)
      output += block.prefix(progress.produced * channelCount)
      consumed += progress.consumed
      if progress == ScalingProgress(consumed: 0, produced: 0) { break }
    }
    while true {
      var room = block.mutableSpan
      let count = try finish(into: &room)
      if count == 0 { return output }
      output += block.prefix(count * channelCount)
    }
  }
}

extension StretchSettings.Engine {
  /// A scaler of a stream whose rate and pitch change within ``StretchSettings/liveRateRange`` and
  /// ``StretchSettings/liveSemitoneRange``.
  package func liveScaler(
    channelCount: Int, sampleRate: Int, rate: Double, semitones: Double
  ) throws(ScalingError) -> any LiveScaler {
    #if RubberBand
      if self == .r3 {
        return LiveStretcher(
          channelCount: channelCount, sampleRate: sampleRate, rate: rate, semitones: semitones)
      }
    #endif
    return try LiveVocoder(
      channelCount: channelCount, sampleRate: sampleRate, rate: rate, semitones: semitones)
  }
}

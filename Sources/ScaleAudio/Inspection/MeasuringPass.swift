internal import AudioIO
internal import AudioModel
internal import SystemPackage

/// One pass over all samples of a file, in their own sample format.
struct MeasuringPass {
  let reader: any FrameStream
  let path: FilePath
  let measuresLevels: Bool
  let hashesSamples: Bool
  let cancellation: Cancellation

  /// Samples read at a time, over all channels.
  private static let samplesAtATime = 1 << 16

  /// The measured values.
  struct Result {
    var frameCount = 0
    /// `nil` unless measured.
    var levels: AudioLevels?
    /// `nil` unless requested.
    var sha256: String?
  }

  /// Reads all samples.
  func run() throws(AudioFileError) -> Result {
    switch reader.source.sampleFormat {
    case .int8: try run(Int8.self)
    case .int16: try run(Int16.self)
    case .int24: try run(Int24.self)
    case .int32: try run(Int32.self)
    case .float32, nil: try run(Float.self)
    case .float64: try run(Double.self)
    }
  }

  private func run<Sample: PCMSample>(
    _ type: Sample.Type
  ) throws(AudioFileError) -> Result {
    let spec = reader.source.spec
    let meter =
      measuresLevels
      ? LevelMeter(spec, format: Sample.format, frameCount: reader.source.frameCount) : nil
    var checksum = hashesSamples ? SampleChecksum.sha256(Sample.format) : nil
    let blockFrames = max(1, Self.samplesAtATime / spec.channelCount)
    var block = [Sample](repeating: .silence, count: blockFrames * spec.channelCount)
    var result = Result()
    while true {
      if cancellation.isCancelled { throw .cannotRead(path, .interrupted) }
      var span = block.mutableSpan
      let frames = try reader.read(into: &span)
      if frames == 0 { break }
      let samples = block.span.extracting(first: frames * spec.channelCount)
      meter?.measure(samples)
      checksum?.add(samples)
      result.frameCount += frames
    }
    result.levels = meter?.finish()
    result.levels?.nonFiniteSamples = reader.nonFiniteSamples
    result.sha256 = checksum?.finish()
    return result
  }
}

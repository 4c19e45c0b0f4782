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
    let spec = reader.source.spec
    let format = reader.source.sampleFormat ?? .float32
    let meter =
      measuresLevels ? LevelMeter(spec, format: format, frameCount: reader.source.frameCount) : nil
    var checksum = hashesSamples ? SampleChecksum.sha256(format) : nil
    let blockFrames = max(1, Self.samplesAtATime / spec.channelCount)
    let block = Block(format, sampleCount: blockFrames * spec.channelCount)
    var result = Result()
    func measure<Sample: PCMSample>(_ type: Sample.Type) {
      let samples = block.samples(of: type).span.extracting(
        first: block.frameCount * spec.channelCount)
      meter?.measure(samples)
      checksum?.add(samples)
    }
    while true {
      if cancellation.isCancelled { throw .cannotRead(path, .interrupted) }
      if try reader.read(into: block) == 0 { break }
      measure(format.sampleType)
      result.frameCount += block.frameCount
    }
    result.levels = meter?.finish()
    result.levels?.nonFiniteSamples = reader.nonFiniteSamples
    result.sha256 = checksum?.finish()
    return result
  }
}

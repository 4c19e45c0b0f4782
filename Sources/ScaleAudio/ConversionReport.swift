/// How far one conversion has come.
public struct ConversionProgress: Hashable, Sendable {
  /// Input frames done.
  public var frames: Int
  /// Input frames in all.
  public var totalFrames: Int
  /// The input's sample rate, in Hz.
  public var sampleRate: Int

  /// So many of so many frames at `sampleRate` Hz.
  public init(frames: Int, totalFrames: Int, sampleRate: Int) {
    self.frames = frames
    self.totalFrames = totalFrames
    self.sampleRate = sampleRate
  }
}

/// What a finished conversion made.
public struct ConversionReport: Hashable, Sendable {
  /// The source, as it was opened.
  public var source: SourceDescription
  /// The format that was written.
  public var format: AudioFormat
  /// Rate and layout of the output.
  public var spec: AudioSpec
  /// Frames of the output.
  public var outputFrames: Int
  /// Output frames asked for / input frames.
  public var factor: Double
  /// How the length was changed.
  public var method: ScalingMethod
  /// How the output stores samples; `nil` for lossy codecs.
  public var sampleFormat: SampleFormat?
  /// Samples beyond full scale, which were clamped when they were read or stored.
  public var clippedSamples: Int
  /// How far the loudest of them lay beyond full scale, in dB, at least 0; `nil` where there is none.
  public var clippedDecibels: Double?
  /// By how much the level of the whole file was changed, in dB; `nil` where nothing was asked of it.
  public var gainDecibels: Double?
  /// Wall time from opening to publishing, in seconds.
  public var seconds: Double
  /// What the user should know.
  public var warnings: [String]
  /// What of that which is attached to the source the output lacks: names people know, each once.
  public var notCarried: [String]
  /// Tags left out because they are not true of the output, such as ReplayGain.
  public var staleTags: [String]
  /// The text files that were made beside the output.
  public var sidecars: [FilePath] = []
  /// The picture that was made beside the output.
  public var picture: FilePath?

  /// A report with every field given.
  package init(
    source: SourceDescription, format: AudioFormat, spec: AudioSpec, outputFrames: Int,
    factor: Double, method: ScalingMethod, clippedSamples: Int, seconds: Double, warnings: [String],
    sampleFormat: SampleFormat? = nil, notCarried: [String] = [], staleTags: [String] = []
  ) {
    self.source = source
    self.format = format
    self.spec = spec
    self.outputFrames = outputFrames
    self.factor = factor
    self.method = method
    self.sampleFormat = sampleFormat
    self.clippedSamples = clippedSamples
    self.seconds = seconds
    self.warnings = warnings
    self.notCarried = notCarried
    self.staleTags = staleTags
  }
}

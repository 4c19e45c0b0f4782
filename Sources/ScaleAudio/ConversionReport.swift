/// How far one conversion has come.
public struct ConversionProgress: Hashable, Sendable {
  /// Input frames done.
  public var frames: Int
  /// Input frames in all.
  public var totalFrames: Int
  /// The input's sample rate, in Hz.
  public var sampleRate: Int
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
  /// How samples between the original ones were found.
  public var method: ScalingMethod
  /// Samples of the source beyond full scale, which were clamped.
  public var clippedSamples: Int
  /// Wall time from opening to publishing, in seconds.
  public var seconds: Double
  /// What the user should know.
  public var warnings: [String]
}

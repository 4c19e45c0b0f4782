/// How long the output is to be.
public enum TimeRequest: Hashable, Sendable {
  /// So many times as long as the input.
  case factor(TimeFactor)
  /// So many seconds, rounded to the nearest frame, ties to even.
  case duration(seconds: Double)
}

/// What happens when the output's name is taken.
public enum ExistingOutput: String, Hashable, Sendable {
  /// The conversion fails and the existing file stays.
  case refuse
  /// The existing file is replaced, at once and whole, when the new one is complete.
  case replace
  /// The conversion is skipped.
  case skip
}

/// Everything that decides what a conversion makes of its input.
public struct ConversionSettings: Hashable, Sendable {
  /// The length of the output.
  public var time: TimeRequest
  /// How samples between the original ones are found.
  public var method: ScalingMethod
  /// Whether all channels are merged into one before scaling.
  public var mergesChannels: Bool
  /// The output format; `nil` for the input's own, or the nearest that can be written.
  public var format: AudioFormat?
  /// How the encoder is set; `nil` fields follow the source.
  public var encoding: EncodingOptions
  /// What happens when the output's name is taken.
  public var existing: ExistingOutput
  /// Whether a damaged input is converted as far as it decodes, rather than refused.
  public var salvages: Bool
  /// Whether the text files named like an input (lyrics, cue sheets, subtitles, labels) are scaled with
  /// it.
  public var scalesSidecars: Bool = false

  /// How much of what is attached goes to the output.
  public var metadata: MetadataSelection = .keep
  /// Whether tags stay that were measured on the source and are not true of the output, such as ReplayGain.
  public var keepsStaleTags = false
  /// Whether the output has the source's times of last change and last access.
  public var keepsFileTimes = false

  /// Settings that keep everything but the length.
  public init(
    time: TimeRequest, method: ScalingMethod = .smoothstep, mergesChannels: Bool = false,
    format: AudioFormat? = nil, encoding: EncodingOptions = EncodingOptions(),
    existing: ExistingOutput = .refuse, salvages: Bool = false
  ) {
    self.time = time
    self.method = method
    self.mergesChannels = mergesChannels
    self.format = format
    self.encoding = encoding
    self.existing = existing
    self.salvages = salvages
  }
}

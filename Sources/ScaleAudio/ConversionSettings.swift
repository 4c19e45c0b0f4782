/// How long the output is to be.
public enum TimeRequest: Hashable, Sendable {
  /// So many times as long as the input.
  case factor(TimeFactor)
  /// So many seconds, rounded to the nearest frame, ties to even.
  case duration(seconds: Double)
  /// Each moment where the map puts it; needs the method `stretch`.
  case map(TimeMapRequest)
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
  /// How the length is changed: see <doc:Methods>.
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
  /// How lossless outputs store samples; `nil` for as the source does, or the nearest that the format
  /// holds.
  public var sampleFormat: SampleFormat?
  /// Whether samples are rounded to 16 bits as they are read, whatever the source.
  public var forcesInt16 = false
  /// The noise that is added before samples are rounded to fewer bits.
  public var dither = Dither.auto
  /// Whether the whole file is lowered just enough that no sample is clipped, where one would be.
  public var guardsLevel = false
  /// The sample peak that the output is to have, in dB, within ``peakRange``, nothing clipped; `nil` for
  /// the level that it has.
  public var normalizePeak: Double?

  /// How much each channel weighs in a merger of them.
  public var downmix: Downmix = .mean
  /// Whether a layout that the output's format cannot say is written as the nearest, with a warning,
  /// rather than refused.
  public var allowsLayoutLoss = false
  /// Whether the text files named like an input (lyrics, cue sheets, subtitles, labels) are scaled with
  /// it.
  public var scalesSidecars: Bool = false
  /// Whether a picture of the source above the result goes beside the output, as PNG under its name.
  public var drawsPicture = false

  /// How much of what is attached goes to the output.
  public var metadata: MetadataSelection = .keep
  /// Whether tags stay that were measured on the source and are not true of the output, such as ReplayGain.
  public var keepsStaleTags = false
  /// Whether the output has the source's times of last change and last access.
  public var keepsFileTimes = false
  /// Whether an output is on the disk before it has its name, so that not even a power cut leaves half of
  /// it there.
  public var syncsOutput = true
  /// Which of several audio tracks is converted, from 1 on; `nil` for the first.
  public var track: Int?

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

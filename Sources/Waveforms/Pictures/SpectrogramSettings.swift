/// How a spectrogram is computed and spread.
public struct SpectrogramSettings: Hashable, Sendable {
  /// The valid lengths of a window: the powers of two in this range.
  public static let windowRange = 64...65_536

  /// How frequencies are spread; `nil` for logarithmic for music of half a minute or more, which is what a
  /// sample rate of at least 32 kHz suggests, and linear for everything else.
  public var scale: FrequencyScale?
  /// The number of samples in a window, a power of two within ``windowRange``; `nil` for about 46 ms, or 93 ms
  /// if frequencies are spread logarithmically.
  public var windowLength: Int?
  /// The highest frequency shown, in Hz; `nil` for half the sample rate, or on a linear scale less if there is
  /// nothing above.
  public var highestFrequency: Double?

  /// Settings; by default what fits the audio.
  public init(
    scale: FrequencyScale? = nil, windowLength: Int? = nil, highestFrequency: Double? = nil
  ) {
    self.scale = scale
    self.windowLength = windowLength
    self.highestFrequency = highestFrequency
  }

  /// The scale for a source.
  func scale(for outline: TrackOutline) -> FrequencyScale {
    scale ?? (outline.seconds >= 30 && outline.sampleRate >= 32_000 ? .log : .linear)
  }

  /// Throws if a setting is out of range.
  func check() throws(RenderingError) {
    if let windowLength,
      !Self.windowRange.contains(windowLength) || windowLength.nonzeroBitCount != 1
    {
      throw .badSize(
        reason: "a window of \(windowLength) samples is not a power of two within "
          + "\(Self.windowRange.lowerBound) to \(Self.windowRange.upperBound)")
    }
    if let highestFrequency, !(highestFrequency >= 1) {
      throw .badSize(reason: "a highest frequency of \(highestFrequency) Hz is not at least 1 Hz")
    }
  }
}

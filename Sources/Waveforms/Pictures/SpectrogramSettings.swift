/// How a spectrogram is computed and scaled.
public struct SpectrogramSettings: Hashable, Sendable {
  /// The valid lengths of a window: the powers of two in this range.
  public static let windowRange = 64...65_536

  /// The frequency scale; `nil` for logarithmic if the source is probably music, at least half a minute long with a
  /// sample rate of at least 32 kHz, and for linear otherwise.
  public var scale: FrequencyScale?
  /// The number of samples in a window, a power of two within ``windowRange``; `nil` for about 46 ms, or 93 ms on a
  /// logarithmic scale.
  public var windowLength: Int?
  /// The highest frequency shown, in Hz; `nil` for half the sample rate, or, on a linear scale, for less if there is
  /// no signal above.
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

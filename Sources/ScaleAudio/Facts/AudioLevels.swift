/// How loud audio is, and what else its samples tell.
///
/// Amplitudes are linear, and 1 is full scale: 32768 of 16 bits. What is told in dB is relative to that,
/// and never below ``floor``.
public struct AudioLevels: Hashable, Sendable {
  /// The levels of one channel.
  public struct Channel: Hashable, Sendable {
    /// The greatest magnitude of a sample.
    public var peak = 0.0
    /// The greatest magnitude of the waveform between samples too, by libebur128's interpolation (ITU-R
    /// BS.1770-4, annex 2); `nil` where it cannot be had.
    public var truePeak: Double?
    /// The mean of the squares of all samples.
    public var meanSquare = 0.0
    /// The mean of all samples.
    public var dcOffset = 0.0
    /// How often at least ``AudioLevels/clippedRunLength`` samples in a row are at full scale.
    public var clippedRuns = 0
    /// Samples in all of those runs.
    public var clippedSamples = 0
    /// Samples in the longest of them; 0 where there is none.
    public var longestClippedRun = 0

    /// The root of the mean square.
    public var rms: Double { meanSquare.squareRoot() }
  }

  /// What takes the place of all that is lower, in dB, and what is lower than this counts as silence.
  public static let floor = -80.0
  /// How many samples at full scale in a row are taken for clipping rather than for a high peak.
  public static let clippedRunLength = 3

  /// The levels of each channel, in the order of the channels.
  public var channels: [Channel]
  /// Frames that were measured.
  public var frameCount: Int
  /// Integrated loudness in LUFS (EBU R 128); `nil` for silence, and where it cannot be had.
  public var integratedLoudness: Double?
  /// Loudness range in LU (EBU Tech 3342); `nil` likewise.
  public var loudnessRange: Double?
  /// Frames before the first one in which a sample is as loud as ``floor``; all of them in silence.
  public var leadingSilence: Int
  /// Frames behind the last such frame.
  public var trailingSilence: Int
  /// Samples that were no finite numbers, and counted as silence.
  public var nonFiniteSamples = 0
  /// The MD5 of all samples, in hexadecimal: interleaved, each as a little-endian number of `checksumFormat`,
  /// integers signed.
  public var md5: String
  /// The type of the samples that `md5` is of: as the source stores them, `float32` of lossy ones.
  public var checksumFormat: SampleFormat

  /// All channels taken together: the greatest peaks, the mean of mean squares and offsets, the sums of
  /// what was clipped.
  public var overall: Channel {
    var all = Channel()
    let count = Double(max(1, channels.count))
    for channel in channels {
      all.peak = max(all.peak, channel.peak)
      if let peak = channel.truePeak { all.truePeak = max(all.truePeak ?? 0, peak) }
      all.meanSquare += channel.meanSquare / count
      all.dcOffset += channel.dcOffset / count
      all.clippedRuns += channel.clippedRuns
      all.clippedSamples += channel.clippedSamples
      all.longestClippedRun = max(all.longestClippedRun, channel.longestClippedRun)
    }
    return all
  }

  /// An amplitude in dB, at least ``floor``.
  public static func decibels(_ amplitude: Double) -> Double {
    amplitude > 0 ? max(floor, amplitude.decibels) : floor
  }
}

extension AudioLevels.Channel {
  /// The average power, in dB: that of the mean square, at least ``AudioLevels/floor``.
  public var averagePower: Double { AudioLevels.decibels(rms) }
}

public import AudioModel

/// Levels, loudness, clipping and silence, measured on the samples of a file.
///
/// Amplitudes are linear, and 1 is full scale: 32768 for 16 bits. Decibels are relative to full scale, and
/// at least ``floor``.
public struct AudioLevels: Hashable, Sendable {
  /// The levels of one channel.
  public struct Channel: Hashable, Sendable {
    /// The greatest magnitude of a sample.
    public var peak = 0.0
    /// The greatest magnitude including the waveform between samples, interpolated by libebur128 (ITU-R
    /// BS.1770-4, annex 2); `nil` if it cannot be measured.
    public var truePeak: Double?
    /// The mean of the squares of all samples.
    public var meanSquare = 0.0
    /// The mean of all samples.
    public var dcOffset = 0.0
    /// Number of runs of at least ``AudioLevels/clippedRunLength`` consecutive samples at full scale.
    public var clippedRuns = 0
    /// Samples in all these runs.
    public var clippedSamples = 0
    /// Samples in the longest run; 0 if there is none.
    public var longestClippedRun = 0

    /// The root of the mean square.
    public var rms: Double { meanSquare.squareRoot() }
  }

  /// The lowest level reported, in dB; samples below it count as silence.
  public static let floor = -80.0
  /// Number of consecutive samples at full scale that count as clipping.
  public static let clippedRunLength = 3

  /// The levels of each channel, in the order of the channels.
  public var channels: [Channel]
  /// Measured frames.
  public var frameCount: Int
  /// Integrated loudness in LUFS (EBU R 128); `nil` for silence, and if it cannot be measured.
  public var integratedLoudness: Double?
  /// Loudness range in LU (EBU Tech 3342); `nil` in the same cases.
  public var loudnessRange: Double?
  /// Frames before the first one with a sample at or above ``floor``; all frames of a silent file.
  public var leadingSilence: Int
  /// Frames after the last such frame.
  public var trailingSilence: Int
  /// Number of samples that are NaN or infinite, which are measured as silence.
  public var nonFiniteSamples = 0
  /// The MD5 of all samples in hexadecimal: interleaved, little-endian, in `checksumFormat`, integers signed.
  public var md5: String
  /// The sample format of `md5`: that of the source, or `float32` for lossy codecs.
  public var checksumFormat: SampleFormat

  /// All channels together: the greatest peaks, the means of mean squares and offsets, the sums of clipped
  /// runs and samples.
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
  /// The average power in dB: that of the mean square, at least ``AudioLevels/floor``.
  public var averagePower: Double { AudioLevels.decibels(rms) }
}

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

/// Measures audio block by block, in bounded memory. The size of the blocks affects only the last bits of
/// sums.
public final class LevelMeter {
  private let spec: AudioSpec
  private var channels: [ChannelMeter]
  private let loudness: LoudnessMeter?
  private var checksum: SampleChecksum
  private var frameCount = 0
  private var firstLoudFrame: Int?
  private var lastLoudFrame = 0
  private var scratch: [Double] = []

  /// A meter for audio with this rate, layout and sample format.
  ///
  /// - Parameters:
  ///   - spec: Sample rate and channels.
  ///   - format: The format of the samples, and of the checksum.
  ///   - frameCount: The approximate number of frames, which decides the resolution of loudness.
  public init(_ spec: AudioSpec, format: SampleFormat, frameCount: Int) {
    self.spec = spec
    let ceiling =
      format.isFloat ? 1 : 1 - 1 / Double(UInt64(1) << UInt64(format.bitDepth - 1))
    channels = Array(repeating: ChannelMeter(fullScale: ceiling), count: spec.channelCount)
    loudness = LoudnessMeter(spec, frameCount: frameCount)
    checksum = .md5(format)
  }

  /// Measures the next frames, interleaved; `Sample` must be the type of the meter's format.
  @specialized(where Sample == Int8)
  @specialized(where Sample == Int16)
  @specialized(where Sample == Int24)
  @specialized(where Sample == Int32)
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  public func measure<Sample: PCMSample>(_ samples: Span<Sample>) {
    let count = samples.count / spec.channelCount * spec.channelCount
    checksum.add(samples.extracting(first: count))
    if scratch.count < count { scratch = Array(repeating: 0, count: count) }
    let scale = 1 / Sample.fullScale
    var values = scratch.mutableSpan
    for index in 0..<count { values[index] = samples[index].doubleValue * scale }
    measure(count: count)
  }

  /// Measures the first `count` samples of `scratch`.
  private func measure(count: Int) {
    let values = scratch
    let samples = values.span.extracting(first: count)
    var loud: (first: Int, last: Int)?
    for channel in 0..<spec.channelCount {
      let found = channels[channel].measure(
        samples, from: channel, step: spec.channelCount)
      guard let found else { continue }
      loud = (min(loud?.first ?? found.first, found.first), max(loud?.last ?? 0, found.last))
    }
    if let loud {
      firstLoudFrame = firstLoudFrame ?? frameCount + loud.first
      lastLoudFrame = frameCount + loud.last
    }
    loudness?.add(samples, frameCount: count / spec.channelCount)
    frameCount += count / spec.channelCount
  }

  /// The levels of all frames; call it once, after the last frame.
  public func finish() -> AudioLevels {
    var found = channels.map { $0.finished() }
    for index in found.indices { found[index].truePeak = loudness?.truePeak(ofChannel: index) }
    return AudioLevels(
      channels: found, frameCount: frameCount, integratedLoudness: loudness?.integrated,
      loudnessRange: loudness?.range, leadingSilence: firstLoudFrame ?? frameCount,
      trailingSilence: firstLoudFrame == nil ? frameCount : frameCount - 1 - lastLoudFrame,
      md5: checksum.finish(), checksumFormat: checksum.format)
  }
}

/// Accumulates the levels of one channel.
private struct ChannelMeter {
  /// The magnitude from which a sample is at full scale.
  private let fullScale: Double
  private var peak = 0.0
  private var sum = 0.0
  private var squares = 0.0
  private var count = 0
  /// Consecutive samples at full scale so far.
  private var run = 0
  private var levels = AudioLevels.Channel()
  /// The magnitude below which a sample is silent.
  private static let threshold = Double(decibels: AudioLevels.floor)

  init(fullScale: Double) { self.fullScale = fullScale }

  /// Measures every `step`th sample from `start`; returns the first and the last frame that are not silent.
  mutating func measure(
    _ samples: Span<Double>, from start: Int, step: Int
  ) -> (first: Int, last: Int)? {
    var (peak, sum, squares) = (peak, 0.0, 0.0)
    var blockPeak = 0.0
    var index = start
    while index < samples.count {
      let value = samples[index]
      let magnitude = value.magnitude
      sum += value
      squares += value * value
      if magnitude > blockPeak { blockPeak = magnitude }
      index += step
    }
    peak = max(peak, blockPeak)
    self.peak = peak
    self.sum += sum
    self.squares += squares
    count += (samples.count - start + step - 1) / step
    if blockPeak >= fullScale {
      findRuns(samples, from: start, step: step)
    } else {
      endRun()
    }
    return blockPeak < Self.threshold ? nil : Self.loudEnds(samples, from: start, step: step)
  }

  private mutating func findRuns(_ samples: Span<Double>, from start: Int, step: Int) {
    var index = start
    while index < samples.count {
      if samples[index].magnitude >= fullScale { run += 1 } else if run > 0 { endRun() }
      index += step
    }
  }

  private mutating func endRun() {
    if run >= AudioLevels.clippedRunLength {
      levels.clippedRuns += 1
      levels.clippedSamples += run
      levels.longestClippedRun = max(levels.longestClippedRun, run)
    }
    run = 0
  }

  private static func loudEnds(
    _ samples: Span<Double>, from start: Int, step: Int
  ) -> (first: Int, last: Int) {
    let frames = (samples.count - start + step - 1) / step
    var (first, last) = (0, frames - 1)
    while samples[start + first * step].magnitude < threshold { first += 1 }
    while samples[start + last * step].magnitude < threshold { last -= 1 }
    return (first, last)
  }

  func finished() -> AudioLevels.Channel {
    var whole = self
    whole.endRun()
    whole.levels.peak = peak
    whole.levels.meanSquare = count > 0 ? squares / Double(count) : 0
    whole.levels.dcOffset = count > 0 ? sum / Double(count) : 0
    return whole.levels
  }
}

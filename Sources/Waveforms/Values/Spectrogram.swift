internal import AudioModel
internal import CKissFFT
import Glibc

/// Levels of audio over time and frequency.
public struct Spectrogram: Hashable, Sendable {
  /// The levels in dB, column by column, from the lowest frequency up. A full-scale sine is 0 dB.
  public let values: [Float]
  /// The number of columns, evenly spaced over time.
  public let columnCount: Int
  /// The number of frequency bands, of equal height on ``scale``.
  public let rowCount: Int
  /// How frequencies are scaled over the bands.
  public let scale: FrequencyScale
  /// The upper end of the highest band, in Hz.
  public let highestFrequency: Double
  /// The lowest level, in dB.
  public let noiseFloor: Double

  /// A spectrogram of `columnCount * rowCount` levels. Missing values are silent.
  public init(
    values: [Float], columnCount: Int, rowCount: Int, highestFrequency: Double, noiseFloor: Double,
    scale: FrequencyScale = .linear
  ) {
    self.scale = scale
    let count = max(0, columnCount) * max(1, rowCount)
    let missing = max(0, count - values.count)
    self.values = values.prefix(count) + Array(repeating: Float(noiseFloor), count: missing)
    self.columnCount = max(0, columnCount)
    self.rowCount = max(1, rowCount)
    self.highestFrequency = highestFrequency
    self.noiseFloor = noiseFloor
  }

  /// The mean power of several channels with the same bands.
  init(merging channels: [Spectrogram]) {
    let first = channels[0]
    self.init(
      values: LaneContent.meanPowers(channels.map(\.values)), columnCount: first.columnCount,
      rowCount: first.rowCount, highestFrequency: first.highestFrequency,
      noiseFloor: first.noiseFloor, scale: first.scale)
    closeUps = first.closeUps.indices.map { (index) in
      Spectrogram(merging: channels.map { $0.closeUps[index] })
    }
  }

  /// The same audio limited to lower frequencies, in ascending order.
  var closeUps: [Spectrogram] = []

  /// A level counts if it exceeds the noise floor by the first value, in dB; the second is the minimum share of such
  /// levels.
  private static let (minimumLevel, minimumShare) = (10.0, 0.001)

  /// The highest frequency that a picture needs to show all signals: that of a close-up, or the highest of all.
  var neededFrequency: Double {
    let least = Float(noiseFloor + Self.minimumLevel)
    guard !closeUps.isEmpty, values.contains(where: { $0 >= least }) else {
      return highestFrequency
    }
    for closeUp in closeUps {
      let first = Int((closeUp.highestFrequency / highestFrequency * Double(rowCount)).rounded(.up))
      var above = 0
      for column in 0..<columnCount {
        above += values[column * rowCount + first..<(column + 1) * rowCount].count { $0 >= least }
      }
      let count = columnCount * (rowCount - first)
      if Double(above) <= Self.minimumShare * Double(count) { return closeUp.highestFrequency }
    }
    return highestFrequency
  }

  /// The close-up with this highest frequency; the whole spectrogram if there is none.
  func closeUp(to highest: Double) -> Spectrogram {
    var chosen = closeUps.first { $0.highestFrequency == highest } ?? self
    chosen.closeUps = []
    return chosen
  }

  /// The level in a column and a frequency band, in dB.
  public func level(column: Int, row: Int) -> Double { Double(values[column * rowCount + row]) }

  /// The loudest level in dB; the noise floor if there is none.
  public var loudest: Double { values.max().map { max(noiseFloor, Double($0)) } ?? noiseFloor }
}

/// Computes the spectrogram of one channel, block by block, in memory that does not grow with its length.
///
/// Each column is the mean power of Hann windows spaced evenly over its frames, about half a window apart if several
/// fit. A window that would extend beyond the audio is moved into it; audio shorter than a window is centered in it.
/// Each row is the loudest of its bins. On scales other than linear, the level of a row between two bins is
/// interpolated. A full-scale sine at the frequency of a bin is 0 dB.
public struct SpectrogramReducer: LaneReducer {
  /// The default noise floor, in dB.
  public static let defaultNoiseFloor = -100.0

  private let frameCount: Int
  private let columnCount: Int
  private let rowCount: Int
  private let scale: FrequencyScale
  /// The bands of the whole spectrogram, then of its close-ups.
  private let bands: [FrequencyBands]
  private let noiseFloor: Double
  private let windowsPerColumn: Int
  private let window: [Float]
  /// The factor from a squared magnitude to the power of a sine, whose full scale is 1.
  private let powerScale: Double
  private var transform: FourierTransform

  /// The samples from frame `first` that later windows need.
  private var samples: [Int16] = []
  private var first = 0
  private var nextWindow = 0
  /// The samples of one window.
  private var windowed: [Float]
  /// The powers of the bins in the current column, summed over its windows.
  private var sums: [Double]
  /// The levels, for each of the bands.
  private var values: [[Float]]

  /// A reduction of `frameCount` samples.
  ///
  /// - Parameters:
  ///   - frameCount: The number of samples.
  ///   - columnCount: The number of columns over time.
  ///   - rowCount: The number of frequency bands.
  ///   - sampleRate: In Hz.
  ///   - noiseFloor: The lowest level, to which quieter levels are raised, in dB.
  ///   - windowLength: The number of samples in a window, a power of two; `nil` for about 46 ms, or twice that
  ///     on a logarithmic scale.
  ///   - scale: How frequencies are scaled over the bands.
  ///   - highest: The upper end of the highest band in Hz, at most half the sample rate; `nil` for that.
  ///   - makesCloseUps: True to prepare for pictures that omit high frequencies without a signal.
  public init(
    frameCount: Int, columnCount: Int, rowCount: Int, sampleRate: Int,
    noiseFloor: Double = defaultNoiseFloor, windowLength: Int? = nil,
    scale: FrequencyScale = .linear, highest: Double? = nil, makesCloseUps: Bool = false
  ) {
    self.frameCount = max(0, frameCount)
    self.columnCount = frameCount > 0 ? max(1, columnCount) : 0
    self.rowCount = max(1, rowCount)
    self.scale = scale
    self.noiseFloor = noiseFloor
    let length =
      windowLength ?? (scale == .log ? 2 : 1) * Self.windowLength(sampleRate: sampleRate)
    let nyquist = Double(max(1, sampleRate)) / 2
    let top = min(nyquist, max(1, highest ?? nyquist))
    let lower = makesCloseUps ? Self.closeUps.filter { $0 < 0.8 * top } : []
    bands = ([top] + lower).map { [rowCount] in
      FrequencyBands(
        scale, rowCount: max(1, rowCount), lastBin: length / 2, nyquist: nyquist, highest: $0)
    }
    values = bands.map { _ in [] }
    let framesPerColumn = self.frameCount / max(1, self.columnCount)
    windowsPerColumn = max(1, (framesPerColumn + length / 4) / (length / 2))
    // Periodic, so that the zeros of the window's spectrum are at bins.
    window = (0..<length).map {
      Float(0.5 - 0.5 * cos(2 * Double.pi * Double($0) / Double(length))) / 32768
    }
    // The sum of the window is half its length. The power of a sine is split between two bins of opposite
    // frequency.
    powerScale = 16 / (Double(length) * Double(length))
    transform = FourierTransform(length: length)
    windowed = Array(repeating: 0, count: length)
    sums = Array(repeating: 0, count: length / 2 + 1)
  }

  /// The highest frequencies of close-ups, in Hz.
  private static let closeUps = [4000.0, 6000, 8000, 12_000, 16_000, 24_000]

  /// The default window length in samples, a power of two: about 46 ms.
  static func windowLength(sampleRate: Int) -> Int {
    var length = 64
    while length < 16_384, Double(length) * 1.414 < Double(sampleRate) * 0.0464 { length *= 2 }
    return length
  }

  /// Appends the next samples of the channel.
  public mutating func append(_ block: Span<Int16>) {
    block.withUnsafeBufferPointer { samples.append(contentsOf: $0) }
    closeWindows(upTo: first + samples.count)
    // Samples before the next window are no longer needed.
    let needed = nextWindow < windowCount ? start(ofWindow: nextWindow) : first + samples.count
    let spent = min(samples.count, max(0, needed - first))
    samples.removeFirst(spent)
    first += spent
  }

  /// The spectrogram of the samples so far. The rest is silent.
  public var spectrogram: Spectrogram {
    var all = self
    if first + samples.count > 0 { all.closeWindows(upTo: .max) }
    let made = zip(bands, all.values).map { (bands, values) in
      Spectrogram(
        values: values, columnCount: columnCount, rowCount: rowCount,
        highestFrequency: bands.highest, noiseFloor: noiseFloor, scale: scale)
    }
    var whole = made[0]
    whole.closeUps = Array(made.dropFirst())
    return whole
  }

  /// ``spectrogram`` as the content of a lane.
  public var content: LaneContent { .spectrum(spectrogram) }

  // MARK: - Windows

  private var windowCount: Int { columnCount * windowsPerColumn }

  /// The first frame of a window.
  private func start(ofWindow index: Int) -> Int {
    // (2 * index + 1) * frameCount / (2 * windowCount), without overflow.
    let center = (2 * windowCount).dividingFullWidth(
      (2 * index + 1).multipliedFullWidth(by: frameCount)
    ).quotient
    return max(0, min(center - window.count / 2, frameCount - window.count))
  }

  /// Transforms the windows that end at or before `end`.
  private mutating func closeWindows(upTo end: Int) {
    while nextWindow < windowCount {
      let start = start(ofWindow: nextWindow)
      guard start <= end - window.count else { return }
      addPowers(from: start)
      nextWindow += 1
      if nextWindow % windowsPerColumn == 0 { closeColumn() }
    }
  }

  private mutating func addPowers(from start: Int) {
    // A transform supports one use at a time, and copies of the reducer share it.
    if !isKnownUniquelyReferenced(&transform) {
      transform = FourierTransform(length: window.count)
    }
    let offset = start - first
    let count = max(0, min(window.count, samples.count - offset))
    let lead = max(0, window.count - frameCount) / 2
    let (samples, window) = (samples, window)
    var part = windowed.mutableSpan
    for index in 0..<window.count { part[index] = 0 }
    for index in 0..<min(count, window.count - lead) {
      part[lead + index] = Float(samples[offset + index]) * window[lead + index]
    }
    transform.addPowers(of: windowed, to: &sums)
  }

  // MARK: - Columns

  private mutating func closeColumn() {
    for (index, bands) in bands.enumerated() {
      values[index].append(contentsOf: bands.rows.map { Float(level(of: $0)) })
    }
    for bin in sums.indices { sums[bin] = 0 }
  }

  /// The level of a row in the current column, in dB.
  private func level(of row: FrequencyBands.Row) -> Double {
    switch row {
    case .loudest(let bins):
      var power = 0.0
      for bin in bins { power = max(power, self.power(ofBin: bin)) }
      return level(ofPower: power)
    case .between(let bin, let share):
      let (low, high) = (level(ofPower: power(ofBin: bin)), level(ofPower: power(ofBin: bin + 1)))
      return low + share * (high - low)
    }
  }

  private func level(ofPower power: Double) -> Double {
    max(noiseFloor, power > 0 ? power.squareRoot().decibels : noiseFloor)
  }

  private func power(ofBin bin: Int) -> Double {
    let scale = powerScale / Double(windowsPerColumn)
    // 0 Hz and half the sample rate have no opposite bin.
    return sums[bin] * (bin == 0 || bin == sums.count - 1 ? scale / 4 : scale)
  }
}

/// The discrete Fourier transform of real samples, by kissfft in single precision.
///
/// Only one thread may use it at a time.
final class FourierTransform: @unchecked Sendable {
  /// The number of samples, which is even.
  let length: Int
  private let plan: kiss_fftr_cfg?
  private var output: [kiss_fft_cpx]

  init(length: Int) {
    self.length = length
    plan = kiss_fftr_alloc(Int32(length), 0, nil, nil)
    output = Array(repeating: kiss_fft_cpx(r: 0, i: 0), count: length / 2 + 1)
  }

  deinit { scaleaudio_kiss_fftr_free(plan) }

  /// Adds the squared magnitude of each of the `length / 2 + 1` bins to `sums`.
  func addPowers(of samples: [Float], to sums: inout [Double]) {
    guard let plan, samples.count == length, sums.count == output.count else { return }
    kiss_fftr(plan, samples, &output)
    var sums = sums.mutableSpan
    let bins = output
    for (index, bin) in bins.enumerated() {
      sums[index] += Double(bin.r * bin.r + bin.i * bin.i)
    }
  }
}

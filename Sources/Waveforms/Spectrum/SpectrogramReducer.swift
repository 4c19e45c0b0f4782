internal import AudioModel

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Works out the spectrogram of one channel from its samples, block by block, in memory that does not grow
/// with its length.
///
/// Each column is the mean power of Hann windows spaced evenly over its frames, about half a window apart where
/// it has room for several. A window that would reach beyond the audio is moved into it; audio that is shorter
/// stands in its middle. Each row is the loudest of its bins. A sine of full scale whose frequency is a bin's is
/// 0 dB there.
public struct SpectrogramReducer: LaneReducer {
  /// The level that is drawn as nothing unless another is chosen, in dB.
  public static let defaultNoiseFloor = -100.0

  private let frameCount: Int
  private let columnCount: Int
  private let rowCount: Int
  private let sampleRate: Int
  private let noiseFloor: Double
  private let windowsPerColumn: Int
  private let window: [Float]
  /// What a squared magnitude is multiplied with to be the power of a sine, whose full scale is 1.
  private let powerScale: Double
  private var transform: FourierTransform

  /// Samples from frame `first` on that windows still need.
  private var samples: [Int16] = []
  private var first = 0
  private var nextWindow = 0
  /// The samples of one window.
  private var windowed: [Float]
  /// The powers of the bins of the column at hand, summed over its windows.
  private var sums: [Double]
  private var values: [Float] = []

  /// A reduction of `frameCount` samples.
  ///
  /// - Parameters:
  ///   - frameCount: How many samples there will be.
  ///   - columnCount: How many moments are told.
  ///   - rowCount: How many bands of frequency are told.
  ///   - sampleRate: In Hz.
  ///   - noiseFloor: The level to which everything quieter is raised, in dB.
  ///   - windowLength: The samples of a window, a power of two; `nil` for about 46 ms of them.
  public init(
    frameCount: Int, columnCount: Int, rowCount: Int, sampleRate: Int,
    noiseFloor: Double = defaultNoiseFloor, windowLength: Int? = nil
  ) {
    self.frameCount = max(0, frameCount)
    self.columnCount = frameCount > 0 ? max(1, columnCount) : 0
    self.rowCount = max(1, rowCount)
    self.sampleRate = max(1, sampleRate)
    self.noiseFloor = noiseFloor
    let length = windowLength ?? Self.windowLength(sampleRate: sampleRate)
    let framesPerColumn = self.frameCount / max(1, self.columnCount)
    windowsPerColumn = max(1, (framesPerColumn + length / 4) / (length / 2))
    // Periodic, so that the windows' spectra have their zeros at bins.
    window = (0..<length).map {
      Float(0.5 - 0.5 * cos(2 * Double.pi * Double($0) / Double(length))) / 32768
    }
    // The window's sum is half its length; a sine shares its power between two bins of opposite frequency.
    powerScale = 16 / (Double(length) * Double(length))
    transform = FourierTransform(length: length)
    windowed = Array(repeating: 0, count: length)
    sums = Array(repeating: 0, count: length / 2 + 1)
    values.reserveCapacity(self.columnCount * self.rowCount)
  }

  /// The samples of a window where nobody says how many.
  static func windowLength(sampleRate: Int) -> Int {
    var length = 64
    while length < 16_384, Double(length) * 1.414 < Double(sampleRate) * 0.0464 { length *= 2 }
    return length
  }

  /// Takes the next samples of the channel.
  public mutating func append(_ block: Span<Int16>) {
    block.withUnsafeBufferPointer { samples.append(contentsOf: $0) }
    closeWindows(upTo: first + samples.count)
    // What comes before the next window is needed no more.
    let needed = nextWindow < windowCount ? start(ofWindow: nextWindow) : first + samples.count
    let spent = min(samples.count, max(0, needed - first))
    samples.removeFirst(spent)
    first += spent
  }

  /// The spectrogram of all samples taken; what they do not reach is silent.
  public var spectrogram: Spectrogram {
    var all = self
    if first + samples.count > 0 { all.closeWindows(upTo: .max) }
    return Spectrogram(
      values: all.values, columnCount: columnCount, rowCount: rowCount,
      highestFrequency: Double(sampleRate) / 2, noiseFloor: noiseFloor)
  }

  /// ``spectrogram``, as a lane shows it.
  public var content: LaneContent { .spectrum(spectrogram) }

  // MARK: - Windows

  private var windowCount: Int { columnCount * windowsPerColumn }

  /// The first frame of a window.
  private func start(ofWindow index: Int) -> Int {
    // (2 * index + 1) * frameCount / (2 * windowCount), which might overflow on the way.
    let center = (2 * windowCount).dividingFullWidth(
      (2 * index + 1).multipliedFullWidth(by: frameCount)
    ).quotient
    return max(0, min(center - window.count / 2, frameCount - window.count))
  }

  /// Transforms the windows that end at `end` or before it.
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
    // A transform has room for one use at a time.
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
    let scale = powerScale / Double(windowsPerColumn)
    let last = sums.count - 1
    for row in 0..<rowCount {
      var power = 0.0
      for bin in bins(of: row) {
        // 0 Hz and half the sample rate have no opposite to share with.
        power = max(power, sums[bin] * (bin == 0 || bin == last ? scale / 4 : scale))
      }
      values.append(Float(max(noiseFloor, power > 0 ? power.squareRoot().decibels : noiseFloor)))
    }
    for bin in sums.indices { sums[bin] = 0 }
  }

  /// The bins whose frequencies are a row's; where there are none, the one nearest to its middle.
  private func bins(of row: Int) -> ClosedRange<Int> {
    let last = sums.count - 1
    let lower = (row * last + rowCount - 1) / rowCount
    let upper = row == rowCount - 1 ? last : ((row + 1) * last + rowCount - 1) / rowCount - 1
    if lower <= upper { return lower...upper }
    let nearest = min(last, ((2 * row + 1) * last + rowCount) / (2 * rowCount))
    return nearest...nearest
  }
}

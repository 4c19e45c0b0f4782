import Glibc

/// A tempo found in sound.
public struct TempoEstimate: Hashable, Sendable {
  /// Beats per minute, within ``TempoMeter/range``. Half or twice as many may be meant.
  public let beatsPerMinute: Double
  /// The similarity of the onsets with themselves some beats later, from 0 to 1. Loops of drums were measured at 0.34 to
  /// 0.81, and speech at up to 0.21.
  public let confidence: Double

  /// True if the estimate is usable.
  public var isClear: Bool { confidence >= TempoMeter.leastConfidence }
}

/// Estimates the tempo of sound from its onsets.
///
/// The rises of the levels of 24 bands make an onset envelope (spectral flux, after Dixon, "Onset Detection Revisited",
/// DAFx 2006). The tempo whose beats, up to 16, fall on the highest mean of its autocorrelation is the estimate, with a
/// preference for tempos near 120. A whole file of up to 30 seconds may be a loop: if a tempo makes it whole bars of four
/// beats long, within 1 %, its length gives the exact one.
public final class TempoMeter {
  /// The tempos that are found, in beats per minute.
  public static let range = 60.0...200
  /// The confidence below which an estimate is not usable.
  public static let leastConfidence = 0.3

  private let sampleRate: Double
  private let channelCount: Int
  private let spectra: Spectra
  /// The first bin of each band, and the end of the last one.
  private let edges: [Int]
  /// The samples that the next spectra need, mixed to one channel, from `firstSample` on.
  private var samples: [Float]
  private var firstSample: Int
  private var frameCount = 0
  private var real, imaginary: [Float]
  /// The energies of all bands, spectrum by spectrum.
  private var energies: [Float] = []

  private static let bandCount = 24
  /// Spectra a second.
  private static let spectraRate = 200.0
  /// The most spectra that are taken: five minutes.
  private static let mostSpectra = 60_000
  /// The most beats that are compared.
  private static let mostBeats = 16
  /// Below this number of beats, sound is trusted less, and most of all if it is no loop.
  private static let (fewBeats, trustInFewBeats, trustInShortLoops) = (10.0, 0.5, 0.75)
  /// The longest loop, in seconds.
  private static let longestLoop = 30.0

  /// A meter for sound with a sample rate in Hz and a number of channels, both at least 1.
  ///
  /// - Throws: ``ScalingError/failed(_:)`` without memory.
  public init(sampleRate: Int, channelCount: Int) throws(ScalingError) {
    self.sampleRate = Double(max(1, sampleRate))
    self.channelCount = channelCount
    var size = Spectra.sizes.lowerBound
    while Double(size) < self.sampleRate * 0.023, size < 1 << 15 { size *= 2 }
    spectra = try Spectra(size: size)
    let width = self.sampleRate / Double(size)
    let highest = min(16_000, self.sampleRate / 2)
    let ratio = pow(max(2, highest / 60), 1 / Double(Self.bandCount))
    var (edge, edges) = (60.0, [Int]())
    for _ in 0...Self.bandCount {
      edges.append(min(size / 2, Int((edge / width).rounded(.up))))
      edge *= ratio
    }
    self.edges = edges
    // The first spectrum is around the first sample.
    firstSample = -size / 2
    samples = Array(repeating: 0, count: size / 2)
    real = Array(repeating: 0, count: spectra.binCount)
    imaginary = real
  }

  /// True if more sound would not be used.
  public var isFull: Bool { energies.count >= Self.mostSpectra * Self.bandCount }

  /// Takes the next frames, interleaved. Values that are not finite count as silence.
  public func add(_ frames: Span<Double>) {
    let count = frames.count / channelCount
    frameCount += count
    if isFull { return }
    for frame in 0..<count {
      var sum = 0.0
      for channel in 0..<channelCount { sum += frames[frame * channelCount + channel] }
      let mean = Float(sum / Double(channelCount))
      samples.append(mean.isFinite ? mean : 0)
    }
    analyze()
  }

  /// The estimate for all frames; `nil` if they are silent, or too few. Call it once.
  public func finish() -> TempoEstimate? {
    let isWhole = !isFull
    samples += Array(repeating: 0, count: spectra.size)
    analyze()
    let lags = autocorrelation()
    guard lags.count > 1 else { return nil }
    let comb = Comb(lags)
    guard let found = comb.tempo else { return nil }
    let seconds = Double(frameCount) / sampleRate
    let isShort = isWhole && seconds <= Self.longestLoop
    let isFew = seconds * found.tempo / 60 < Self.fewBeats
    if isShort, let tempo = comb.fitted(found.tempo, toLoop: seconds, found.score) {
      let trust = isFew ? Self.trustInShortLoops : 1
      return TempoEstimate(beatsPerMinute: tempo, confidence: min(1, trust * found.score))
    }
    // Words repeat once or twice by chance.
    let trust = isFew ? Self.trustInFewBeats : 1
    return TempoEstimate(beatsPerMinute: found.tempo, confidence: min(1, trust * found.score))
  }

  /// Adds the spectra of the samples that are complete.
  private func analyze() {
    while !isFull {
      let place = Double(energies.count / Self.bandCount) * sampleRate / Self.spectraRate
      let start = Int(place.rounded()) - spectra.size / 2 - firstSample
      if start + spectra.size > samples.count {
        let unused = min(start, samples.count)
        if unused > 0 {
          samples.removeFirst(unused)
          firstSample += unused
        }
        return
      }
      samples.withUnsafeBufferPointer { block in
        real.withUnsafeMutableBufferPointer { real in
          imaginary.withUnsafeMutableBufferPointer { imaginary in
            guard let block = block.baseAddress, let real = real.baseAddress,
              let imaginary = imaginary.baseAddress
            else { return }
            spectra.analyze(block + start, real: real, imaginary: imaginary)
          }
        }
      }
      for band in 0..<Self.bandCount {
        var energy: Float = 0
        for bin in edges[band]..<max(edges[band] + 1, edges[band + 1]) {
          energy += real[bin] * real[bin] + imaginary[bin] * imaginary[bin]
        }
        energies.append(energy.isFinite ? energy : 0)
      }
    }
  }

  // MARK: - Onsets

  /// How much the levels of the bands rise, spectrum by spectrum, above the mean of a second; empty for silence.
  private func onsets() -> [Double] {
    let count = energies.count / Self.bandCount
    // 60 dB below the loudest band, nothing counts.
    let reference = Double(energies.max() ?? 0) * 1e-6
    guard reference > 0, count > 4 else { return [] }
    let levels = energies.map { log10(1 + Double($0) / reference) }
    var rises = [Double](repeating: 0, count: count)
    for index in 2..<count {
      for band in 0..<Self.bandCount {
        let place = index * Self.bandCount + band
        rises[index] += max(0, levels[place] - levels[place - 2 * Self.bandCount])
      }
    }
    var sums = [0.0]
    for rise in rises { sums.append((sums.last ?? 0) + rise) }
    let half = Int(Self.spectraRate / 2)
    let sharp = rises.indices.map { index in
      let (first, end) = (max(0, index - half), min(count, index + half + 1))
      return max(0, rises[index] - (sums[end] - sums[first]) / Double(end - first))
    }
    // Onsets are not as regular as spectra: a Hann window of 40 ms.
    let window = (-3...3).map { 0.25 + 0.25 * cos(.pi * Double($0) / 4) }
    return sharp.indices.map { index in
      var sum = 0.0
      for (place, weight) in zip(index - 3...index + 3, window) where sharp.indices.contains(place)
      {
        sum += weight * sharp[place]
      }
      return sum
    }
  }

  /// The autocorrelation of the onsets at each lag, relative to that at 0.
  private func autocorrelation() -> [Double] {
    var onsets = onsets()
    if onsets.isEmpty { return [] }
    let mean = onsets.reduce(0, +) / Double(onsets.count)
    for index in onsets.indices { onsets[index] -= mean }
    let longest = Self.mostBeats * Int(60 / Self.range.lowerBound * Self.spectraRate) + 1
    let count = min(longest, onsets.count * 4 / 5)
    var lags: [Double] = []
    onsets.withUnsafeBufferPointer { onsets in
      for lag in 0..<count {
        var sum = 0.0
        for index in lag..<onsets.count { sum += onsets[index] * onsets[index - lag] }
        lags.append(sum / Double(onsets.count - lag))
      }
    }
    guard let whole = lags.first, whole > 0 else { return [] }
    return lags.map { $0 / whole }
  }

  /// Tempos by the autocorrelation of onsets.
  private struct Comb {
    private let lags: [Double]

    /// The part of the highest score that another octave, or another meter, needs.
    private static let (leastOfOctave, leastOfMeter) = (0.4, 0.5)
    /// How far a loop may be from whole bars.
    private static let slackOfLoop = 0.01

    init(_ lags: [Double]) { self.lags = lags }

    /// The tempo, and its score; `nil` if nothing is long enough.
    var tempo: (tempo: Double, score: Double)? {
      var best: (tempo: Double, score: Double, weighted: Double)?
      var tempo = range.lowerBound
      while tempo <= range.upperBound {
        let score = score(tempo)
        let weighted = score * Self.preference(tempo, octaves: 1)
        if weighted > best?.weighted ?? 0 { best = (tempo, score, weighted) }
        tempo *= 1.002
      }
      guard let best else { return nil }
      var chosen = (
        tempo: best.tempo, weighted: best.score * Self.preference(best.tempo, octaves: 0.6)
      )
      for other in [best.tempo / 2, best.tempo * 2] where range.contains(other) {
        let found = nearest(other)
        guard found.score >= Self.leastOfOctave * best.score else { continue }
        let weighted =
          max(found.score, 0.7 * best.score) * Self.preference(found.tempo, octaves: 0.6)
        if weighted > chosen.weighted { chosen = (found.tempo, weighted) }
      }
      return (nearest(chosen.tempo, within: 0.004).tempo, best.score)
    }

    /// A tempo near the one given, or in another meter, that makes a loop of a length in seconds whole bars long; `nil` if
    /// there is none.
    func fitted(_ tempo: Double, toLoop seconds: Double, _ score: Double) -> Double? {
      if let exact = Self.tempo(near: tempo, ofBarsIn: seconds) { return exact }
      var best: (tempo: Double, weighted: Double)?
      for meter in [3.0 / 4, 4.0 / 3, 2.0 / 3, 3.0 / 2] where range.contains(tempo * meter) {
        let found = nearest(tempo * meter)
        let weighted = found.score * Self.preference(found.tempo, octaves: 0.6)
        guard found.score >= Self.leastOfMeter * score, weighted > best?.weighted ?? 0,
          let exact = Self.tempo(near: found.tempo, ofBarsIn: seconds)
        else { continue }
        best = (exact, weighted)
      }
      return best?.tempo
    }

    /// The tempo that makes a loop whole bars of four beats long; `nil` if none is near.
    private static func tempo(near tempo: Double, ofBarsIn seconds: Double) -> Double? {
      let bars = max(1, (tempo * seconds / 240).rounded())
      let exact = bars * 240 / seconds
      return abs(exact / tempo - 1) <= slackOfLoop && range.contains(exact) ? exact : nil
    }

    /// The tempo with the highest score near another.
    private func nearest(
      _ tempo: Double, within part: Double = 0.02
    ) -> (tempo: Double, score: Double) {
      let steps = (-20...20).map { tempo * (1 + part * Double($0) / 20) }
      return steps.map { ($0, score($0)) }.max { $0.1 < $1.1 } ?? (tempo, 0)
    }

    /// The mean of the autocorrelation at the first beats of a tempo; 0 if not even one beat is long enough.
    private func score(_ tempo: Double) -> Double {
      let lag = 60 / tempo * spectraRate
      let beats = min(mostBeats, Int(Double(lags.count - 1) / lag))
      if beats < 1 { return 0 }
      var sum = 0.0
      for beat in 1...beats {
        let place = Double(beat) * lag
        let index = Int(place)
        let next = min(index + 1, lags.count - 1)
        sum += lags[index] + (place - Double(index)) * (lags[next] - lags[index])
      }
      return sum / Double(beats)
    }

    /// A preference for tempos near 120, which falls within a number of octaves.
    private static func preference(_ tempo: Double, octaves: Double) -> Double {
      let distance = log2(tempo / 120) / octaves
      return exp(-distance * distance / 2)
    }
  }
}

import Foundation
import Testing
import TimeScaling

/// The limiter of true peaks, on samples made here.
@Suite("Limiter")
struct LimiterTests {
  /// The output of a new limiter, made in blocks of a number of frames.
  private func limited(
    _ input: [Double], gain: Double = 1, ceiling: Double, channels: Int = 1, rate: Int = 44_100,
    block: Int = 1000
  ) -> (samples: [Double], reduction: Limiter.Reduction) {
    let limiter = Limiter(
      gain: gain, ceiling: ceiling, channelCount: channels, sampleRate: rate)
    return (run(limiter, input, block: block), limiter.reduction)
  }

  private func run(_ limiter: Limiter, _ input: [Double], block: Int) -> [Double] {
    let channels = limiter.channelCount
    var memory = [Double](repeating: 7, count: block * channels)
    var (output, done) = ([Double](), 0)
    while done < input.count {
      let end = min(input.count, done + block * channels)
      var room = memory.mutableSpan
      let progress = limiter.process(input.span.extracting(done..<end), into: &room)
      #expect(progress.consumed > 0 || progress.produced > 0)
      done += progress.consumed * channels
      output += memory.prefix(progress.produced * channels)
    }
    while true {
      var room = memory.mutableSpan
      let count = limiter.finish(into: &room)
      if count == 0 { return output }
      output += memory.prefix(count * channels)
    }
  }

  /// Noise between `-amplitude` and `amplitude`, the same every time.
  private static func noise(_ amplitude: Double, _ count: Int) -> [Double] {
    var state: UInt64 = 88_172_645_463_325_252
    return (0..<count).map { _ in
      // Marsaglia, "Xorshift RNGs" (2003).
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Double(Int64(bitPattern: state) >> 12) / 0x1p51 * amplitude
    }
  }

  /// The greatest magnitude at eighths of a frame, by a sinc of 128 samples under a Hann window.
  private static func truePeak(_ samples: [Double]) -> Double {
    let half = 64
    var highest = samples.map(\.magnitude).max() ?? 0
    for step in 1..<8 {
      let part = Double(step) / 8
      let taps = (1 - half...half).map { place -> Double in
        let x = Double(place) - part
        return sin(.pi * x) / (.pi * x) * (0.5 + 0.5 * cos(.pi * x / Double(half)))
      }
      for frame in samples.indices {
        var sum = 0.0
        for (index, tap) in taps.enumerated() {
          let place = frame + index + 1 - half
          if samples.indices.contains(place) { sum += tap * samples[place] }
        }
        highest = max(highest, sum.magnitude)
      }
    }
    return highest
  }

  @Test func whatIsBelowTheCeilingStaysToTheLastBit() {
    let input = Self.noise(0.3, 20_000)
    let (output, reduction) = limited(input, gain: 1.1, ceiling: 0.9, channels: 2)
    #expect(output == input.map { $0 * 1.1 })
    #expect(reduction == Limiter.Reduction())
  }

  /// One peak changes the 4.5 ms before it, and less than a second after it.
  @Test(arguments: [8000, 44_100, 96_000, 384_000])
  func onePeakChangesOnlyWhatIsNear(rate: Int) {
    var input = Self.noise(0.2, 2 * rate)
    let peak = rate / 2
    input[peak] = 2
    let (output, reduction) = limited(input, ceiling: 0.9, rate: rate)
    let changed = output.indices.filter { output[$0] != input[$0] }
    #expect(output.count == input.count)
    #expect(output[peak] <= 0.9 && output[peak] > 0.8999)
    let before = Int(0.0045 * Double(rate))
    #expect((changed.first ?? 0) > peak - before - 3 && (changed.first ?? 0) < peak - before / 3)
    #expect((changed.last ?? 0) < peak + rate)
    #expect(reduction.frameCount >= changed.count && reduction.frameCount < rate)
    #expect(abs(reduction.lowestGain - 0.45) < 0.01)
    // Most of it is over soon.
    #expect(output[peak + rate / 5] > 0.9 * input[peak + rate / 5] || input[peak + rate / 5] <= 0)
  }

  @Test(arguments: [8000, 44_100, 192_000, 384_000])
  func truePeaksStayBelowTheCeiling(rate: Int) {
    // Noise that falls towards half of the sample rate, as music does.
    let white = Self.noise(1, 6001)
    let input = (0..<6000).map { (index: Int) -> Double in
      let level = index / 700 % 2 == 0 ? 0.25 : 1.25
      return (white[index] + white[index + 1]) * level
    }
    let output = limited(input, ceiling: 0.5, rate: rate).samples
    #expect(output.count == input.count)
    #expect(output.allSatisfy { $0.magnitude <= 0.5 })
    // By 0.15 dB at most.
    #expect(Self.truePeak(output) < 0.5 * 1.0175)
    #expect(Self.truePeak(output) > 0.49)
  }

  /// A tone at a quarter of the sample rate, whose samples are all 3 dB below its peaks.
  @Test func peaksBetweenSamplesCount() {
    let input = (0..<4000).map { [0.8, 0.8, -0.8, -0.8][$0 % 4] }
    let output = limited(input, ceiling: 0.9).samples
    let peak = output[1000..<3000].map(\.magnitude).max() ?? 0
    #expect(abs(peak * 2.0.squareRoot() - 0.9) < 0.005, "\(peak)")
  }

  @Test func allChannelsShareOneGain() {
    let channels = 32
    var input = Self.noise(0.5, 4000 * channels)
    // Only one channel is loud, now and then.
    for frame in stride(from: 0, to: 4000, by: 500) { input[frame * channels + 17] = 3 }
    let output = limited(input, ceiling: 0.8, channels: channels, block: 77).samples
    #expect(output.count == input.count)
    for frame in 0..<4000 {
      let ratios = (0..<channels).map {
        output[frame * channels + $0] / input[frame * channels + $0]
      }
      let (low, high) = (ratios.min() ?? 0, ratios.max() ?? 0)
      #expect(high - low < 1e-12 && high <= 1 && low > 0.2)
    }
  }

  @Test(arguments: [1, 2, 63, 4096])
  func blocksDoNotMatter(block: Int) {
    let input = Self.noise(1.5, 9000)
    let whole = limited(input, ceiling: 0.7, channels: 3, block: 3000)
    let blocks = limited(input, ceiling: 0.7, channels: 3, block: block)
    #expect(whole.samples == blocks.samples && whole.reduction == blocks.reduction)
  }

  @Test func aResetLimiterIsNew() {
    let limiter = Limiter(ceiling: 0.7, channelCount: 1, sampleRate: 48_000)
    let first = run(limiter, Self.noise(2, 5000), block: 512)
    limiter.reset()
    #expect(run(limiter, Self.noise(2, 5000), block: 512) == first)
  }

  @Test(arguments: [0, 1, 2, 30, 5000])
  func theFirstAndTheLastFrame(count: Int) {
    var input = [Double](repeating: 0, count: count)
    if count > 0 { (input[0], input[count - 1]) = (2, -3) }
    let output = limited(input, ceiling: 0.9).samples
    #expect(output.count == count)
    #expect(output.allSatisfy { $0.magnitude <= 0.9 })
    if count > 0 { #expect(output[count - 1] < -0.85) }
    if count == 5000 { #expect(output[0] > 0.89 && output[2500] == 0) }
  }

  @Test func silenceStaysSilence() {
    let (output, reduction) = limited([Double](repeating: 0, count: 5000), ceiling: 0.1)
    #expect(output == [Double](repeating: 0, count: 5000) && reduction.frameCount == 0)
  }

  /// Samples that are not finite become silence, and do not disturb the rest.
  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func whatIsNotFiniteDoesNotSpread(value: Double) {
    var input = Self.noise(0.4, 4000)
    input[1000] = 2
    input[2000] = value
    let output = limited(input, ceiling: 0.9).samples
    #expect(output[2000] == 0 && output.count == 4000)
    #expect(output.allSatisfy { $0.magnitude <= 0.9 })
    #expect(Array(output[3900...]) != Array(repeating: 0, count: 100))
  }

  /// Samples that no gain brings to the ceiling become silence, and never infinity.
  @Test(arguments: [1e12, 1e300, .greatestFiniteMagnitude])
  func hugeSamplesBecomeSilence(value: Double) {
    var input = Self.noise(0.3, 4000)
    input[2000] = value
    let output = limited(input, gain: 4, ceiling: 0.5).samples
    #expect(output.count == 4000)
    #expect(output.allSatisfy { $0.magnitude <= 1 })
    // Far before it, the sound stays.
    #expect(output[100] != 0)
  }
}

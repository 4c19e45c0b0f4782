import AudioModel
import TestSupport
import Testing
import TimeScaling

@Suite("Rounding to stored samples")
struct QuantizerTests {
  private func quantized<Stored: PCMSample>(
    _ values: [Double], to _: Stored.Type, dither: Dither = .none, gain: Double = 1,
    block: Int = .max
  ) -> (samples: [Stored], clipped: Int) {
    var quantizer = Quantizer<Stored>(dither: dither, gain: gain)
    var output: [Stored] = []
    var start = 0
    while start < values.count {
      let end = block < values.count - start ? start + block : values.count
      var part = [Stored](repeating: .silence, count: end - start)
      var buffer = part.mutableSpan
      quantizer.quantize(values.span.extracting(start..<end), into: &buffer)
      output += part
      start = end
    }
    return (output, quantizer.clipping.count)
  }

  @Test func roundsOnceToNearestAndTiesToEven() {
    let steps = [0, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999, 0.50001, 126.5]
    let expected: [Int8] = [0, 0, 2, 2, 0, -2, -2, 0, 1, 126]
    #expect(quantized(steps.map { $0 / 128 }, to: Int8.self).samples == expected)
    #expect(
      quantized(steps.map { $0 / 0x1p15 }, to: Int16.self).samples == expected.map(Int16.init))
    let deep = quantized(steps.map { $0 / 0x1p23 }, to: Int24.self).samples
    #expect(deep.map(\.value) == expected.map(Int32.init))
    #expect(
      quantized(steps.map { $0 / 0x1p31 }, to: Int32.self).samples == expected.map(Int32.init))
  }

  @Test(arguments: Dither.allCases)
  func samplesAboveFullScaleAreClampedAndCounted(dither: Dither) {
    let values = [1, -1, 1.25, -1.25, 1e9, -1e9, 0x1p40, -0x1p40, .greatestFiniteMagnitude]
    let eight = quantized(values, to: Int8.self, dither: dither)
    #expect(eight.clipped == 8)
    // Noise moves full scale itself, but nothing far above it.
    if dither == .none { #expect(eight.samples[0...1] == [127, -128]) }
    #expect(eight.samples[2...] == [127, -128, 127, -128, 127, -128, 127])
    let packed = quantized(values, to: Int24.self, dither: dither)
    #expect(packed.clipped == 8)
    #expect(packed.samples[2...3].map(\.value) == [8_388_607, -8_388_608])
    let deep = quantized(values, to: Int32.self, dither: dither)
    #expect(deep.clipped == 8)
    #expect(deep.samples[2...5] == [.max, .min, .max, .min])
  }

  /// Values less than half a step below full scale become the greatest sample, and do not count as clipped.
  @Test func theLastHalfStepIsNotClipping() {
    let close = quantized([1 - 0x1p-24, -1], to: Int16.self)
    #expect(close.samples == [32767, -32768])
    #expect(close.clipped == 0)
  }

  @Test(arguments: Dither.allCases)
  func floatsKeepSamplesAboveFullScale(dither: Dither) {
    let values = [1.5, -7, 0.1, 1e30]
    let single = quantized(values, to: Float.self, dither: dither)
    #expect(single.samples == [1.5, -7, 0.1, 1e30])
    #expect(single.clipped == 0)
    #expect(quantized(values, to: Double.self, dither: dither).samples == values)
    let huge = quantized([1e300], to: Float.self)
    #expect(huge.samples == [1])
    #expect(huge.clipped == 1)
  }

  @Test(arguments: [1, 2, 7, 512, 4093])
  func noiseDoesNotDependOnBlocks(block: Int) {
    let values = (0..<10_000).map { Double($0 % 313) / 1000 }
    let whole = quantized(values, to: Int16.self, dither: .tpdf).samples
    #expect(quantized(values, to: Int16.self, dither: .tpdf, block: block).samples == whole)
  }

  @Test func ditheredRoundingFollowsItsDefinition() {
    let values = noiseBits(20_000).map { Double(Int64(bitPattern: $0) >> 11) / 0x1p52 * 1.1 }
    #expect(
      quantized(values, to: Int16.self, dither: .tpdf).samples.map(Double.init)
        == ReferenceQuantization.integers(values, bits: 16, dithers: true))
    #expect(
      quantized(values, to: Int8.self, dither: .tpdf).samples.map(Double.init)
        == ReferenceQuantization.integers(values, bits: 8, dithers: true))
    #expect(
      quantized(values, to: Int24.self, dither: .tpdf).samples.map { Double($0.value) }
        == ReferenceQuantization.integers(values, bits: 24, dithers: true))
  }

  @Test(arguments: [Dither.none, .tpdf])
  func singlePrecisionIsWidenedFirst(dither: Dither) {
    let singles = noiseBits(5001).map { Float(Int64(bitPattern: $0) >> 11) / 0x1p52 * 1.1 }
    var quantizer = Quantizer<Int16>(dither: dither, gain: 0.7)
    var samples = [Int16](repeating: 0, count: singles.count)
    var buffer = samples.mutableSpan
    quantizer.quantize(singles.span, into: &buffer)
    let doubles = quantized(singles.map(Double.init), to: Int16.self, dither: dither, gain: 0.7)
    #expect(samples == doubles.samples)
    #expect(quantizer.clipping.count == doubles.clipped)
  }

  @Test func autoDithersUpTo16Bits() {
    #expect(Quantizer<Int8>(dither: .auto).dither == .tpdf)
    #expect(Quantizer<Int16>(dither: .auto).dither == .tpdf)
    #expect(Quantizer<Int24>(dither: .auto).dither == .none)
    #expect(Quantizer<Int32>(dither: .auto).dither == .none)
    for dither in Dither.allCases {
      #expect(Quantizer<Float>(dither: dither).dither == .none)
      #expect(Quantizer<Double>(dither: dither).dither == .none)
    }
    #expect(Quantizer<Int32>(dither: .tpdf).dither == .tpdf)
    #expect(Quantizer<Int8>(dither: .none).dither == .none)
  }

  /// Zeros, and what lies below a millionth of a step, become zeros; the noise of what follows is that
  /// of its place.
  @Test(arguments: Dither.allCases)
  func silenceStaysSilence(dither: Dither) {
    let silence = (0..<5000).map { [0, -0.0, 1e-12, -2.9e-11][$0 % 4] }
    let sound = (0..<5000).map { Double($0) / 10_000 }
    let samples = quantized(silence + sound, to: Int16.self, dither: dither).samples
    #expect(samples.prefix(5000).allSatisfy { $0 == 0 })
    let expected = ReferenceQuantization.integers(
      silence + sound, bits: 16, dithers: dither != .none)
    #expect(samples.map(Double.init) == expected)
    // A step of 16 bits is 3e-5: this is not silence, and is heard in the noise.
    let faint = quantized(
      Array(repeating: 1e-8, count: 5000), to: Int16.self, dither: dither
    ).samples
    #expect(faint.contains { $0 != 0 } == (dither != .none))
  }

  /// In every place of eight, which kernels make at a time.
  @Test func nonFiniteSamplesAreSilenceAndClippingIsCounted() {
    var values = noiseBits(4000).map { Double(Int64(bitPattern: $0) >> 11) / 0x1p53 }
    for index in stride(from: 0, to: 2000, by: 11) { values[index] = .nan }
    for index in stride(from: 2000, to: 3000, by: 19) { values[index] = .infinity }
    for index in stride(from: 3000, to: 4000, by: 13) { values[index] = -1.5 }
    let quantized = quantized(values, to: Int16.self, dither: .tpdf)
    #expect(
      quantized.samples.map(Double.init)
        == ReferenceQuantization.integers(
          values.map { $0.isNaN ? 0 : $0 }, bits: 16, dithers: true))
    #expect(quantized.clipped == 53 + 77)
  }

  @Test(arguments: [0.25, 1, 3.7])
  func gainIsAppliedFirst(gain: Double) {
    let values = noiseBits(2000).map { Double(Int64(bitPattern: $0) >> 11) / 0x1p53 }
    let samples = quantized(values, to: Int16.self, dither: .tpdf, gain: gain)
    let louder = values.map { $0 * gain }
    #expect(
      samples.samples.map(Double.init)
        == ReferenceQuantization.integers(louder, bits: 16, dithers: true))
    #expect(samples.clipped == louder.count { $0 >= 1 || $0 < -1 })
    #expect(quantized(values, to: Double.self, gain: gain).samples == louder)
  }

  /// The published generator's first numbers for the seed 0, as others' implementations give them.
  @Test func theNoiseIsSplitMix64() {
    let published: [UInt64] = [
      0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F,
    ]
    for (index, number) in published.enumerated() {
      let expected = (Double(number >> 32) - Double(number & 0xFFFF_FFFF)) / 0x1p32
      #expect(TriangularNoise.value(at: UInt64(index)) == expected)
    }
  }

  /// Noise with the triangular density on -1...1 has the mean 0 and the variance 1/6, and lies between
  /// -1/2 and 1/2 three times in four. Bounds are five standard deviations of each estimate: the fourth
  /// moment of the density is 1/15, so that the variance of the square is 1/15 - 1/36 = 7/180.
  @Test func noiseIsTriangular() {
    let count = 200_000
    let noise = (0..<count).map { TriangularNoise.value(at: UInt64($0)) }
    #expect(noise.allSatisfy { $0 > -1 && $0 < 1 })
    let (n, mean) = (Double(count), noise.reduce(0, +) / Double(count))
    #expect(abs(mean) < 5 * (1 / 6 / n).squareRoot())
    let variance = noise.reduce(0) { $0 + $1 * $1 } / n
    #expect(abs(variance - 1 / 6) < 5 * (7 / 180 / n).squareRoot())
    let inner = Double(noise.count { abs($0) < 0.5 }) / n
    #expect(abs(inner - 0.75) < 5 * (0.75 * 0.25 / n).squareRoot())
    // Neighbors, and the channels of stereo, do not go together.
    for lag in [1, 2, 3, 256] {
      let product = (lag..<count).reduce(0) { $0 + noise[$1] * noise[$1 - lag] } / n
      #expect(abs(product) < 5 / 6 / n.squareRoot())
    }
  }

  /// With this noise the mean error is 0 and its variance a quarter of a squared step, wherever between
  /// two steps the signal lies; without it the mean error is the distance to the nearest.
  ///
  /// The error's fourth moment is at most its square, times the largest squared error, (3/2)^2.
  @Test(arguments: [0, 0.1, 0.25, 0.5, 0.8])
  func theErrorDoesNotDependOnTheSignal(offset: Double) {
    let count = 100_000
    let value = (1000 + offset) / 0x1p15
    let samples = quantized(
      Array(repeating: value, count: count), to: Int16.self, dither: .tpdf
    ).samples
    let errors = samples.map { Double($0) - 1000 - offset }
    #expect(errors.allSatisfy { abs($0) <= 1.5 })
    let n = Double(count)
    #expect(abs(errors.reduce(0, +) / n) < 5 * (0.25 / n).squareRoot())
    let variance = errors.reduce(0) { $0 + $1 * $1 } / n
    #expect(abs(variance - 0.25) < 5 * (0.25 * 2.25 / n).squareRoot())
  }
}

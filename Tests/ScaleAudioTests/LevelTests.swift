import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Clipping, guarding, normalizing and dither on real files, decoded by ffmpeg.
@Suite("Levels")
struct LevelTests {
  let bench: Workbench

  init() throws { bench = try Workbench() }

  static let methods = [ScalingMethod.smoothstep, .linear, .sinc()]
  static let depths = [SampleFormat.int8, .int16, .int24, .int32, .float32, .float64]

  /// A square wave at full scale, at which band-limited interpolation overshoots by about 2 dB.
  private static let square = (0..<3000).map { $0 / 50 % 2 == 0 ? 1.0 : -1 }

  /// Noise between `-amplitude` and `amplitude`, the same every time.
  private static func noise(_ amplitude: Double, _ count: Int = 3000) -> [Double] {
    var state: UInt64 = 88_172_645_463_325_252
    return (0..<count).map { _ in
      // Marsaglia, "Xorshift RNGs" (2003).
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Double(Int64(bitPattern: state) >> 12) / 0x1p51 * amplitude
    }
  }

  private func magnitude(_ values: [Double]) -> Double { values.map(abs).max() ?? 0 }

  private func steps(_ values: [Double], bits: Int) -> [Double] {
    values.map { $0 * exp2(Double(bits - 1)) }
  }

  /// The samples of a conversion without any rounding.
  private func unrounded(
    _ input: String, _ time: TimeRequest, _ method: ScalingMethod
  ) throws -> [Double] {
    try bench.convert(input, to: "f64.wav", time, method) { $0.sampleFormat = .float64 }
    return try bench.samples("f64.wav")
  }

  @Test(arguments: [SampleFormat.int8, .int16, .int24, .int32])
  func overshootIsClampedCountedAndReported(depth: SampleFormat) throws {
    let bits = depth.bitDepth
    try bench.make("in.wav", Self.square, codec: "pcm_s16le")
    let values = try unrounded("in.wav", .by(1.5), .sinc())
    let beyond = values.count { $0 >= 1 || $0 < -1 }
    let report = try bench.convert("in.wav", to: "out.wav", .by(1.5), .sinc()) {
      $0.sampleFormat = depth
    }
    #expect(beyond > 1000)
    #expect(report.clippedSamples == beyond)
    let decibels = 20 * log10(magnitude(values))
    #expect(decibels > 1.5 && decibels < 2.5)
    #expect(abs(try #require(report.clippedDecibels) - decibels) < 1e-9)
    #expect(report.gainDecibels == nil)
    #expect(
      try steps(bench.samples("out.wav"), bits: bits)
        == ReferenceQuantization.integers(values, bits: bits, dithers: bits <= 16))
  }

  /// The output is that of an unchanged level, times the reported gain, and just fits.
  @Test(arguments: methods, depths)
  func guardingLowersJustEnough(method: ScalingMethod, depth: SampleFormat) throws {
    try bench.make("in.wav", Self.noise(1.7), codec: "pcm_f32le", channels: 2)
    let values = try unrounded("in.wav", .by(1.5), method)
    let report = try bench.convert("in.wav", to: "out.wav", .by(1.5), method) {
      $0.level = .guarded
      $0.sampleFormat = depth
    }
    let gain = try #require(report.gainDecibels)
    #expect(gain < -3)
    #expect(report.clippedSamples == 0)
    #expect(report.clippedDecibels == nil)
    let lowered = values.map { $0 * pow(10, gain / 20) }
    let output = try bench.samples("out.wav")
    if depth.isFloat {
      #expect(magnitude(output) <= 1 && magnitude(output) > 1 - 1e-7)
      let slack = depth == .float32 ? 1e-7 : 1e-14
      #expect(zip(output, lowered).allSatisfy { abs($0 - $1) < slack })
      return
    }
    let bits = depth.bitDepth
    let stored = steps(output, bits: bits)
    let expected = ReferenceQuantization.integers(lowered, bits: bits, dithers: bits <= 16)
    // The gain in dB does not have 32 exact bits.
    #expect(zip(stored, expected).allSatisfy { abs($0 - $1) <= (bits > 16 ? 1 : 0) })
    let full = exp2(Double(bits - 1))
    // A step or two below, and as much again where there is noise.
    #expect(magnitude(stored) >= full - (bits <= 16 ? 4 : 2))
    // The gain in dB is not exact to the last bit.
    let slack = full * 0x1p-48
    #expect(lowered.allSatisfy { $0 * full <= full - 1 + slack && $0 * full >= -full - slack })
  }

  @Test(
    arguments: methods, [("in.wav", "pcm_s16le"), ("f.wav", "pcm_f32le"), ("in.ogg", "libvorbis")])
  func guardingChangesNothingThatFits(
    method: ScalingMethod, source: (name: String, codec: String)
  ) throws {
    try bench.make(source.name, Self.noise(0.4), codec: source.codec)
    func convert(_ output: String, _ level: LevelChange) throws -> ConversionReport {
      try bench.convert(source.name, to: output, .by(1.5), method) {
        $0.level = level
        $0.sampleFormat = .int16
      }
    }
    #expect(try convert("a.wav", .unchanged).gainDecibels == nil)
    #expect(try convert("b.wav", .guarded).gainDecibels == 0)
    #expect(try bench.bytes("a.wav") == bench.bytes("b.wav"))
  }

  /// Lossy sources are decoded to 16 bits and clamped there, unless the level is guarded.
  @Test(arguments: methods)
  func guardingReadsLossySourcesWhole(method: ScalingMethod) throws {
    try bench.make("in.ogg", Self.noise(1.6, 9000), codec: "libvorbis")
    let plain = try bench.convert("in.ogg", to: "plain.wav", .by(0.7), method)
    #expect(plain.clippedSamples > 0)
    #expect(try #require(plain.clippedDecibels) > 1)
    let report = try bench.convert("in.ogg", to: "out.wav", .by(0.7), method) {
      $0.level = .guarded
    }
    #expect(report.clippedSamples == 0)
    let gain = try #require(report.gainDecibels)
    #expect(gain < -1)
    let output = try steps(bench.samples("out.wav"), bits: 16)
    #expect(magnitude(output) > 32760 && output.allSatisfy { $0 < 32767.5 })
    guard let interpolation = method.interpolation else { return }
    // ffmpeg 5.1 gives some frames too many or too few at the end, and its decoder is another.
    let source = Array(try bench.samples("in.ogg").prefix(9000))
    let values = ReferenceArithmetic.scale(
      interleaved: source + Array(repeating: 0, count: 9000 - source.count), channels: 1,
      factor: 0.7, smoothstep: interpolation == .smoothstep)
    let expected = ReferenceQuantization.integers(
      values.map { $0 * pow(10, gain / 20) }, bits: 16, dithers: true)
    #expect(output.count == 6300)
    #expect(zip(output, expected).prefix(6200).allSatisfy { abs($0 - $1) <= 1 })
  }

  @Test(arguments: methods, depths)
  func normalizingSetsThePeak(method: ScalingMethod, depth: SampleFormat) throws {
    for (codec, amplitude, asked) in [("pcm_s16le", 0.05, -6.0), ("pcm_f32le", 2, 0)] {
      try bench.make("in.wav", Self.noise(amplitude), codec: codec, channels: 2)
      let report = try bench.convert("in.wav", to: "out.wav", .by(1.5), method) {
        $0.level = .normalized(peak: asked)
        $0.sampleFormat = depth
      }
      #expect(report.clippedSamples == 0)
      #expect(((report.gainDecibels ?? 0) > 0) == (amplitude < 1))
      let peak = magnitude(try bench.samples("out.wav"))
      let wanted = pow(10, asked / 20)
      // Rounding is half a step, noise one, and at 0 dB integers lack a step and leave room for noise.
      let bits = depth.bitDepth
      let tolerance =
        switch depth {
        case .float64: 1e-14
        case .float32: 0x1p-24
        default: exp2(Double(1 - bits)) * (bits > 16 ? 1 : asked == 0 ? 4 : 2)
        }
      #expect(abs(peak - wanted) <= tolerance, "\(asked): \(peak)")
    }
  }

  @Test(arguments: methods, [LevelChange.guarded, .normalized(peak: -1)])
  func silenceStaysSilence(method: ScalingMethod, level: LevelChange) throws {
    try bench.make("in.wav", Array(repeating: 0, count: 3000), codec: "pcm_f32le")
    for depth in [SampleFormat.int16, .float32] {
      let report = try bench.convert("in.wav", to: "out.wav", .by(1.5), method) {
        $0.level = level
        $0.sampleFormat = depth
      }
      #expect(report.gainDecibels == 0)
      #expect(try bench.samples("out.wav") == Array(repeating: 0, count: 4500))
    }
  }

  /// The input of the encoder stays below full scale; the codec may overshoot by itself.
  @Test(arguments: methods)
  func levelsOfLossyOutputs(method: ScalingMethod) throws {
    try bench.make("in.wav", Self.noise(1.7, 20_000), codec: "pcm_f32le")
    let peak = 20 * log10(magnitude(try unrounded("in.wav", .by(1.5), method)))
    for (level, target) in [(LevelChange.guarded, 0.0), (.normalized(peak: -9), -9)] {
      let report = try bench.convert("in.wav", to: "out.ogg", .by(1.5), method) {
        $0.level = level
      }
      #expect(abs(try #require(report.gainDecibels) - (target - peak)) < 0.001)
      // Noise comes out of Vorbis at about its level.
      let found = 20 * log10(magnitude(try bench.samples("out.ogg")))
      #expect(abs(found - target) < 3, "\(found)")
    }
  }

  @Test func ditherIsAddedFromFloatingPointTo16Bits() throws {
    try bench.make("16.wav", Self.noise(0.5), codec: "pcm_s16le")
    try bench.make("24.wav", Self.noise(0.5), codec: "pcm_s24le")
    try bench.make("f32.wav", Self.noise(0.5), codec: "pcm_f32le")
    for source in ["16", "24", "f32"] {
      for method in Self.methods {
        let values = try unrounded("\(source).wav", .by(0.8), method)
        for depth in [SampleFormat.int8, .int16, .int24] {
          let bits = depth.bitDepth
          func check(_ dither: Dither, dithers: Bool) throws {
            let report = try bench.convert("\(source).wav", to: "out.wav", .by(0.8), method) {
              $0.sampleFormat = depth
              $0.dither = dither
            }
            #expect(!report.warningText.contains("dither is not applied"))
            #expect(
              try steps(bench.samples("out.wav"), bits: bits)
                == ReferenceQuantization.integers(values, bits: bits, dithers: dithers),
              "\(source) \(method) \(bits) \(dither)")
          }
          let isFloat = source == "f32" || method.kind == .sinc
          try check(.auto, dithers: isFloat && bits <= 16)
          if bits == 16 { try check(.none, dithers: false) }
          if bits == 24, isFloat { try check(.tpdf, dithers: true) }
        }
      }
    }
  }

  /// A second of silence before and after sound, which filters spread by some milliseconds only.
  @Test(arguments: ScalingQuality.allCases)
  func silenceAroundSoundStaysSilence(quality: ScalingQuality) throws {
    let silence = [Double](repeating: 0, count: 22_050)
    try bench.make(
      "in.wav", silence + Self.noise(0.2, 4410) + silence, codec: "pcm_s16le")
    try bench.convert("in.wav", to: "out.wav", .by(2), .sinc(quality: quality))
    let output = try bench.samples("out.wav")
    #expect(output.prefix(40_000).allSatisfy { $0 == 0 })
    #expect(output.suffix(40_000).allSatisfy { $0 == 0 })
    // In the middle there is sound, with noise.
    #expect(output[44_100..<52_920].count { $0 == 0 } < 100)
  }

  @Test func nonFiniteSamplesBecomeSilence() throws {
    var values = Self.noise(0.4)
    values[1000] = .nan
    values[1500] = .infinity
    values[2000] = -.infinity
    for codec in ["pcm_f32le", "pcm_f64le"] {
      try bench.make("bad.wav", values, codec: codec)
      try bench.make("zero.wav", values.map { $0.isFinite ? $0 : 0 }, codec: codec)
      for method in Self.methods {
        func convert(_ input: String, _ output: String) throws -> ConversionReport {
          try bench.convert(input, to: output, .by(1.3), method) {
            $0.level = .normalized(peak: -2)
          }
        }
        let report = try convert("bad.wav", "a.wav")
        _ = try convert("zero.wav", "b.wav")
        #expect(
          report.warningText == "3 samples are not finite (NaN or infinity): replaced by zero")
        let output = try bench.samples("a.wav")
        #expect(try output == bench.samples("b.wav") && output.allSatisfy(\.isFinite))
      }
    }
  }
}

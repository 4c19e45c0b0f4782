import AudioModel
import TestSupport
import Testing

@testable import TimeScaling

/// Scalers that begin within the output, against the same scalers run from the start.
@Suite("Beginning at an output frame")
struct StartTests {
  private static let frames = 30_000

  /// The output of a scaler from an output frame on; `nil` if it cannot begin there.
  private func tail<Scaler: TimeScaler>(
    _ scaler: Scaler, from frame: Int, of input: [Scaler.Sample]
  ) throws -> [Scaler.Sample]? {
    var scaler = scaler
    guard let first = scaler.begin(atOutput: frame) else { return nil }
    #expect((0...input.count / scaler.channelCount).contains(first))
    return try run(
      &scaler, Array(input[(first * scaler.channelCount)...]), block: 1009, capacity: 777)
  }

  private func check<Sample: PCMSample>(_ input: [Sample], _ method: Interpolation, to length: Int)
    throws
  {
    let points = ControlPoints(
      inputFrames: input.count / 2, outputFrames: length, interpolation: method)
    let scaler = InterpolatingScaler<Sample>(points: points, channelCount: 2)
    var fresh = scaler
    let whole = try run(&fresh, input)
    var numbers = SystemRandomNumberGenerator()
    let starts =
      [0, 1, length / 2, max(0, length - 2), length - 1, length]
      + (0..<100).map { _ in Int.random(in: 0...length, using: &numbers) }
    for start in starts {
      #expect(try tail(scaler, from: start, of: input) == Array(whole[(start * 2)...]), "\(start)")
    }
  }

  @Test(arguments: [Interpolation.linear, .smoothstep], [1, 997, 8001, 8192, 12_345, 24_000])
  func interpolationIsTheSame(method: Interpolation, length: Int) throws {
    try check(noise(16_000), method, to: length)
    try check(floatNoise(16_000), method, to: length)
  }

  @Test(arguments: [0.37, 0.5, 0.999, 1.0, 1.001, 1.5, 2.0, 7.3, 8.8])
  func sincDiffersByRoundingOnly(factor: Double) throws {
    let input = floatNoise(60_000)
    let length = Int(30_000 * factor)
    for quality in ScalingQuality.allCases {
      let scaler = { () throws in
        try SincScaler<Double>(
          inputFrames: 30_000, outputFrames: length, factor: factor, channelCount: 2,
          quality: quality)
      }
      var fresh = try scaler()
      let whole = try run(&fresh, input)
      var worst = 0.0
      for start in [0, 1, length / 3, length * 2 / 3, length - 1000, length - 1, length] {
        let part = try #require(try tail(try scaler(), from: start, of: input))
        #expect(part.count == (length - start) * 2)
        worst = max(worst, zip(part, whole[(start * 2)...]).map { abs($0 - $1) }.max() ?? 0)
      }
      // All but the best recipe of libsoxr compute in single precision.
      let most =
        switch quality {
        case .fast: 2e-5
        case .high: 2e-6
        case .best: 1e-8
        }
      #expect(worst < most, "\(quality)")
    }
  }

  @Test func sincNeedsAFactorThatIsAShortFraction() throws {
    var scaler = try SincScaler<Double>(
      inputFrames: 100_000_000, outputFrames: 100_000_000, factor: 1.4142135623730951,
      channelCount: 1, quality: .fast)
    let far = scaler.begin(atOutput: 50_000_000)
    #expect(far == nil)
    scaler.reset()
    let near = scaler.begin(atOutput: 1000)
    #expect(near == 0)
    var other = try SincScaler<Double>(
      inputFrames: 100_000_000, outputFrames: 120_000_000, factor: 1.2345, channelCount: 1,
      quality: .fast)
    let begun = other.begin(atOutput: 100_000_000)
    let first = try #require(begun)
    // 100,000,000 / 1.2345 is 81,004,455; the lead-in is at least 4,096 frames of the input.
    #expect((81_000_000...81_000_359).contains(first) && first % 2000 == 0)
  }

  #if RubberBand
    @Test func stretchCannot() throws {
      var scaler = try StretchScaler(
        inputFrames: 1000, outputFrames: 1500, channelCount: 1, sampleRate: 44100,
        settings: StretchSettings())
      let first = scaler.begin(atOutput: 700)
      #expect(first == nil)
    }
  #endif
}

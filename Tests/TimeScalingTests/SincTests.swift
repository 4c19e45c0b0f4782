import Foundation
import TestSupport
import Testing
import TimeScaling

/// Band-limited interpolation, measured by arithmetic of the tests' own on 32-bit floating point, as it
/// is stored.
@Suite("Sinc")
struct SincTests {
  private func scaled(
    _ input: [Double], to length: Int, factor: Double? = nil, _ quality: ScalingQuality
  ) throws -> [Double] {
    var scaler = try SincScaler<Double>(
      inputFrames: input.count, outputFrames: length, factor: factor, channelCount: 1,
      quality: quality)
    return try run(&scaler, input)
  }

  /// A tone at 44.1 kHz, as far as a `Float` holds it, and what is heard of it in the middle half of the
  /// output.
  private func fit(
    _ frequency: Double, frames: Int = 20_000, factor: Double, _ quality: ScalingQuality
  ) throws -> SineFit {
    let step = 2 * Double.pi * frequency / 44_100
    let input = SineFit.tone(step: step, frames: frames)
    let length = Int(Double(frames) * factor)
    let output = try scaled(input, to: length, factor: factor, quality).map { Double(Float($0)) }
    return SineFit(output, step: step / factor, frames: length / 4..<length - length / 4)
  }

  /// Signal to noise at small and at odd ratios: "fast" has 16 bits, "high" 20, "best" 28.
  @Test(
    arguments: [(ScalingQuality.fast, 105.0), (.high, 125), (.best, 145)],
    [1.5, 0.75, 48 / 44.1, 1.2345])
  func tonesStayClean(quality: (ScalingQuality, decibels: Double), factor: Double) throws {
    for frequency in [997.0, 5000, 10_000] {
      let fit = try fit(frequency, factor: factor, quality.0)
      #expect(fit.signalToNoise > quality.decibels, "\(frequency) Hz: \(fit.signalToNoise) dB")
      // The tone's phase at frame 0 and its frequency place both ends of the file.
      #expect(abs(fit.phase) < 1e-4)
      #expect(abs(fit.decibels) < 0.01)
    }
  }

  /// libsoxr computes "fast" and "high" in single precision, whatever the type of the samples is.
  @Test(arguments: [ScalingQuality.fast, .high], [1.5, 0.75, 1.2345])
  func singlePrecisionGivesTheSameSamples(quality: ScalingQuality, factor: Double) throws {
    let tone = SineFit.tone(step: 0.3, frames: 20_000)
    let length = Int(Double(tone.count) * factor)
    var scaler = try SincScaler<Float>(
      inputFrames: tone.count, outputFrames: length, factor: factor, channelCount: 1,
      quality: quality)
    let single = try run(&scaler, tone.map { Float($0) })
    let double = try scaled(tone, to: length, factor: factor, quality)
    #expect(single.count == length)
    #expect(single.map(Double.init) == double)
  }

  /// The phase of a long tone near its start and near its end, and so its frequency: exactly the factor, at
  /// which the length is not a whole number of frames.
  @Test(arguments: ScalingQuality.allCases, [1.5, 0.7, 25 / 24.0, 1.000_123, 480 / 441.0, 3.21])
  func tonesAreDividedByTheFactor(quality: ScalingQuality, factor: Double) throws {
    let frames = 200_001
    let step = 2 * Double.pi * 5000 / 44_100
    let length = Int(Double(frames) * factor)
    let output = try scaled(
      (0..<frames).map { sin(step * Double($0)) }, to: length, factor: factor, quality)
    let newStep = step / factor
    let start = SineFit(output, step: newStep, frames: 2000..<12_000)
    let end = SineFit(output, step: newStep, frames: length - 12_000..<length - 2000)
    let error = (end.phase - start.phase) / (newStep * Double(length - 14_000))
    #expect(abs(error) < 1e-9, "\(error)")
    // Output frame i is at i / factor: the phase at frame 0 stays.
    #expect(abs(start.phase) < 1e-5, "\(start.phase)")
  }

  /// The spacing of the frames is the factor, however many are asked for.
  @Test(arguments: [0.3, 1, 1.75])
  func theLengthDoesNotMoveFrames(factor: Double) throws {
    let input = (0..<5000).map { sin(0.05 * Double($0)) }
    let length = Int(5000 * factor)
    let whole = try scaled(input, to: length, factor: factor, .high)
    for other in [length - 700, length - 1, length + 3] {
      let output = try scaled(input, to: other, factor: factor, .high)
      #expect(output.count == other)
      #expect(zip(output, whole).allSatisfy { $0 == $1 })
    }
  }

  @Test(arguments: [ScalingQuality.high, .best], [0.5, 0.75, 1.5])
  func thePassbandIsFlat(quality: ScalingQuality, factor: Double) throws {
    for part in [0.1, 0.5, 0.8, 0.91] {
      let fit = try fit(part * 22_050 * min(factor, 1), factor: factor, quality)
      #expect(abs(fit.decibels) < 0.1, "\(part): \(fit.decibels) dB")
    }
  }

  /// Frequencies above the lower Nyquist frequency are removed, not folded back.
  @Test(arguments: ScalingQuality.allCases, [0.5, 0.4999, 0.1])
  func highTonesVanish(quality: ScalingQuality, factor: Double) throws {
    let input = SineFit.tone(step: 2 * Double.pi * 15_000 / 44_100, frames: 40_000)
    let output = try scaled(input, to: Int(40_000 * factor), quality)
    let loudest = output[output.count / 4..<output.count * 3 / 4].map(\.magnitude).max() ?? 1
    #expect(loudest < 1e-6, "\(loudest)")
  }

  /// The center of what an impulse becomes lies where the factor puts the impulse.
  @Test(
    arguments: ScalingQuality.allCases,
    [0.01, 0.02, 0.0789, 0.25, 0.5, 0.6789, 0.9, 0.999, 1.001, 1.1, 1.5, 2, 3.21, 5, 16, 100])
  func impulsesFollowTheFactor(quality: ScalingQuality, factor: Double) throws {
    // Long enough, on both sides, for all of the impulse's ringing to be there.
    let count = 2 * Int(500 / min(factor, 1)) + 1
    let length = Int(Double(count) * factor)
    for place in [count / 2, count / 2 - 7] {
      var input = [Double](repeating: 0, count: count)
      input[place] = 1
      let output = try scaled(input, to: length, factor: factor, quality)
      var (sum, moment) = (0.0, 0.0)
      for (frame, value) in output.enumerated() {
        sum += value
        moment += value * Double(frame)
      }
      let expected = Double(place) * factor
      #expect(abs(moment / sum - expected) < 0.01, "\(moment / sum - expected)")
      // A constant stays what it is, so an impulse comes to the factor.
      #expect(abs(sum / factor - 1) < 1e-3)
    }
  }

  /// If the factor is whole, the frames of the source are among those of the output.
  @Test(arguments: [2, 3, 10])
  func framesOfTheSourceAreKept(ratio: Int) throws {
    let count = 4001
    let input = SineFit.tone(step: 0.1, frames: count)
    let output = try scaled(input, to: count * ratio, .best)
    for frame in 500..<count - 500 { #expect(abs(output[frame * ratio] - input[frame]) < 1e-6) }
  }

  /// An impulse in the first frame becomes the right half of one in the middle, and one in the last frame
  /// the left half; only in the time of the first four frames something is missing.
  @Test(arguments: [2, 5, 10])
  func endsFollowTheFactor(ratio: Int) throws {
    let count = 2001
    func response(to place: Int) throws -> [Double] {
      var input = [Double](repeating: 0, count: count)
      input[place] = 1
      return try scaled(input, to: count * ratio, .best)
    }
    let (start, middle, end) = try (response(to: 0), response(to: 1000), response(to: 2000))
    let (center, last) = (1000 * ratio, 2000 * ratio)
    for distance in 0...900 * ratio {
      #expect(abs(end[last - distance] - middle[center - distance]) < 1e-7)
      let tolerance = distance < 4 * ratio ? 0.13 : 1e-4
      #expect(abs(start[distance] - middle[center + distance]) < tolerance)
    }
  }

  /// Files shorter than the filter, at the most extreme ratios that lengths and factors can make.
  @Test(arguments: ScalingQuality.allCases)
  func shorterThanTheFilter(quality: ScalingQuality) throws {
    for (count, length) in [(2, 3), (2, 200), (3, 300), (5, 2), (200, 2), (299, 2), (399, 3)] {
      let output = try scaled(Array(repeating: 0.5, count: count), to: length, quality)
      #expect(output.count == length)
      // 0.5, and ringing at the steps to silence on both sides.
      #expect(output.allSatisfy { $0 > -0.1 && $0 < 0.7 })
    }
  }

  @Test func impossibleRatiosAreRefused() {
    for (count, length) in [(Int.max, 2), (2, Int.max), (1 << 20, 3)] {
      #expect(throws: ScalingError.self) {
        _ = try SincScaler<Double>(
          inputFrames: count, outputFrames: length, channelCount: 1, quality: .high)
      }
    }
  }
}

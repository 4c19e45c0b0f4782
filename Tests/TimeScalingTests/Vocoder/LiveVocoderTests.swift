import Foundation
import TestSupport
import Testing

@testable import TimeScaling

/// The vocoder of streams, compared with arithmetic.
@Suite("The live vocoder")
struct LiveVocoderTests {
  static let rate = 44_100

  /// A rate and a pitch from an output frame on.
  struct Change: Sendable {
    let output: Int
    let rate: Double
    var semitones = 0.0
  }

  /// The output of a vocoder for a signal.
  private struct Heard {
    var samples: [Double] = []
    /// The source frame of each output frame.
    var places: [Double] = []
    /// The source frames from which each of the changes holds.
    var corners: [Double] = []
  }

  /// Hears a signal from frame `start` on; it is silent beyond its ends.
  private func heard(
    _ signal: [Double], channels: Int = 1, sampleRate: Int = Self.rate, from start: Int = 0,
    changes: [Change], frames: Int, putting most: Int = .max
  ) throws -> Heard {
    let vocoder = try LiveVocoder(
      channelCount: channels, sampleRate: sampleRate, rate: changes[0].rate,
      semitones: changes[0].semitones)
    var (result, next, left) = (Heard(), start - vocoder.leadFrames, changes.dropFirst())
    var block = [Float](repeating: 0, count: 512 * channels)
    while result.places.count < frames {
      if let change = left.first, change.output <= result.places.count {
        left.removeFirst()
        result.corners.append(Double(next - vocoder.leadFrames - start))
        vocoder.set(rate: change.rate, semitones: change.semitones)
      }
      while vocoder.available == 0 {
        let count = min(vocoder.lacking, most)
        let part = (next * channels..<(next + count) * channels).map {
          signal.indices.contains($0) ? Float(signal[$0]) : 0
        }
        part.withUnsafeBufferPointer { frames in
          if let start = frames.baseAddress { vocoder.put(start, count: count) }
        }
        next += count
      }
      let (input, step, straight) = vocoder.position
      let coming = left.first.map { $0.output - result.places.count } ?? 512
      let wanted = min(512, straight, max(1, coming), frames - result.places.count)
      let made = block.withUnsafeMutableBufferPointer { frames in
        frames.baseAddress.map { vocoder.retrieve(wanted, into: $0) } ?? 0
      }
      result.samples += block.prefix(made * channels).map(Double.init)
      result.places += (0..<made).map { input + Double($0) * step }
    }
    return result
  }

  private func tone(_ hertz: Double, seconds: Double) -> [Double] {
    (0..<Int(seconds * Double(Self.rate))).map {
      0.5 * sin(2 * .pi * hertz * Double($0) / Double(Self.rate))
    }
  }

  /// The distance of a tone from a frequency, in cents, by its phases in two parts that follow each other.
  private func cents(of hertz: Double, in signal: [Double], _ frames: Range<Int>) -> Double {
    let step = 2 * Double.pi * hertz / Double(Self.rate)
    let half = frames.count / 2
    let (one, two) = (
      SineFit(signal, step: step, frames: frames.lowerBound..<frames.lowerBound + half),
      SineFit(signal, step: step, frames: frames.lowerBound + half..<frames.upperBound)
    )
    let turn = (two.phase - one.phase).remainder(dividingBy: 2 * .pi)
    return 1200 * log2(1 + turn / Double(half) / step)
  }

  /// The most by which a signal bends in a frame.
  private func maximumBend(of signal: [Double]) -> Double {
    var most = 0.0
    for index in 2..<signal.count {
      let bend: Double = signal[index] - 2 * signal[index - 1] + signal[index - 2]
      most = max(most, abs(bend))
    }
    return most
  }

  /// At the original rate every frame is that of the source, wherever it begins.
  @Test(arguments: [0, 1, 31_007]) func beginsWithTheSource(start: Int) throws {
    let noise = floatNoise(60_000, seed: 3)
    let result = try heard(
      noise, from: start, changes: [Change(output: 0, rate: 1)], frames: 20_000)
    #expect(result.places == (0..<20_000).map(Double.init))
    let errors = (0..<20_000).map { abs(result.samples[$0] - noise[start + $0]) }
    // The bands add up to the whole within 60 dB.
    #expect(errors.max()! < 2e-3)
  }

  /// At another rate it begins with the phases of the source.
  @Test(arguments: [0.25, 0.7, 1.5, 4]) func beginsWithThePhasesOfTheSource(rate: Double) throws {
    let signal = tone(440, seconds: 4)
    let result = try heard(
      signal, from: 20_011, changes: [Change(output: 0, rate: rate)], frames: 2000)
    let errors = (0..<2000).map { abs(result.samples[$0] - signal[20_011 + $0]) }
    #expect(errors.max()! < 0.01)
  }

  static let histories: [[Double]] = [
    [0.25, 4, 0.5], [1.5, 0.75, 1.1, 2], [4, 0.25, 3], [1, 0.8, 1, 1.25],
  ]

  @Test(arguments: histories, [110.0, 440, 3000])
  func tonesStayAfterChanges(rates: [Double], hertz: Double) throws {
    let second = Self.rate
    let changes = rates.enumerated().map { Change(output: $0 * second, rate: $1) }
    let result = try heard(
      tone(hertz, seconds: 12), changes: changes, frames: rates.count * second)
    for index in rates.indices {
      // A change is heard some 0.1 s later.
      let part = index * second + 10_000..<(index + 1) * second - 100
      #expect(abs(cents(of: hertz, in: result.samples, part)) < 0.1)
      let fit = SineFit(
        result.samples, step: 2 * .pi * hertz / Double(Self.rate), frames: part)
      #expect(abs(fit.amplitude - 0.5) < 0.01)
      #expect(fit.signalToNoise > 40)
    }
  }

  /// The place of every output frame, from the rates and the source frames from which they hold.
  @Test(arguments: histories) func positionsFollowTheRates(rates: [Double]) throws {
    let changes = rates.enumerated().map { Change(output: $0 * 30_011, rate: $1) }
    let result = try heard([], changes: changes, frames: 140_000)
    #expect(result.corners.count == rates.count - 1)
    var (source, output) = (0.0, 0.0)
    var legs: [(output: Double, source: Double, rate: Double)] = []
    for (rate, end) in zip(rates, result.corners + [.infinity]) {
      legs.append((output, source, rate))
      output += (end - source) / rate
      source = end
    }
    for frame in stride(from: 0, to: 140_000, by: 97) {
      let leg = try #require(legs.last { $0.output <= Double(frame) })
      let expected = leg.source + (Double(frame) - leg.output) * leg.rate
      #expect(abs(result.places[frame] - expected) < 1e-6)
    }
    // A rate is heard at most 70 ms after what was retrieved.
    for (leg, change) in zip(legs.dropFirst(), changes.dropFirst()) {
      #expect(leg.output - Double(change.output) < 0.07 * Double(Self.rate))
    }
  }

  @Test(arguments: histories) func clicksAreOnTime(rates: [Double]) throws {
    var signal = [Double](repeating: 0, count: 600_000)
    let distance = 9000
    for place in stride(from: distance, to: signal.count, by: distance) { signal[place] = 0.9 }
    let changes = rates.enumerated().map { Change(output: $0 * 44_100, rate: $1) }
    let result = try heard(signal, changes: changes, frames: rates.count * 44_100)
    var count = 0
    for (frame, place) in result.places.enumerated().dropFirst() {
      let click = (place / Double(distance)).rounded(.down) * Double(distance)
      // The first frame at or after a click.
      guard click > 0, result.places[frame - 1] < click, frame > 1000,
        frame + 1000 < result.samples.count,
        // While a rate changes, low tones of a click are at two places.
        changes.allSatisfy({ abs($0.output + 2000 - frame) > 5000 })
      else { continue }
      let near = frame - 900..<frame + 900
      let loudest = near.max { abs(result.samples[$0]) < abs(result.samples[$1]) } ?? 0
      #expect(abs(loudest - frame) < Self.rate / 500, "\(loudest - frame) frames off")
      count += 1
    }
    #expect(count > 8)
  }

  @Test func pitchesChangeWithoutAClick() throws {
    let pitches = [0.0, 1, -3, 12, 0, -12]
    let second = Self.rate
    let changes = pitches.enumerated().map {
      Change(output: $0 * second, rate: 1.2, semitones: $1)
    }
    let result = try heard(
      tone(440, seconds: 9), changes: changes, frames: pitches.count * second)
    for (index, pitch) in pitches.enumerated() {
      let hertz = 440 * exp2(pitch / 12)
      let part = index * second + 15_000..<(index + 1) * second - 100
      #expect(abs(cents(of: hertz, in: result.samples, part)) < 0.1)
      let step = 2 * Double.pi * hertz / Double(Self.rate)
      #expect(abs(SineFit(result.samples, step: step, frames: part).amplitude - 0.5) < 0.01)
    }
    let samples = result.samples
    // A tone bends by its amplitude times the square of its step; the highest has 880 Hz.
    let step = 2 * Double.pi * 880 / Double(Self.rate)
    #expect(maximumBend(of: samples) < 0.5 * step * step * 1.2)
  }

  @Test func ratesChangeWithoutAClick() throws {
    let rates = [1, 1.5, 0.5, 2, 0.25, 4, 1]
    let changes = rates.enumerated().map { Change(output: $0 * 20_000, rate: $1) }
    let samples = try heard(
      tone(440, seconds: 12), changes: changes, frames: rates.count * 20_000
    ).samples
    let step = 2 * Double.pi * 440 / Double(Self.rate)
    #expect(maximumBend(of: samples) < 0.5 * step * step * 1.2)
  }

  /// The number of frames put at once does not matter, as long as it does not exceed those that are lacking.
  @Test func blocksDoNotMatter() throws {
    let signal = floatNoise(80_000, seed: 5)
    let changes = [Change(output: 0, rate: 1.3), Change(output: 9000, rate: 0.6, semitones: 2)]
    let whole = try heard(signal, changes: changes, frames: 20_000)
    for most in [1, 33] {
      let parts = try heard(signal, changes: changes, frames: 20_000, putting: most)
      #expect(parts.samples == whole.samples)
    }
  }

  @Test(arguments: [0.5, 0.8, 1.25, 2]) func noiseKeepsItsLevel(rate: Double) throws {
    let signal = floatNoise(140_000, seed: 6)
    let result = try heard(signal, changes: [Change(output: 0, rate: rate)], frames: 60_000)
    func level(_ signal: some Collection<Double>) -> Double {
      (signal.reduce(0) { $0 + $1 * $1 } / Double(signal.count)).squareRoot()
    }
    let change = 20 * log10(level(result.samples.dropFirst(5000)) / level(signal))
    #expect(abs(change) < 0.3, "\(change) dB")
  }

  @Test(arguments: [8000, 44_100, 384_000], [1, 2, 32])
  func badInputMakesFiniteSamples(rate: Int, channels: Int) throws {
    let frames = 6 * rate / 10
    let bad = (0..<frames * channels).map {
      $0 % 700 == 7 ? Double.nan : $0 % 1100 == 9 ? -.infinity : $0 % 300 < 3 ? 1e30 : 1e-42
    }
    let changes = [
      Change(output: 0, rate: 4), Change(output: 500, rate: 0.25, semitones: 12),
      Change(output: 900, rate: 2, semitones: -12),
    ]
    let result = try heard(
      bad, channels: channels, sampleRate: rate, changes: changes, frames: 3000)
    #expect(!result.samples.contains { !$0.isFinite })
    let silent = try heard(
      [Double](repeating: .nan, count: frames * channels), channels: channels, sampleRate: rate,
      changes: changes, frames: 1000)
    #expect(!silent.samples.contains { $0 != 0 })
  }
}

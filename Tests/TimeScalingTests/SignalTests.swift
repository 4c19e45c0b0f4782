import TestSupport
import Testing
import TimeScaling

@Suite("Signals")
struct SignalTests {
  @Test(arguments: Interpolation.allCases)
  func noiseOfEveryShortLength(method: Interpolation) {
    for count in 1...40 {
      let input = noise(count, seed: UInt64(count))
      for length in 0...90 {
        #expect(scaled(input, to: length, method) == reference(input, length, method))
      }
    }
  }

  @Test(arguments: Interpolation.allCases)
  func noiseOfLongerLengths(method: Interpolation) {
    let input = noise(5003)
    for length in [1, 2, 500, 1851, 5001, 5002, 5003, 5004, 5005, 7504, 10_006, 36_521] {
      #expect(scaled(input, to: length, method) == reference(input, length, method))
    }
  }

  @Test(arguments: Interpolation.allCases)
  func theLoudestJumps(method: Interpolation) {
    for pattern in [[Int16.min, .max], [.max, .min, .min], [.min, .min], [.max, .max]] {
      let input = (0..<100).map { pattern[$0 % pattern.count] }
      for length in [2, 37, 99, 100, 101, 150, 731] {
        #expect(scaled(input, to: length, method) == reference(input, length, method))
      }
    }
  }

  /// An impulse at frame `k` is heard in exactly the output frames whose place on the input's axis,
  /// worked out here in whole numbers, lies less than a frame from `k`.
  @Test func impulsesFollowTheDefinition() {
    for (count, length) in [(50, 75), (50, 31), (64, 127), (100, 99), (100, 730)] {
      for k in 0..<count {
        var input = [Int16](repeating: 0, count: count)
        input[k] = 30_000
        let output = scaled(input, to: length, .linear)
        for n in 0..<length {
          // The place is n * (count - 1) / (length - 1); distances are in (length - 1)ths of a frame.
          let distance = abs(n * (count - 1) - k * (length - 1))
          let expected = 30_000 * max(0, Double(length - 1 - distance)) / Double(length - 1)
          #expect(abs(Double(output[n]) - expected) <= 0.5 + 1e-6)
        }
      }
    }
  }

  @Test func anEasedImpulseStaysAtItsPlace() {
    // With (L-1) = 4 (N-1) every fourth output frame is an input frame; between, t is 1/4, 1/2, 3/4,
    // which smoothstep moves to 5/32, 1/2, 27/32.
    var input = [Int16](repeating: 0, count: 21)
    input[10] = 32_000
    let output = scaled(input, to: 81, .smoothstep)
    #expect(Array(output[36...44]) == [0, 5000, 16_000, 27_000, 32_000, 27_000, 16_000, 5000, 0])
    #expect(output.filter { $0 != 0 }.count == 7)
  }

  @Test(arguments: 1...9)
  func channelsAreIndependent(channels: Int) {
    let frames = 200
    let signals = (0..<channels).map { noise(frames, seed: UInt64($0 + 7)) }
    let input = (0..<frames).flatMap { frame in signals.map { $0[frame] } }
    for method in Interpolation.allCases {
      for length in [20, 199, 201, 301, 1460] {
        let output = scaled(input, channels: channels, to: length, method, block: 13, capacity: 7)
        for channel in 0..<channels {
          let one = (0..<length).map { output[$0 * channels + channel] }
          #expect(one == reference(signals[channel], length, method))
        }
      }
    }
  }

  private func reference(_ input: [Int16], _ length: Int, _ method: Interpolation) -> [Int16] {
    ReferenceArithmetic.scale(input, to: length, smoothstep: method == .smoothstep)
  }
}

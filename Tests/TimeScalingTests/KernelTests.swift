import AudioModel
import TestSupport
import Testing
import TimeScaling

/// Every kernel of this processor, against the scaler without one and against the definition.
@Suite("Kernels make the same bits as the reference")
struct KernelTests {
  static let lengthsOfThousand = [
    10, 33, 431, 500, 997, 999, 1000, 1001, 1003, 1167, 1500, 1999, 2000, 2007, 7700, 100_000,
  ]

  /// Lengths from a hundredth to a hundred times, blocks from one frame on, one to eight channels and some
  /// more; each case another seed.
  @Test(arguments: InterpolationKernel.available, Interpolation.allCases)
  func anyFactorBlockAndLayout(kernel: InterpolationKernel, method: Interpolation) {
    var random = SeededNumbers(seed: 5)
    for length in Self.lengthsOfThousand {
      for channels in [1, 2, Int.random(in: 3...11, using: &random)] {
        let frames = length > 5000 ? 40 : 300
        let input = noise(frames * channels, seed: random.next())
        let outputs = max(1, length * frames / 1000)
        let expected = scaled(input, channels, to: outputs, method, kernel: nil)
        for block in [1, Int.random(in: 2...250, using: &random), frames] {
          let capacity = Int.random(in: 1...600, using: &random)
          let output = scaled(
            input, channels, to: outputs, method, kernel: kernel, block: block, capacity: capacity)
          #expect(
            output == expected,
            "\(length) of 1000, \(channels) channels, blocks of \(block), room for \(capacity)")
        }
      }
    }
  }

  @Test(arguments: InterpolationKernel.available, 1...8)
  func manyChannels(kernel: InterpolationKernel, channels: Int) {
    for (frames, outputs) in [(300, 451), (300, 211)] {
      let input = noise(frames * channels, seed: UInt64(channels))
      for method in Interpolation.allCases {
        let output = scaled(input, channels, to: outputs, method, kernel: kernel)
        for channel in 0..<channels {
          let one = stride(from: channel, to: input.count, by: channels).map { input[$0] }
          let expected = ReferenceArithmetic.scale(
            one, to: outputs, smoothstep: method == .smoothstep)
          let made = stride(from: channel, to: output.count, by: channels).map { output[$0] }
          #expect(made == expected)
        }
      }
    }
  }

  /// The greatest steps that there are, and steps of 1, whose middles are hit and nearly hit.
  @Test(arguments: InterpolationKernel.available, Interpolation.allCases)
  func extremesAndTies(kernel: InterpolationKernel, method: Interpolation) {
    let bits = noiseBits(500)
    let extremes: [Int16] = [.min, .max, .min + 1, .max - 1]
    let signals: [[Int16]] = [
      bits.map { extremes[Int($0 >> 33) % 4] },
      bits.map { Int16($0 >> 33 & 1) },
      bits.map { Int16.min + Int16($0 >> 33 & 3) },
      bits.map { Int16.max - Int16($0 >> 33 & 7) },
      bits.map { _ in Int16.min },
    ]
    for signal in signals {
      for channels in [1, 2, 5] {
        let frames = signal.count / channels
        let input = Array(signal.prefix(frames * channels))
        // Places at halves, quarters, sixteenths, and just beside them.
        for outputs in [2, 4, 16].flatMap({ [($0 * (frames - 1)) + 1, $0 * frames] }) {
          let output = scaled(input, channels, to: outputs, method, kernel: kernel)
          let expected = scaled(input, channels, to: outputs, method, kernel: nil)
          #expect(output == expected)
        }
      }
    }
  }

  /// So many of the steepest slopes that some sums come within 2^-15 of the middle between two samples.
  @Test(arguments: InterpolationKernel.available, Interpolation.allCases)
  func sumsNextToTies(kernel: InterpolationKernel, method: Interpolation) {
    let input = (0..<2001).map { $0 % 2 == 0 ? Int16.min : .max }
    let output = scaled(input, 1, to: 200_003, method, kernel: kernel)
    #expect(output == scaled(input, 1, to: 200_003, method, kernel: nil))
  }

  @Test(arguments: InterpolationKernel.available, Interpolation.allCases)
  func otherTypesOfSamples(kernel: InterpolationKernel, method: Interpolation) {
    let bits = noiseBits(2000)
    check(bits.map { Int8(truncatingIfNeeded: $0 >> 40) }, kernel, method)
    check(bits.map { Int24(lowBits: Int64(bitPattern: $0) >> 40) }, kernel, method)
    check(bits.map { Int32(truncatingIfNeeded: $0 >> 32) }, kernel, method)
    check(floatNoise(2000).map { Float($0) }, kernel, method)
    check(floatNoise(2000).map { $0 * 1e-30 }, kernel, method)
  }

  private func check<Sample: PCMSample>(
    _ input: [Sample], _ kernel: InterpolationKernel, _ method: Interpolation
  ) {
    for channels in [1, 2, 5] {
      for outputs in [77, 390, 401, 999] {
        let output = scaled(input, channels, to: outputs, method, kernel: kernel, block: 111)
        let expected = scaled(input, channels, to: outputs, method, kernel: nil)
        #expect(output == expected)
      }
    }
  }

  /// Far into hours of audio, where places have few bits left for their fractions.
  @Test(arguments: InterpolationKernel.available, Interpolation.allCases)
  func farIntoLongAudio(kernel: InterpolationKernel, method: Interpolation) {
    let input = noise(4000)
    for factor in [0.013, 0.5, 0.93, 1.01, 1.5, 2, 31.7] {
      for inputFrames in [3_000_000_000, 1 << 33, 1 << 45] {
        let points = ControlPoints(
          inputFrames: inputFrames, outputFrames: Int(Double(inputFrames) * factor),
          interpolation: method)
        for origin in [1 << 31, inputFrames / 10 * 9] {
          for channels in [1, 2, 4] {
            checkFarInto(points, origin, channels, input, kernel)
          }
        }
      }
    }
  }

  private func checkFarInto(
    _ points: ControlPoints, _ origin: Int, _ channels: Int, _ input: [Int16],
    _ kernel: InterpolationKernel
  ) {
    let all = 0..<points.outputFrames
    let start = points.firstOutput(atOrBeyond: origin, in: all)
    let last = origin + input.count / channels - InterpolationKernel.framesBeyond
    let frames = start..<min(start + 500, points.firstOutput(atOrBeyond: last, in: all))
    var output = [Int16](repeating: 0, count: frames.count * channels)
    var buffer = output.mutableSpan
    kernel.interpolate(
      input.span, origin: origin, channelCount: channels, points: points, frames: frames,
      into: &buffer, at: 0)
    let expected = frames.flatMap { frame in
      let place = points[frame]
      let index = Int(place.rounded(.towardZero))
      return (0..<channels).map { channel in
        let at = (index - origin) * channels + channel
        let before = Double(input[at])
        let value = before + (place - Double(index)) * (Double(input[at + channels]) - before)
        return Int16(value.rounded(.toNearestOrEven))
      }
    }
    #expect(output == expected)
  }

  /// More frames in one block than a kernel takes.
  @Test func aBlockLargerThanKernelsAccept() {
    let frames = InterpolationKernel.maximumInputFrames + 50
    let points = ControlPoints(inputFrames: frames, outputFrames: 101, interpolation: .linear)
    let input = [Int16](repeating: 3, count: frames)
    var scaler = InterpolatingScaler<Int16>(points: points, channelCount: 1)
    let output = try? run(&scaler, input)
    // The last frame's neighbor does not count, because its fraction is 0.
    #expect(output == [Int16](repeating: 3, count: 101))
  }

  private func scaled<Sample: PCMSample>(
    _ input: [Sample], _ channels: Int, to length: Int, _ method: Interpolation,
    kernel: InterpolationKernel?, block: Int = .max, capacity: Int = .max
  ) -> [Sample] {
    let points = ControlPoints(
      inputFrames: input.count / channels, outputFrames: length, interpolation: method)
    var scaler = InterpolatingScaler<Sample>(
      points: points, channelCount: channels, kernel: kernel)
    return (try? run(&scaler, input, block: block, capacity: capacity)) ?? []
  }
}

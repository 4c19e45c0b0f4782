import AudioModel
import TestSupport
import Testing
import TimeScaling

/// The scaler in every type of sample.
@Suite("Scaling samples of every depth")
struct DepthTests {
  @Test(arguments: SampleFormat.allCases, Interpolation.allCases)
  func equalsTheArithmeticForAnyBlockSize(format: SampleFormat, method: Interpolation) {
    switch format {
    case .int8: check(Int8.self, method)
    case .int16: check(Int16.self, method)
    case .int24: check(Int24.self, method)
    case .int32: check(Int32.self, method)
    case .float32: check(Float.self, method)
    case .float64: check(Double.self, method)
    }
  }

  private func check<Sample: PCMSample>(_: Sample.Type, _ method: Interpolation) {
    let channels = 2
    let input = samples(151 * channels, as: Sample.self)
    for length in [1, 15, 150, 151, 152, 225, 1103] {
      let expected = reference(input, channels: channels, to: length, method)
      for (block, capacity) in [(Int.max, Int.max), (1, Int.max), (Int.max, 1), (7, 3), (64, 50)] {
        let output = scaled(
          input, channels: channels, to: length, method, block: block, capacity: capacity)
        #expect(output == expected)
      }
    }
  }

  /// The loudest and quietest samples of the type, then noise; floats also go far beyond full scale.
  private func samples<Sample: PCMSample>(_ count: Int, as _: Sample.Type) -> [Sample] {
    let most = Sample.format.isFloat ? 7 : Sample.fullScale - 1
    let least = -Sample.fullScale
    let edges = [most, least, most, most, least, least, 0, most].map { Sample(nearest: $0) }
    let noise = noiseBits(count - edges.count).map { bits in
      // 52 random bits as a value from -1 to 1, times full scale.
      Sample(nearest: Double(Int64(bitPattern: bits) >> 12) / 0x1p51 * (Sample.fullScale - 1))
    }
    return edges + noise
  }

  private func reference<Sample: PCMSample>(
    _ input: [Sample], channels: Int, to length: Int, _ method: Interpolation
  ) -> [Sample] {
    var output = [Sample](repeating: .silence, count: length * channels)
    for channel in 0..<channels {
      let one = stride(from: channel, to: input.count, by: channels).map { input[$0].doubleValue }
      let values = ReferenceArithmetic.scale(
        one, to: length, smoothstep: method == .smoothstep)
      for (frame, value) in values.enumerated() {
        let rounded = Sample.format.isFloat ? value : value.rounded(.toNearestOrEven)
        output[frame * channels + channel] = Sample(nearest: rounded)
      }
    }
    return output
  }

  /// The edge of each integer type survives, where arithmetic that wraps would change its sign.
  @Test func extremesStayUnchanged() {
    let deep: [Int32] = [.max, .min, .max, .max, .min, .min]
    #expect(scaled(deep, to: 6, .linear) == deep)
    #expect(scaled(deep, to: 11, .linear)[0...4] == [.max, 0, .min, 0, .max])
    let packed = [8_388_607, -8_388_608, 8_388_607].map { Int24(lowBits: $0) }
    #expect(
      scaled(packed, to: 5, .linear).map(\.value) == [8_388_607, 0, -8_388_608, 0, 8_388_607])
    #expect(scaled([127, -128] as [Int8], to: 3, .linear) == [127, 0, -128])
  }
}

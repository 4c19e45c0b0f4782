import AudioModel
import Testing
import TimeScaling

/// Merging with the weights of ITU-R BS.775.
@Suite("Downmix")
struct DownmixTests {
  private func layout(_ mask: UInt32) throws -> ChannelLayout {
    try #require(ChannelLayout(mask: mask, channelCount: mask.nonzeroBitCount))
  }

  /// The table of the Recommendation, digits as printed there; low-frequency effects are left out.
  @Test(
    arguments: [
      (0x4, [1]), (0x3, [0.7071, 0.7071]), (0x7, [0.7071, 0.7071, 1]),
      (0x103, [0.7071, 0.7071, 0.7071]), (0x107, [0.7071, 0.7071, 1, 0.7071]),
      (0x33, [0.7071, 0.7071, 0.5, 0.5]), (0x603, [0.7071, 0.7071, 0.5, 0.5]),
      (0x37, [0.7071, 0.7071, 1, 0.5, 0.5]), (0x607, [0.7071, 0.7071, 1, 0.5, 0.5]),
      (0x3F, [0.7071, 0.7071, 1, 0, 0.5, 0.5]), (0x60F, [0.7071, 0.7071, 1, 0, 0.5, 0.5]),
      (0xB, [0.7071, 0.7071, 0]), (0x10F, [0.7071, 0.7071, 1, 0, 0.7071]),
    ] as [(UInt32, [Double])])
  func weights(mask: UInt32, expected: [Double]) throws {
    let weights = try #require(Downmix.itu.weights(for: layout(mask)))
    #expect(weights.count == expected.count)
    for (weight, printed) in zip(weights, expected) { #expect(abs(weight - printed) < 0.00005) }
  }

  @Test func otherLayoutsHaveNone() throws {
    for mask: UInt32 in [0x63F, 0xFF, 0x70F, 0x13F, 0x1, 0x8, 0x30, 0x503F] {
      #expect(Downmix.itu.weights(for: try layout(mask)) == nil)
    }
    #expect(Downmix.itu.weights(for: .unspecified(6)) == nil)
    #expect(Downmix.mean.weights(for: .unspecified(6)) == [1, 1, 1, 1, 1, 1])
  }

  @Test func theChannelOrderMatters() throws {
    let order = try #require(ChannelLayout([.lowFrequency, .frontCenter, .frontLeft, .frontRight]))
    let weights = try #require(Downmix.itu.weights(for: order))
    #expect(weights[0] == 0)
    #expect(weights[1] == 1)
  }

  private func merged<Sample: PCMSample>(_ frames: [Sample], _ weights: [Double]) -> [Sample] {
    var frames = frames
    var span = frames.mutableSpan
    ChannelMerger<Sample>(weights: weights).merge(&span)
    return Array(frames[0..<frames.count / weights.count])
  }

  @Test func framesAreWeightedAndDividedByTheSumOfWeights() throws {
    let weights = try #require(Downmix.itu.weights(for: layout(0x3F)))
    let frame: [Int16] = [1000, -2000, 3000, 32767, 400, -500]
    let root = 0.5.squareRoot()
    let expected = (root * -1000 + 3000 + 0.5 * -100) / (2 * root + 2)
    #expect(merged(frame, weights) == [Int16(expected.rounded(.toNearestOrEven))])
  }

  @Test(arguments: [UInt32(0x3), 0x107, 0x3F, 0x60F])
  func nothingClips(mask: UInt32) throws {
    let weights = try #require(Downmix.itu.weights(for: layout(mask)))
    for loudest in [Int16.max, .min] {
      #expect(merged(weights.map { _ in loudest }, weights) == [loudest])
    }
    for loudest in [Int32.max, .min] {
      #expect(merged(weights.map { _ in loudest }, weights) == [loudest])
    }
  }

  /// The mean's bits do not change when given as weights of 1.
  @Test func equalWeightsAreTheMean() {
    var state: UInt32 = 7
    for channels in 1...9 {
      let frame = (0..<channels).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return Int16(truncatingIfNeeded: Int32(bitPattern: state) >> 16)
      }
      let mean = Double(frame.map { Int($0) }.reduce(0, +)) / Double(channels)
      let expected = Int16(mean.rounded(.toNearestOrEven))
      #expect(merged(frame, Array(repeating: 1, count: channels)) == [expected])
      #expect(merged(frame, Array(repeating: 0, count: channels)) == [expected])
    }
  }
}

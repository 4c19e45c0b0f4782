import Testing
import TimeScaling

@Suite("Merging channels")
struct ChannelMergerTests {
  @Test(
    arguments: [
      ([0, 1], 0), ([1, 2], 2), ([2, 3], 2), ([0, -1], 0), ([-1, -2], -2), ([-2, -3], -2),
      ([1, 1, 2], 1), ([1, 2, 2], 2), ([32767, 32767], 32767), ([-32768, -32768], -32768),
      ([-32768, 32767], 0), ([1, 2, 3, 4], 2), ([2, 3, 4, 5], 4), ([-5], -5),
    ] as [([Int16], Int16)])
  func theMeanTiesToEven(frame: [Int16], mean: Int16) {
    #expect(merged(frame, channels: frame.count) == [mean])
  }

  @Test(arguments: [1, 2, 3, 6, 8, 256])
  func everyFrame(channels: Int) {
    let frames = 50
    let input = noise(frames * channels)
    let expected = (0..<frames).map { frame in
      roundedMean(input[frame * channels..<(frame + 1) * channels].map(Int.init))
    }
    #expect(merged(input, channels: channels) == expected)
  }

  private func merged(_ input: [Int16], channels: Int) -> [Int16] {
    var samples = input
    var buffer = samples.mutableSpan
    ChannelMerger<Int16>(channelCount: channels).merge(&buffer)
    return Array(samples.prefix(input.count / channels))
  }

  /// The mean in whole numbers alone, rounded to nearest, ties to even.
  private func roundedMean(_ values: [Int]) -> Int16 {
    let (sum, count) = (values.reduce(0, +), values.count)
    var floor = sum / count
    if floor * count > sum { floor -= 1 }
    let twice = 2 * (sum - floor * count)
    let goesUp = twice > count || twice == count && floor % 2 != 0
    return Int16(goesUp ? floor + 1 : floor)
  }
}

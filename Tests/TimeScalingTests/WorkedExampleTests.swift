import AudioModel
import Testing
import TimeScaling

@Suite("The worked example")
struct WorkedExampleTests {
  static let input: [Int16] = [3, 5, 1, 8, 4, 56, 33, 4, 77, 42, 84, 25, 12, 6, 13, 15]

  @Test func tenFrames() {
    let points = ControlPoints(inputFrames: 16, outputFrames: 10, method: .smoothstep)
    #expect(
      (0..<10).map { points[$0] } == [
        0.0, 1.6666666666666667, 3.3333333333333335, 5.0, 6.666666666666667, 8.333333333333334,
        10.0, 11.666666666666668, 13.333333333333334, 15.0,
      ])
    #expect(scale(Self.input, points) == [3, 2, 7, 56, 14, 65, 84, 16, 8, 15])
  }

  private func scale(_ input: [Int16], _ points: ControlPoints) -> [Int16] {
    var scaler = InterpolatingScaler<Int16>(points: points, channelCount: 1)
    var output = [Int16](repeating: 0, count: points.outputFrames)
    var buffer = output.mutableSpan
    let progress = scaler.process(input.span, into: &buffer)
    #expect(progress == ScalingProgress(consumed: input.count, produced: points.outputFrames))
    return output
  }
}

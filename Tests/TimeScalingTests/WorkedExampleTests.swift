import AudioModel
import Testing
import TimeScaling

@Suite("The worked example")
struct WorkedExampleTests {
  @Test(arguments: 0...20)
  func everyLength(length: Int) {
    let input = WorkedExampleVectors.input
    #expect(scaled(input, to: length, .linear) == WorkedExampleVectors.linear[length])
    #expect(scaled(input, to: length, .smoothstep) == WorkedExampleVectors.smoothstep[length])
  }

  @Test func controlPointsOfTenFrames() {
    let points = ControlPoints(inputFrames: 16, outputFrames: 10, interpolation: .smoothstep)
    #expect(
      (0..<10).map { points[$0] } == [
        0.0, 1.6666666666666667, 3.3333333333333335, 5.0, 6.666666666666667, 8.333333333333334,
        10.0, 11.666666666666668, 13.333333333333334, 15.0,
      ])
  }

  @Test func theLastControlPointIsExact() {
    for method in Interpolation.allCases {
      for length in 2...2000 {
        let points = ControlPoints(inputFrames: 1021, outputFrames: length, interpolation: method)
        #expect(points[0] == 0)
        #expect(points[length - 1] == 1020)
      }
    }
  }
}

import TestSupport
import Testing
import TimeScaling

@Suite("Blocks")
struct BlockTests {
  static let sizes = [1, 2, 3, 7, 64, Int.max]

  @Test(arguments: sizes, sizes)
  func howTheAudioIsCutChangesNothing(block: Int, capacity: Int) {
    for channels in [1, 2, 3] {
      let input = noise(150 * channels)
      for length in [1, 15, 55, 149, 150, 151, 225, 1095] {
        for method in Interpolation.allCases {
          let whole = scaled(input, channels: channels, to: length, method)
          #expect(whole.count == length * channels)
          #expect(
            scaled(
              input, channels: channels, to: length, method, block: block, capacity: capacity)
              == whole)
        }
      }
    }
  }

  @Test(arguments: Interpolation.allCases)
  func resetEqualsFresh(method: Interpolation) {
    let (first, second) = (noise(300, seed: 3), noise(300, seed: 4))
    for length in [90, 450] {
      let points = ControlPoints(inputFrames: 150, outputFrames: length, interpolation: method)
      var scaler = InterpolatingScaler<Int16>(points: points, channelCount: 2)
      for used in [0, 2, 100, 300] {
        var scratch = [Int16](repeating: 0, count: 60)
        var buffer = scratch.mutableSpan
        _ = scaler.process(first.span.extracting(0..<used), into: &buffer)
        scaler.reset()
        #expect(run(&scaler, second, block: 7) == scaled(second, channels: 2, to: length, method))
        scaler.reset()
      }
    }
  }

  @Test func moreInputThanWasAnnouncedIsLeftAlone() {
    let points = ControlPoints(inputFrames: 10, outputFrames: 15, interpolation: .linear)
    var scaler = InterpolatingScaler<Int16>(points: points, channelCount: 1)
    let input = noise(30)
    #expect(run(&scaler, input) == scaled(Array(input.prefix(10)), to: 15, .linear))
  }

  @Test func noRoomMeansNoOutput() {
    let points = ControlPoints(inputFrames: 10, outputFrames: 15, interpolation: .smoothstep)
    var scaler = InterpolatingScaler<Int16>(points: points, channelCount: 1)
    var none: [Int16] = []
    var buffer = none.mutableSpan
    #expect(scaler.process(noise(10).span, into: &buffer).produced == 0)
    #expect(scaler.finish(into: &buffer) == 0)
  }
}

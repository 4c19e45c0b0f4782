import AudioModel
import Testing
import TimeScaling

@Suite("Limits of methods", .tags(.packageTraits))
struct MethodLimitsTests {
  @Test(arguments: [0.05, 1, 1.5, 100])
  func factorsWithinRange(factor: Double) throws {
    try ScalingMethod.stretch().check(factor: factor)
  }

  @Test(arguments: [0.01, 0.0499, 100.01, .nan])
  func factorsOutOfRange(factor: Double) {
    let error = #expect(throws: ScalingError.self) {
      try ScalingMethod.stretch().check(factor: factor)
    }
    guard case .outOfRange(let text, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(text.contains("0.05 to 100"))
  }

  @Test(arguments: [-48.5, 48.01, .infinity, .nan])
  func pitchesOutOfRange(semitones: Double) {
    let settings = StretchSettings(semitones: semitones)
    #expect(throws: ScalingError.self) {
      try ScalingMethod.stretch(settings).check(factor: 1)
    }
    #expect(throws: ScalingError.self) {
      _ = try VocoderScaler(
        inputFrames: 100, outputFrames: 100, channelCount: 1, sampleRate: 44100,
        semitones: semitones)
    }
  }

  @Test func partsOfMapsOutOfRange() throws {
    let map = try #require(
      TimeMap(points: [
        .init(source: 0, output: 0), .init(source: 100, output: 10_100),
        .init(source: 1000, output: 11_000),
      ]))
    #expect(throws: ScalingError.self) {
      try ScalingMethod.stretch().check(factor: 11, map: map)
    }
    #expect(throws: ScalingError.self) {
      _ = try VocoderScaler(
        inputFrames: 1000, outputFrames: 11_000, channelCount: 1, sampleRate: 44100, map: map)
    }
  }

  /// Values that no option can give may still come from other callers.
  @Test func lengthsOutOfRange() {
    for length in [3, 10_200] {
      #expect(throws: ScalingError.self) {
        _ = try VocoderScaler(
          inputFrames: 100, outputFrames: length, channelCount: 1, sampleRate: 44100)
      }
    }
  }

  #if RubberBand
    /// The other engine stops at a factor of 20.
    @Test func limitsOfRubberBand() throws {
      let map = try #require(
        TimeMap(points: [
          .init(source: 0, output: 0), .init(source: 100, output: 2500),
          .init(source: 1000, output: 3000),
        ]))
      #expect(throws: ScalingError.self) {
        _ = try StretchScaler(
          inputFrames: 100, outputFrames: 100, channelCount: 1, sampleRate: 44100,
          settings: StretchSettings(semitones: 48.01))
      }
      #expect(throws: ScalingError.self) {
        _ = try StretchScaler(
          inputFrames: 1000, outputFrames: 3000, channelCount: 1, sampleRate: 44100,
          settings: StretchSettings(), map: map)
      }
      for length in [3, 2200] {
        #expect(throws: ScalingError.self) {
          _ = try StretchScaler(
            inputFrames: 100, outputFrames: length, channelCount: 1, sampleRate: 44100,
            settings: StretchSettings())
        }
      }
    }
  #else
    @Test func withoutRubberBandItsEngineIsRefused() throws {
      #expect(!StretchSettings.Engine.r3.isAvailable)
      let error = #expect(throws: ScalingError.self) {
        try ScalingMethod.stretch(StretchSettings(engine: .r3)).check(factor: 1.5)
      }
      #expect(error == .unavailable(.r3))
      #expect(error.map { "\($0.remedy, default: "")".contains("RubberBand") } == true)
      try ScalingMethod.stretch().check(factor: 1.5)
    }
  #endif

  @Test(arguments: [0.01, 1, 100])
  func otherMethodsTakeEveryFactor(factor: Double) throws {
    for method in [ScalingMethod.smoothstep, .linear, .sinc()] {
      try method.check(factor: factor)
    }
  }
}

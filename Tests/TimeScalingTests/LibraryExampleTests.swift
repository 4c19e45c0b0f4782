import Foundation
import Testing
import TimeScaling

/// The example of docs/library.md, and the parts of the interface that only other packages use.
@Suite("Use as a library")
struct LibraryExampleTests {
  private func tone(_ frames: Int, channels: Int = 1) -> [Double] {
    (0..<frames * channels).map { sin(Double($0 / channels) * 2 * .pi * 440 / 16_000) / 2 }
  }

  /// The cycles of a signal with one tone: how often it rises through 0.
  private func cycles(_ samples: [Double]) -> Int {
    zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
  }

  @Test func exampleKeepsThePitch() throws {
    let output = try stretched(tone(16_000), channels: 1, rate: 16_000, by: 1.5)
    #expect(output.count == 24_000)
    // 440 cycles in each of 1.5 s; a few may be lost at the ends.
    #expect((650...665).contains(cycles(output)), "\(cycles(output))")
  }

  @Test(arguments: [1, 160, 4099])
  func exampleInBlocksEqualsTheWholeSignal(block: Int) throws {
    let input = tone(20_000, channels: 2)
    let methods: [ScalingMethod] = [.smoothstep, .linear, .sinc()]
    for method in methods {
      var scaler = try method.makeScaler(
        inputFrames: 20_000, outputFrames: 30_000, channelCount: 2, sampleRate: 16_000)
      let whole = try scaler.scale(input)
      scaler.reset()
      var start = 0
      var output: [Double] = []
      try scale(
        &scaler,
        from: {
          let end = min(start + 2 * block, input.count)
          defer { start = end }
          return start == end ? nil : Array(input[start..<end])
        },
        to: { for index in $0.indices { output.append($0[index]) } })
      #expect(whole.count == 60_000)
      #expect(output == whole, "\(method)")
    }
  }

  @Test func everyMethodMakesTheScalerOfItsName() throws {
    func scaler(_ method: ScalingMethod, map: TimeMap? = nil) throws -> any TimeScaler<Double> {
      try method.makeScaler(
        inputFrames: 100, outputFrames: 150, channelCount: 1, sampleRate: 8000, map: map)
    }
    let eased = try #require(try scaler(.smoothstep) as? InterpolatingScaler<Double>)
    #expect(eased.points[1] != Double(99) / 149)
    let even = try #require(try scaler(.linear) as? InterpolatingScaler<Double>)
    #expect(even.points[1] == Double(99) / 149)
    #expect(try scaler(.sinc()) is SincScaler<Double>)
    #expect(try scaler(.stretch()) is VocoderScaler)
    let rubberBand = ScalingMethod.stretch(StretchSettings(engine: .r3))
    #if RubberBand
      #expect(try scaler(rubberBand) is StretchScaler)
    #else
      #expect(throws: ScalingError.unavailable(.r3)) { try scaler(rubberBand) }
    #endif
    let map = TimeMap(points: [.init(source: 0, output: 0), .init(source: 100, output: 150)])
    #expect(try scaler(.stretch(), map: map).needsStudy)
    for method in [ScalingMethod.smoothstep, .linear, .sinc()] {
      #expect(
        throws: ScalingError.outOfRange(
          "the method \(method.kind.rawValue) has no time map", remedy: .useMethod("stretch"))
      ) { try scaler(method, map: map) }
    }
  }

  /// One scaler scales signal after signal.
  @Test(arguments: ContractCase.all)
  func scalingAgainEqualsAFreshScaler(method: ContractCase) throws {
    let signals = [floatNoise(9000, seed: 5), floatNoise(9000, seed: 6)]
    var scaler = try method.make(4500, 6000, 2)
    for signal in signals {
      let output = try scaler.scale(signal)
      #expect(output.count == 12_000)
      #expect(try output == method.scaled(signal, channels: 2, to: 6000))
    }
  }

  /// A signal that is shorter than announced is an error where the whole signal must be studied, and is otherwise
  /// followed by silence.
  @Test func shortSignals() throws {
    for method in ContractCase.all {
      var scaler = try method.make(4500, 6000, 1)
      if scaler.needsStudy {
        #expect(throws: ScalingError.self) { try scaler.scale(floatNoise(4000)) }
      } else {
        let made = try scaler.scale(floatNoise(4000)).count
        #expect(made <= 6000, "\(method.name)")
      }
    }
  }
}

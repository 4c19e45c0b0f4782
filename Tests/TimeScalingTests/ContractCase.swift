import Testing
import TimeScaling

/// One way to scale time, as the contract of ``TimeScaler`` is checked on it: in `Double`, in which every
/// method works.
struct ContractCase: CustomTestStringConvertible, Sendable {
  let name: String
  /// Output frames / input frames that it does.
  var factors: ClosedRange<Double> = 0 ... .infinity
  /// Makes a scaler of so many input frames, output frames and channels.
  let make: @Sendable (Int, Int, Int) throws -> any TimeScaler<Double>

  var testDescription: String { name }

  /// Every method there is.
  static let all = resampling + stretching + [vocoder]

  /// The methods that put every output frame at a place on the input.
  static let resampling =
    Interpolation.allCases.map { interpolation in
      ContractCase(name: interpolation.rawValue) { inputs, outputs, channels in
        InterpolatingScaler<Double>(
          points: ControlPoints(
            inputFrames: inputs, outputFrames: outputs, interpolation: interpolation),
          channelCount: channels)
      }
    }
    + ScalingQuality.allCases.map { quality in
      ContractCase(name: "sinc \(quality)") { inputs, outputs, channels in
        try SincScaler<Double>(
          inputFrames: inputs, outputFrames: outputs, channelCount: channels, quality: quality)
      }
    }

  /// The engine of this project, which changes duration without pitch.
  static let vocoder = ContractCase(name: "vocoder", factors: StretchSettings.factorRange) {
    inputs, outputs, channels in
    try VocoderScaler(
      inputFrames: inputs, outputFrames: outputs, channelCount: channels, sampleRate: 8000)
  }

  /// The methods that change duration without pitch.
  #if RubberBand
    static let stretching = [
      ContractCase(name: "stretch r3", factors: StretchSettings.Engine.r3.factorRange) {
        inputs, outputs, channels in
        try StretchScaler(
          inputFrames: inputs, outputFrames: outputs, channelCount: channels, sampleRate: 8000,
          settings: StretchSettings())
      }
    ]
  #else
    static let stretching: [ContractCase] = []
  #endif

  /// Those of some lengths that it makes of so many input frames.
  func possible(_ lengths: [Int], of inputs: Int) -> [Int] {
    lengths.filter { inputs == 0 || factors.contains(Double($0) / Double(inputs)) }
  }
}

extension ContractCase {
  /// The output of a fresh scaler for the whole input.
  func scaled(
    _ input: [Double], channels: Int = 1, to length: Int, block: Int = .max, capacity: Int = .max
  ) throws -> [Double] {
    var scaler = try make(input.count / channels, length, channels)
    return try scale(input, with: &scaler, block: block, capacity: capacity)
  }

  /// The output of this scaler for the whole input.
  func scale(
    _ input: [Double], with scaler: inout any TimeScaler<Double>, block: Int = .max,
    capacity: Int = .max
  ) throws -> [Double] {
    try study(input, with: &scaler, block: block)
    return try run(&scaler, input, block: block, capacity: capacity)
  }

  /// Shows the input to a scaler that wants to see it first.
  func study(
    _ input: [Double], with scaler: inout any TimeScaler<Double>, block: Int = .max
  ) throws {
    guard scaler.needsStudy else { return }
    let step = block < input.count ? block * scaler.channelCount : max(1, input.count)
    for start in stride(from: 0, to: input.count, by: step) {
      try scaler.study(input.span.extracting(start..<min(start + step, input.count)))
    }
  }
}

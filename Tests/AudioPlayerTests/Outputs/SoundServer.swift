import TestSupport

@testable import AudioPlayer

extension SoundServer {
  func open(_ device: String? = nil, latency: Double = SoundOutputs.defaultLatency) throws
    -> PulseOutput
  {
    try PulseOutput(
      device: device, server: address, spec: NumberedSound.spec, latency: latency)
  }
}

extension SoundRecorder {
  /// The numbers of the frames so far.
  func numbers() throws -> [Int] { NumberedSound.numbers(inFloats: try bytes()) }

  /// The numbers of the frames when a last one has arrived, or after some seconds.
  func numbers(upTo last: Int) throws -> [Int] {
    _ = try eventually(within: 5) { try (numbers().last ?? -1) >= last }
    return try numbers()
  }

  /// True when there is silence between the numbered frames.
  func hasGaps() throws -> Bool { NumberedSound.hasGaps(inFloats: try bytes()) }
}

/// The places where a list of numbers does not increase by one: index, last, next.
func breaks(_ numbers: [Int]) -> [String] {
  zip(numbers, numbers.dropFirst()).enumerated().compactMap { index, pair in
    pair.1 == pair.0 + 1 ? nil : "\(pair.0) -> \(pair.1)"
  }
}

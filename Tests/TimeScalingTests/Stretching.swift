#if RubberBand
  import AudioModel
  import Foundation
  import TimeScaling

  /// The output of a stretcher for the whole input, given `block` frames and taking `capacity` at a time.
  ///
  /// Output buffers are filled with a mark beforehand, so that what was not written is seen.
  func stretched(
    _ input: [Double], channels: Int = 1, to length: Int, rate: Int = 44100,
    _ settings: StretchSettings = StretchSettings(), map: TimeMap? = nil, block: Int = .max,
    capacity: Int = 4096
  ) throws -> [Double] {
    var scaler = try StretchScaler(
      inputFrames: input.count / channels, outputFrames: length, channelCount: channels,
      sampleRate: rate, settings: settings, map: map)
    return try stretch(input, with: &scaler, block: block, capacity: capacity)
  }

  func stretch(
    _ input: [Double], with scaler: inout StretchScaler, block: Int = .max, capacity: Int = 4096
  ) throws -> [Double] {
    let channels = scaler.channelCount
    let frames = input.count / channels
    let step = max(1, min(block, frames))
    for start in stride(from: 0, to: frames, by: step) {
      try scaler.study(
        input.span.extracting(start * channels..<min(frames, start + step) * channels))
    }
    var output: [Double] = []
    var (start, idleCalls) = (0, 0)
    while idleCalls < 2 {
      let end = min(frames, start + step)
      var part = [Double](repeating: -101, count: capacity * channels)
      var buffer = part.mutableSpan
      let progress = try scaler.process(
        input.span.extracting(start * channels..<end * channels), into: &buffer)
      start += progress.consumed
      output += part.prefix(progress.produced * channels)
      idleCalls = progress.consumed + progress.produced == 0 ? idleCalls + 1 : 0
    }
    while true {
      var part = [Double](repeating: -101, count: capacity * channels)
      var buffer = part.mutableSpan
      let produced = try scaler.finish(into: &buffer)
      if produced == 0 { return output }
      output += part.prefix(produced * channels)
    }
  }

  /// Noise between -0.5 and 0.5.
  func softNoise(_ count: Int, seed: UInt64 = 1) -> [Double] {
    noise(count, seed: seed).map { Double($0) / 65536 }
  }

  /// Bursts of noise that die away within 50 ms, from the given frames on.
  func bursts(at frames: [Int], count: Int, rate: Int = 44100) -> [Double] {
    var signal = [Double](repeating: 0, count: count)
    let noise = softNoise(rate / 20)
    for frame in frames {
      for i in 0..<min(noise.count, count - frame) {
        signal[frame + i] += noise[i] * exp(-Double(i) / (0.008 * Double(rate)))
      }
    }
    return signal
  }

  func sine(_ hertz: Double, frames: Int, rate: Double = 44100) -> [Double] {
    (0..<frames).map { 0.3 * sin(2 * .pi * hertz * Double($0) / rate) }
  }

  func energy(_ samples: some Sequence<Double>) -> Double {
    samples.reduce(0) { $0 + $1 * $1 }
  }

  /// The arrival of a burst within a range: the frame before which a twentieth of its energy lies.
  func arrival(in range: Range<Int>, of signal: [Double]) -> Int {
    let range = range.clamped(to: 0..<signal.count)
    let bound = energy(signal[range]) / 20
    var sum = 0.0
    for frame in range {
      sum += signal[frame] * signal[frame]
      if sum >= bound { return frame }
    }
    return range.upperBound
  }

  /// The amplitude of a sine of that frequency in a signal, by correlation.
  func amplitude(of hertz: Double, in signal: ArraySlice<Double>, rate: Double = 44100) -> Double {
    var (real, imaginary) = (0.0, 0.0)
    for (frame, sample) in signal.enumerated() {
      let angle = 2 * .pi * hertz * Double(frame) / rate
      let window = 1 - cos(2 * .pi * Double(frame) / Double(signal.count))
      real += sample * cos(angle) * window
      imaginary += sample * sin(angle) * window
    }
    return 2 * hypot(real, imaginary) / Double(signal.count)
  }
#endif

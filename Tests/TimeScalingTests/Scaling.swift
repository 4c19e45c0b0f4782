import AudioModel
import TimeScaling

/// Runs a scaler as its callers do, in blocks of any size.
func scaled<Sample: PCMSample>(
  _ input: [Sample], channels: Int = 1, to length: Int, _ method: Interpolation,
  block: Int = .max, capacity: Int = .max
) -> [Sample] {
  let points = ControlPoints(
    inputFrames: input.count / channels, outputFrames: length, interpolation: method)
  var scaler = InterpolatingScaler<Sample>(points: points, channelCount: channels)
  return run(&scaler, input, block: block, capacity: capacity)
}

/// Gives `input` to the scaler `block` frames at a time and takes `capacity` frames at a time.
///
/// Output buffers are filled with a mark beforehand, so that what was not written is seen.
func run<Sample: PCMSample>(
  _ scaler: inout InterpolatingScaler<Sample>, _ input: [Sample], block: Int = .max,
  capacity: Int = .max
) -> [Sample] {
  let channels = scaler.channelCount
  let frames = input.count / channels
  let room = min(capacity, max(1, scaler.points.outputFrames)) * channels
  let mark = Sample(nearest: -101)
  var output: [Sample] = []
  var start = 0
  var idleCalls = 0
  while idleCalls < 2 {
    let end = block < frames - start ? start + block : frames
    var part = [Sample](repeating: mark, count: room)
    var buffer = part.mutableSpan
    let progress = scaler.process(
      input.span.extracting(start * channels..<end * channels), into: &buffer)
    start += progress.consumed
    output += part.prefix(progress.produced * channels)
    idleCalls = progress.consumed + progress.produced == 0 ? idleCalls + 1 : 0
  }
  while true {
    var part = [Sample](repeating: mark, count: room)
    var buffer = part.mutableSpan
    let produced = scaler.finish(into: &buffer)
    if produced == 0 { return output }
    output += part.prefix(produced * channels)
  }
}

/// Noise over the whole range, the same for the same seed.
func noise(_ count: Int, seed: UInt64 = 1) -> [Int16] {
  noiseBits(count, seed: seed).map { Int16(truncatingIfNeeded: $0 >> 40) }
}

/// Random bits, the same for the same seed.
func noiseBits(_ count: Int, seed: UInt64 = 1) -> [UInt64] {
  var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  return (0..<count).map { _ in
    // Marsaglia, "Xorshift RNGs" (2003).
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}

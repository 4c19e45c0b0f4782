import AudioModel
import TimeScaling

/// Runs a scaler as its callers do, in blocks of any size.
func scaled(
  _ input: [Int16], channels: Int = 1, to length: Int, _ method: ScalingMethod,
  block: Int = .max, capacity: Int = .max
) -> [Int16] {
  let points = ControlPoints(
    inputFrames: input.count / channels, outputFrames: length, method: method)
  var scaler = InterpolatingScaler<Int16>(points: points, channelCount: channels)
  return run(&scaler, input, block: block, capacity: capacity)
}

/// Gives `input` to the scaler `block` frames at a time and takes `capacity` frames at a time.
///
/// Output buffers are filled with a mark beforehand, so that what was not written is seen.
func run(
  _ scaler: inout InterpolatingScaler<Int16>, _ input: [Int16], block: Int = .max,
  capacity: Int = .max
) -> [Int16] {
  let channels = scaler.channelCount
  let frames = input.count / channels
  let room = min(capacity, max(1, scaler.points.outputFrames)) * channels
  var output: [Int16] = []
  var start = 0
  var idleCalls = 0
  while idleCalls < 2 {
    let end = block < frames - start ? start + block : frames
    var part = [Int16](repeating: -12345, count: room)
    var buffer = part.mutableSpan
    let progress = scaler.process(
      input.span.extracting(start * channels..<end * channels), into: &buffer)
    start += progress.consumed
    output += part.prefix(progress.produced * channels)
    idleCalls = progress.consumed + progress.produced == 0 ? idleCalls + 1 : 0
  }
  while true {
    var part = [Int16](repeating: -12345, count: room)
    var buffer = part.mutableSpan
    let produced = scaler.finish(into: &buffer)
    if produced == 0 { return output }
    output += part.prefix(produced * channels)
  }
}

/// Noise over the whole range, the same for the same seed.
func noise(_ count: Int, seed: UInt64 = 1) -> [Int16] {
  var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  return (0..<count).map { _ in
    // Marsaglia, "Xorshift RNGs" (2003).
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int16(truncatingIfNeeded: state >> 40)
  }
}

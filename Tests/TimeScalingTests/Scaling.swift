import AudioModel
import Testing
import TimeScaling

/// The output of interpolation for the whole input.
func scaled<Sample: PCMSample>(
  _ input: [Sample], channels: Int = 1, to length: Int, _ method: Interpolation,
  block: Int = .max, capacity: Int = .max
) -> [Sample] {
  let points = ControlPoints(
    inputFrames: input.count / channels, outputFrames: length, interpolation: method)
  var scaler = InterpolatingScaler<Sample>(points: points, channelCount: channels)
  do {
    return try run(&scaler, input, block: block, capacity: capacity)
  } catch {
    Issue.record(error)
    return []
  }
}

/// Runs a scaler as its callers do, giving `block` frames at a time and taking `capacity`.
///
/// Output buffers are filled with a mark beforehand, so that what is written beyond the frames reported
/// is seen, and so is what is not written though it was reported.
func run<Scaler: TimeScaler>(
  _ scaler: inout Scaler, _ input: [Scaler.Sample], block: Int = .max, capacity: Int = .max
) throws -> [Scaler.Sample] {
  let channels = scaler.channelCount
  let frames = input.count / channels
  var output = MarkedOutput<Scaler.Sample>(
    frames: min(capacity, 8192), channelCount: channels)
  var (start, idleCalls) = (0, 0)
  while idleCalls < 2 {
    let end = block < frames - start ? start + block : frames
    let progress = try output.take { (buffer) throws in
      try scaler.process(
        input.span.extracting(start * channels..<end * channels), into: &buffer)
    }
    start += progress.consumed
    idleCalls = progress.consumed + progress.produced == 0 ? idleCalls + 1 : 0
  }
  while true {
    let progress = try output.take { (buffer) throws in
      ScalingProgress(consumed: 0, produced: try scaler.finish(into: &buffer))
    }
    if progress.produced == 0 { break }
  }
  #expect(!output.wasOverrun)
  return output.samples
}

/// Collects what a scaler writes into a buffer, and sees whether it writes more than it reports.
private struct MarkedOutput<Sample: PCMSample> {
  private(set) var samples: [Sample] = []
  private(set) var wasOverrun = false
  private let channelCount: Int
  private let mark = Sample(nearest: -101)
  private var buffer: [Sample]

  init(frames: Int, channelCount: Int) {
    self.channelCount = channelCount
    buffer = Array(repeating: mark, count: frames * channelCount)
  }

  mutating func take(
    _ write: (inout MutableSpan<Sample>) throws -> ScalingProgress
  ) throws -> ScalingProgress {
    var span = buffer.mutableSpan
    let progress = try write(&span)
    let written = progress.produced * channelCount
    // The frames right after it suffice, and are quick in a debug build.
    let beyond = buffer.dropFirst(written).prefix(32)
    if beyond.contains(where: { $0 != mark }) { wasOverrun = true }
    samples += buffer.prefix(written)
    buffer.replaceSubrange(0..<written, with: repeatElement(mark, count: written))
    return progress
  }
}

/// Noise over the whole range, the same for the same seed.
func noise(_ count: Int, seed: UInt64 = 1) -> [Int16] {
  noiseBits(count, seed: seed).map { Int16(truncatingIfNeeded: $0 >> 40) }
}

/// Noise from -1 to 1, the same for the same seed.
func floatNoise(_ count: Int, seed: UInt64 = 1) -> [Double] {
  noiseBits(count, seed: seed).map { Double(Int64(bitPattern: $0) >> 11) / 0x1p52 }
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

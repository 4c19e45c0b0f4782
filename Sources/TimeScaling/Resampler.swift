internal import CSoxr

/// One of libsoxr's resamplers, for interleaved `Double`.
///
/// What it makes is the same to the bit however its input and output are cut into pieces.
final class Resampler {
  private let handle: soxr_t
  private let channelCount: Int
  private let silence: [Double]

  /// Frames of silence that are given at a time after the end of the input.
  private static var silentFrames: Int { 512 }
  /// Frames moved by one call at most; libsoxr's own buffers grow with it, and count in 32 bits.
  private static var mostFrames: Int { 1 << 15 }
  /// The highest ratio, of whichever side is longer. Factors from 0.01 to 100 come to 298 at most.
  private static var highestRatio: Double { 0x1p16 }

  /// A resampler that makes `outputSpan` frames' time of `inputSpan` frames' time, both at least 1.
  init(
    inputSpan: Int, outputSpan: Int, channelCount: Int, quality: ScalingQuality
  ) throws(ScalingError) {
    let ratio = Double(inputSpan) / Double(outputSpan)
    guard max(ratio, 1 / ratio) <= Self.highestRatio else {
      throw .outOfRange(
        "from \(inputSpan + 1) to \(outputSpan + 1) frames is beyond a ratio of 65536")
    }
    // Without the precise clock, ratios that are no small fraction drift: 92 dB at 10 kHz was measured
    // where the filters reach 190.
    var quality = soxr_quality_spec(quality.recipe, UInt(SOXR_HI_PREC_CLOCK))
    var types = soxr_io_spec(SOXR_FLOAT64_I, SOXR_FLOAT64_I)
    var failure: soxr_error_t?
    let handle = soxr_create(
      Double(inputSpan), Double(outputSpan), UInt32(clamping: channelCount), &failure, &types,
      &quality, nil)
    guard let handle else {
      throw .failed("libsoxr: \(failure.map { String(cString: $0) } ?? "no resampler was made")")
    }
    self.handle = handle
    self.channelCount = channelCount
    silence = Array(repeating: 0, count: Self.silentFrames * channelCount)
  }

  deinit { soxr_delete(handle) }

  /// Makes up to `capacity` frames of what it was given, or else takes frames from `input` first.
  ///
  /// At least one frame is taken or made unless `input` or `capacity` is nothing.
  func process(
    _ input: Span<Double>, into output: inout MutableSpan<Double>, capacity: Int
  ) throws(ScalingError) -> ScalingProgress {
    // What libsoxr takes for so much output is rounded up, so it would pile up what it has made.
    let silence = silence
    let ready = try move(silence.span, frames: 0, into: &output, capacity)
    if ready.produced > 0 || input.isEmpty { return ready }
    return try move(input, frames: input.count / channelCount, into: &output, capacity)
  }

  /// Makes up to `capacity` frames, at least one, of what follows the input: silence.
  func flush(
    into output: inout MutableSpan<Double>, capacity: Int
  ) throws(ScalingError) -> Int {
    let silence = silence
    while true {
      let made = try process(silence.span, into: &output, capacity: capacity).produced
      if made > 0 { return made }
    }
  }

  /// Makes it as good as new; the next call throws where that fails.
  func clear() { _ = soxr_clear(handle) }

  /// Takes up to `frames` frames of `input`, which is not empty: to libsoxr that would be its end.
  private func move(
    _ input: Span<Double>, frames: Int, into output: inout MutableSpan<Double>, _ capacity: Int
  ) throws(ScalingError) -> ScalingProgress {
    var (taken, made) = (0, 0)
    let (frames, capacity) = (min(frames, Self.mostFrames), min(capacity, Self.mostFrames))
    let failure = input.withUnsafeBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        soxr_process(
          handle, source.baseAddress, frames, &taken, target.baseAddress, capacity, &made)
      }
    }
    if let failure { throw .failed("libsoxr: \(String(cString: failure))") }
    return ScalingProgress(consumed: taken, produced: made)
  }
}

extension ScalingQuality {
  /// libsoxr's medium, high and very high quality.
  ///
  /// The medium is that of 16 bits, because what is called `SOXR_MQ` has no precise clock: it was
  /// measured 0.003 frames off after 11 minutes. Its filter is otherwise the same, but flatter.
  fileprivate var recipe: UInt {
    switch self {
    case .fast: UInt(SOXR_16_BITQ)
    case .high: UInt(SOXR_HQ)
    case .best: UInt(SOXR_VHQ)
    }
  }
}

internal import AudioModel
internal import CSoxr

/// A libsoxr resampler for interleaved `Float` or `Double`.
///
/// The output does not depend on the block sizes. Except with ``ScalingQuality/best``, libsoxr computes in single
/// precision, and the samples are the same in both types.
package final class Resampler<Sample: PCMSample & BinaryFloatingPoint> {
  private let handle: soxr_t
  private let channelCount: Int
  private let silence: [Sample]

  /// The number of silent frames per call after the end of the input.
  private static var silentFrames: Int { 512 }
  /// The maximum number of frames per call. libsoxr's buffers grow with it, and count in 32 bits.
  private static var maximumFrames: Int { 1 << 15 }
  /// The maximum ratio of the longer side to the shorter.
  private static var highestRatio: Double { 0x1p16 }

  /// A resampler that makes `ratio` frames for each frame of the input: frame `i` is at `i / ratio` of it.
  package init(ratio: Double, channelCount: Int, quality: ScalingQuality) throws(ScalingError) {
    guard ratio > 0, max(ratio, 1 / ratio) <= Self.highestRatio else {
      throw .outOfRange("a ratio of \(ratio) is not within 1/65536 to 65536")
    }
    // Without the precise clock, ratios that are not a small fraction drift: 92 dB at 10 kHz was measured
    // where the filters reach 190 dB.
    var quality = soxr_quality_spec(quality.recipe, UInt(SOXR_HI_PREC_CLOCK))
    let type = Sample.format == .float32 ? SOXR_FLOAT32_I : SOXR_FLOAT64_I
    var types = soxr_io_spec(type, type)
    var failure: soxr_error_t?
    let handle = soxr_create(
      1, ratio, UInt32(clamping: channelCount), &failure, &types, &quality, nil)
    guard let handle else {
      throw .failed("libsoxr: \(failure.map { String(cString: $0) } ?? "no resampler was created")")
    }
    self.handle = handle
    self.channelCount = channelCount
    silence = Array(repeating: 0, count: Self.silentFrames * channelCount)
  }

  deinit { soxr_delete(handle) }

  /// Writes up to `capacity` frames from earlier input, or if there are none, consumes frames of `input` first.
  ///
  /// At least one frame is consumed or produced unless `input` or `capacity` is empty.
  package func process(
    _ input: Span<Sample>, into output: inout MutableSpan<Sample>, capacity: Int
  ) throws(ScalingError) -> ScalingProgress {
    // libsoxr rounds up the input that it consumes for its output, so finished output would pile up.
    let silence = silence
    let ready = try move(silence.span, frames: 0, into: &output, capacity)
    if ready.produced > 0 || input.isEmpty { return ready }
    return try move(input, frames: input.count / channelCount, into: &output, capacity)
  }

  /// Writes up to `capacity` frames, at least one, from the silence that follows the input.
  package func flush(
    into output: inout MutableSpan<Sample>, capacity: Int
  ) throws(ScalingError) -> Int {
    let silence = silence
    while true {
      let made = try process(silence.span, into: &output, capacity: capacity).produced
      if made > 0 { return made }
    }
  }

  /// Resets the resampler. If that fails, the next call throws.
  package func clear() { _ = soxr_clear(handle) }

  /// Consumes up to `frames` frames of `input`, which is not empty: libsoxr treats empty input as the end.
  private func move(
    _ input: Span<Sample>, frames: Int, into output: inout MutableSpan<Sample>, _ capacity: Int
  ) throws(ScalingError) -> ScalingProgress {
    var (taken, made) = (0, 0)
    let (frames, capacity) = (min(frames, Self.maximumFrames), min(capacity, Self.maximumFrames))
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
  /// Medium is the 16-bit recipe, because `SOXR_MQ` has no precise clock: it was measured 0.003 frames off
  /// after 11 minutes. The filter of the 16-bit recipe is the same, but flatter.
  fileprivate var recipe: UInt {
    switch self {
    case .fast: UInt(SOXR_16_BITQ)
    case .high: UInt(SOXR_HQ)
    case .best: UInt(SOXR_VHQ)
    }
  }
}

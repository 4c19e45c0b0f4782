internal import CSoxr

/// One of libsoxr's resamplers, for interleaved `Double`.
final class Resampler {
  private let handle: soxr_t
  private let channelCount: Int
  private let silence: [Double]

  /// Frames of silence that are given at a time after the end of the input.
  private static var silentFrames: Int { 512 }

  /// A resampler that makes `outputSpan` frames' time of `inputSpan` frames' time, both at least 1.
  init(
    inputSpan: Int, outputSpan: Int, channelCount: Int, quality: ScalingQuality
  ) throws(ScalingError) {
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

  /// Takes frames from `input` and makes up to `capacity` frames.
  func process(
    _ input: Span<Double>, into output: inout MutableSpan<Double>, capacity: Int
  ) throws(ScalingError) -> ScalingProgress {
    var (taken, made) = (0, 0)
    let frames = input.count / channelCount
    let failure = input.withUnsafeBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        soxr_process(
          handle, source.baseAddress, frames, &taken, target.baseAddress, capacity, &made)
      }
    }
    if let failure { throw .failed("libsoxr: \(String(cString: failure))") }
    return ScalingProgress(consumed: taken, produced: made)
  }

  /// Makes up to `capacity` frames of what follows the input: silence.
  func flush(
    into output: inout MutableSpan<Double>, capacity: Int
  ) throws(ScalingError) -> Int {
    let silence = silence
    while true {
      let made = try process(silence.span, into: &output, capacity: capacity).produced
      if made > 0 { return made }
    }
  }

  /// Makes it as good as new.
  func clear() { _ = soxr_clear(handle) }
}

extension ScalingQuality {
  /// libsoxr's medium, high and very high quality.
  fileprivate var recipe: UInt {
    switch self {
    case .fast: UInt(SOXR_MQ)
    case .high: UInt(SOXR_20_BITQ)
    case .best: UInt(SOXR_28_BITQ)
    }
  }
}

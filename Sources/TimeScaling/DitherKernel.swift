internal import AudioModel
internal import CKernels

/// Rounds samples to 16 bits with noise by what the processor at hand has for it; to the same bits as
/// ``Quantizer`` without one.
enum DitherKernel {
  /// How many samples a kernel makes at a time.
  static let step = 8

  private static let level = scaleaudio_kernel_best_level()

  /// Whether this processor has a kernel for a type of sample.
  static func handles<Stored: PCMSample>(_: Stored.Type) -> Bool {
    Stored.self == Int16.self && level != SCALEAUDIO_KERNEL_PORTABLE
  }

  /// Rounds the samples of `input` from `start` on, the first of which has the number `index` in its stream, and
  /// returns how many it has made.
  ///
  /// It stops before ``step`` samples of which one lies at or beyond full scale, or where fewer are left. It
  /// makes none of what it does not handle.
  static func quantize<Stored: PCMSample>(
    _ input: Span<Double>, from start: Int, gain: Double, index: UInt64,
    into output: inout MutableSpan<Stored>
  ) -> Int {
    guard handles(Stored.self) else { return 0 }
    let count = min(input.count, output.count) - start
    return input.withUnsafeBufferPointer { source in
      output.withUnsafeMutableBytes { buffer in
        guard let source = source.baseAddress, let target = buffer.baseAddress else { return 0 }
        return Int(
          scaleaudio_dither_int16(
            level, source + start, target.assumingMemoryBound(to: Int16.self) + start, Int64(count),
            gain, index))
      }
    }
  }
}

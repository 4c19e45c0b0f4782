public import AudioModel
internal import CKernels

/// Noise added before samples are rounded to fewer bits, so that rounding errors become a steady hiss instead
/// of distortion.
///
/// Silence gets no noise: a sample within 2^-20 of zero, in steps of the output, stays digital silence.
public enum Dither: String, CaseIterable, Hashable, Sendable {
  /// ``tpdf`` if floating point is rounded to 16 bits or fewer, otherwise ``none``.
  case auto
  /// No noise. Samples are rounded to nearest, ties to even.
  case none
  /// Noise with a triangular probability density: the sum of two uniform values, within 1 step of the output.
  /// With it, the mean and the variance of the error do not depend on the signal.
  ///
  /// Source: Lipshitz, Wannamaker and Vanderkooy, "Quantization and Dither: A Theoretical Survey"
  /// (Journal of the Audio Engineering Society 40, 1992).
  case tpdf

  /// The dither for floating point that is stored in a format, never ``auto``. Floating point and lossy
  /// codecs (`nil`) get no noise.
  public func resolved(for stored: SampleFormat?) -> Dither {
    guard let stored, !stored.isFloat else { return .none }
    if self == .auto { return stored.bitDepth <= 16 ? .tpdf : .none }
    return self
  }
}

/// Triangular noise that depends only on the index of the sample.
package enum TriangularNoise {
  /// The noise of one sample, greater than -1 and less than 1, in steps of 2^-32.
  ///
  /// The difference of the two halves of the number at `index` in the sequence of SplitMix64 with seed 0.
  ///
  /// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (OOPSLA 2014).
  @inlinable
  package static func value(at index: UInt64) -> Double {
    var bits = (index &+ 1) &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    return Double(Int64(bits >> 32) - Int64(bits & 0xFFFF_FFFF)) * 0x1p-32
  }
}

/// Rounding to 16 bits with noise, with the vector instructions of the processor.
///
/// The result has the same bits as ``Quantizer`` without the kernel.
enum DitherKernel {
  /// The number of samples that a kernel computes together.
  static let step = 8

  private static let level = scaleaudio_kernel_best_level()

  /// True if this processor has a kernel for a sample type.
  static func handles<Stored: PCMSample>(_: Stored.Type) -> Bool {
    Stored.self == Int16.self && level != SCALEAUDIO_KERNEL_PORTABLE
  }

  /// Rounds the samples of `input` from `start`, where the first has the number `index` in its stream, and
  /// returns the number of samples written.
  ///
  /// Stops before a group of ``step`` samples that includes one at or beyond full scale, or is incomplete.
  /// Writes nothing for types that it does not handle.
  @inline(__always)
  static func quantize<Source: PCMSample & BinaryFloatingPoint, Stored: PCMSample>(
    _ input: Span<Source>, from start: Int, gain: Double, index: UInt64,
    into output: inout MutableSpan<Stored>
  ) -> Int {
    guard handles(Stored.self) else { return 0 }
    let count = Int64(min(input.count, output.count) - start)
    return input.withUnsafeBytes { source in
      output.withUnsafeMutableBytes { buffer in
        guard let source = source.baseAddress, let target = buffer.baseAddress else { return 0 }
        let stored = target.assumingMemoryBound(to: Int16.self) + start
        if Source.self == Float.self {
          let singles = source.assumingMemoryBound(to: Float.self) + start
          return Int(scaleaudio_dither_int16_singles(level, singles, stored, count, gain, index))
        }
        let doubles = source.assumingMemoryBound(to: Double.self) + start
        return Int(scaleaudio_dither_int16(level, doubles, stored, count, gain, index))
      }
    }
  }
}

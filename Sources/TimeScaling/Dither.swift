public import AudioModel

/// Noise that is added before samples are rounded to fewer bits, so that the error of rounding becomes
/// an even hiss rather than distortion.
///
/// Silence gets none: a sample within 2^-20 of zero, in steps of the output, stays digital silence.
public enum Dither: String, CaseIterable, Hashable, Sendable {
  /// ``tpdf`` where floating point is rounded to 16 bits or fewer, otherwise ``none``.
  case auto
  /// No noise: samples are rounded to nearest, ties to even.
  case none
  /// The sum of two uniform values, together within 1 step of the output: the triangular probability
  /// density with which the mean and the variance of the error do not depend on the signal.
  ///
  /// Source: Lipshitz, Wannamaker and Vanderkooy, "Quantization and Dither: A Theoretical Survey"
  /// (Journal of the Audio Engineering Society 40, 1992).
  case tpdf

  /// What this means for floating point that is stored so: never ``auto``. Floating point takes no noise,
  /// nor do lossy codecs (`nil`).
  public func resolved(for stored: SampleFormat?) -> Dither {
    guard let stored, !stored.isFloat else { return .none }
    if self == .auto { return stored.bitDepth <= 16 ? .tpdf : .none }
    return self
  }
}

/// Triangular noise that depends on nothing but the number of the sample.
package enum TriangularNoise {
  /// The noise of one sample, more than -1 and less than 1, in steps of 2^-32.
  ///
  /// The difference of the two halves of the number that SplitMix64 with seed 0 gives at `index`.
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

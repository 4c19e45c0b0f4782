/// A sample as it passes from readers through scalers to writers.
///
/// Readers, scalers and writers are generic over it, so that a deeper sample type is one more
/// conformance. Arithmetic is done in `Double`, on the sample's own scale.
public protocol PCMSample: BitwiseCopyable, Equatable, Sendable {
  /// The storage format of this type.
  static var format: SampleFormat { get }
  /// The sample of digital silence.
  static var silence: Self { get }
  /// The sample's value on its own scale (`Int16`: -32768 to 32767).
  var doubleValue: Double { get }
  /// The nearest sample to a value on this type's own scale, ties to even.
  ///
  /// The value must already lie within the type's range.
  init(nearest value: Double)
  /// The nearest sample to a value whose full scale is 1, ties to even, clamped to the range.
  ///
  /// Adds 1 to `clipped` when it had to be clamped. Not a number becomes silence.
  init(normalized value: Float, clipped: inout Int)
  /// The nearest sample to an integer of `bitDepth` significant bits (1 to 32), ties to even,
  /// clamped to the range.
  init(integer value: Int32, bitDepth: Int)
}

extension Int16: PCMSample {
  public static var format: SampleFormat { .int16 }
  public static var silence: Int16 { 0 }

  @inlinable
  public var doubleValue: Double { Double(self) }

  // Adding 1.5 * 2^52 leaves the integer, rounded to nearest and ties to even by the addition
  // itself, in the low bits of the mantissa. `rounded()` would call libm on baseline x86-64.
  @inlinable
  public init(nearest value: Double) {
    self.init(truncatingIfNeeded: Int64(bitPattern: (value + 0x1.8p52).bitPattern))
  }

  @inlinable
  public init(normalized value: Float, clipped: inout Int) {
    let scaled = Double(value) * 32768
    if scaled > -32768.5 && scaled < 32767.5 {
      self.init(nearest: scaled)
    } else if scaled.isNaN {
      self = 0
    } else {
      // -32768.5 itself would round, to even, into the range; so would nothing at the upper end.
      if scaled != -32768.5 { clipped += 1 }
      self = scaled < 0 ? -32768 : 32767
    }
  }

  @inlinable
  public init(integer value: Int32, bitDepth: Int) {
    if bitDepth <= 16 {
      self.init(truncatingIfNeeded: value << Int32(16 - bitDepth))
    } else {
      let scale = Double(UInt32(1) << UInt32(bitDepth - 16))
      self.init(nearest: Swift.min(Double(value) / scale, 32767))
    }
  }
}

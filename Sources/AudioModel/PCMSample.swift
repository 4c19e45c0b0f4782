/// A sample as it passes from readers through scalers to writers.
///
/// Readers, scalers and writers are generic over it, so that a deeper sample type is one more
/// conformance. Arithmetic is done in `Double`, on the sample's own scale.
public protocol PCMSample: BitwiseCopyable, Equatable, Sendable {
  /// The storage format of this type.
  static var format: SampleFormat { get }
  /// The sample of digital silence.
  static var silence: Self { get }
  /// The value on this type's own scale that stands for 1: 32768 for `Int16`, 1 for `Float`.
  static var fullScale: Double { get }
  /// The sample's value on its own scale (`Int16`: -32768 to 32767).
  var doubleValue: Double { get }
  /// The integer nearest to the sample's value on its own scale, ties to even; the value must lie within
  /// 32 bits.
  var nearestInteger: Int32 { get }
  /// The nearest sample to a value on this type's own scale, ties to even.
  ///
  /// The value must already lie within the type's range.
  init(nearest value: Double)
  /// The nearest sample to a value whose full scale is 1, ties to even.
  ///
  /// An integer is clamped to its range; floating point keeps what is beyond full scale. A value at or
  /// beyond full scale that had to be clamped is added to `clipping`, though not for the last half
  /// step below 1, which every integer rounds down. Not a number becomes silence, infinity full scale.
  init(normalized value: Double, clipping: inout Clipping)
  /// The nearest sample to an integer of `bitDepth` significant bits (1 to 32), ties to even,
  /// clamped to the range.
  init(integer value: Int32, bitDepth: Int)
}

extension PCMSample {
  @inlinable
  public var nearestInteger: Int32 { Int32(nearest: doubleValue) }

  /// The nearest sample to a value that a file gives, whose full scale is 1.
  ///
  /// Like ``init(normalized:clipping:)``, but for what is no finite number, or at or beyond 2^1000: that
  /// becomes silence and adds 1 to `nonFinite`.
  @inlinable
  public init(decoded value: Double, clipping: inout Clipping, nonFinite: inout Int) {
    if value.isUsable {
      self.init(normalized: value, clipping: &clipping)
    } else {
      nonFinite += 1
      self = .silence
    }
  }

  /// The sample's value with a full scale of 1.
  @inlinable
  public var normalized: Double { doubleValue / Self.fullScale }
}

extension Array where Element: PCMSample {
  /// So many samples of silence.
  package static func silence(_ count: Int) -> Self {
    // Zeros are silence in every type. `Array(repeating:count:)` copies one sample again and again where it
    // is not specialized, which took a tenth of the time of many short files.
    Self(unsafeUninitializedCapacity: count) { buffer, initializedCount in
      UnsafeMutableRawBufferPointer(buffer).initializeMemory(as: UInt8.self, repeating: 0)
      initializedCount = count
    }
  }
}

extension Double {
  /// Whether sums and differences of a few such values stay finite; those beyond count as infinite.
  @inlinable
  var isUsable: Bool { magnitude < 0x1p1000 }
}

import Glibc

/// A type of sample that readers, scalers and writers can process.
///
/// Another bit depth is one more conformance. Arithmetic is in `Double`, on the scale of the sample type.
public protocol PCMSample: BitwiseCopyable, Equatable, Sendable {
  /// The storage format of this type.
  static var format: SampleFormat { get }
  /// The sample of digital silence.
  static var silence: Self { get }
  /// Full scale, in the units of this type: 32768 for `Int16`, 1 for `Float`.
  static var fullScale: Double { get }
  /// The value in the units of this type (`Int16`: -32768 to 32767).
  var doubleValue: Double { get }
  /// The integer nearest to ``doubleValue``, ties to even. The value must fit in 32 bits.
  var nearestInteger: Int32 { get }
  /// The nearest sample to a value in the units of this type, ties to even.
  ///
  /// The value must be within the range of the type.
  init(nearest value: Double)
  /// The nearest sample to a value whose full scale is 1, ties to even.
  ///
  /// Integers are clamped to their range; floating point keeps values beyond full scale. Clamped values at
  /// or beyond full scale are added to `clipping`; values in the last half step below 1, which integers
  /// round down, are not. NaN becomes silence, infinity becomes full scale.
  init(normalized value: Double, clipping: inout Clipping)
  /// The nearest sample to an integer of `bitDepth` bits (1 to 32), ties to even, clamped to the range.
  init(integer value: Int32, bitDepth: Int)
}

extension PCMSample {
  /// The integer nearest to ``doubleValue``, ties to even.
  @inlinable
  public var nearestInteger: Int32 { Int32(nearest: doubleValue) }

  /// The nearest sample to a value read from a file, whose full scale is 1.
  ///
  /// Like ``init(normalized:clipping:)``, except that NaN, infinity and magnitudes of 2^1000 or more
  /// become silence and add 1 to `nonFinite`.
  @inlinable
  public init(decoded value: Double, clipping: inout Clipping, nonFinite: inout Int) {
    if value.isUsable {
      self.init(normalized: value, clipping: &clipping)
    } else {
      nonFinite += 1
      self = .silence
    }
  }

  /// The value with a full scale of 1.
  @inlinable
  public var normalized: Double { doubleValue / Self.fullScale }
}

extension Array {
  /// An array of at most `capacity` elements that `initialize` makes.
  ///
  /// For no elements, the initializer of the standard library writes the count into the array that all empty ones share,
  /// which is a race where two threads do it.
  fileprivate init(
    uninitialized capacity: Int,
    initialize: (inout UnsafeMutableBufferPointer<Element>, inout Int) -> Void
  ) {
    if capacity == 0 {
      self = []
    } else {
      self.init(unsafeUninitializedCapacity: capacity, initializingWith: initialize)
    }
  }
}

extension Array where Element: PCMSample {
  /// A number of silent samples.
  package static func silence(_ count: Int) -> Self {
    // Zeros are silence in every type. `Array(repeating:count:)` copies sample by sample where it is not
    // specialized, which took a tenth of the time of many short files.
    Self(uninitialized: count) { buffer, initializedCount in
      UnsafeMutableRawBufferPointer(buffer).initializeMemory(as: UInt8.self, repeating: 0)
      initializedCount = count
    }
  }
}

extension Span where Element: PCMSample {
  /// The samples as files store them: little-endian, in the bytes of their bit depth.
  package var storedBytes: [UInt8] {
    [UInt8](uninitialized: count * Element.format.bitDepth / 8) { bytes, byteCount in
      byteCount = store(in: UnsafeMutableRawBufferPointer(bytes))
    }
  }

  /// Stores the samples at the start of `bytes`, which is large enough, as files do; returns how many bytes they take.
  @discardableResult
  @specialized(where Element == Int16)
  @specialized(where Element == Int24)
  @specialized(where Element == Float)
  package func store(in bytes: UnsafeMutableRawBufferPointer) -> Int {
    // All supported processors are little-endian.
    guard Element.self == Int24.self else {
      return withUnsafeBytes { samples in
        bytes.copyMemory(from: samples)
        return samples.count
      }
    }
    // In memory they take 4 bytes each.
    for index in 0..<count {
      let value = self[index].nearestInteger
      bytes[3 * index] = UInt8(truncatingIfNeeded: value)
      bytes[3 * index + 1] = UInt8(truncatingIfNeeded: value >> 8)
      bytes[3 * index + 2] = UInt8(truncatingIfNeeded: value >> 16)
    }
    return 3 * count
  }
}

extension Span where Element == Double {
  /// The nearest samples of single precision.
  package var narrowed: [Float] {
    [Float](uninitialized: count) { floats, floatCount in
      for index in 0..<count { floats[index] = Float(self[index]) }
      floatCount = count
    }
  }
}

extension MutableSpan where Element == Double {
  /// Stores samples of single precision from an index on.
  package mutating func store(_ samples: Span<Float>, at start: Int) {
    for index in 0..<samples.count { self[start + index] = Double(samples[index]) }
  }
}

extension Double {
  /// True if sums and differences of a few such values stay finite; larger values count as infinite.
  @inlinable
  var isUsable: Bool { magnitude < 0x1p1000 }
}

/// The samples that were at or beyond full scale and were clamped.
public struct Clipping: Hashable, Sendable {
  /// The number of clamped samples.
  public private(set) var count = 0
  /// The greatest magnitude among them, where 1 is full scale; 0 if there are none.
  public private(set) var peak = 0.0

  /// A count of 0.
  public init() {}

  /// Counts a sample with this value, whose full scale is 1.
  public mutating func add(_ value: Double) {
    count += 1
    peak = max(peak, min(value.magnitude, .greatestFiniteMagnitude))
  }

  /// Adds another count to this one.
  public mutating func add(_ other: Clipping) {
    count += other.count
    peak = max(peak, other.peak)
  }

  /// The peak above full scale, in dB, at least 0; `nil` if no sample was clamped.
  public var decibels: Double? { count > 0 ? max(0, peak.decibels) : nil }
}

extension Double {
  /// The amplitude ratio of a level difference in dB: 1 for 0 dB, about 2 for 6 dB.
  package init(decibels: Double) {
    self = pow(10, decibels / 20)
  }

  /// This amplitude ratio, greater than 0, in dB.
  package var decibels: Double { 20 * log10(self) }
}

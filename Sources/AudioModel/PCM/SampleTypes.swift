/// A signed integer sample.
public protocol IntegerSample: PCMSample {
  /// A sample from the low bits of a number that is within the range of the type.
  init(lowBits value: Int64)
}

extension IntegerSample {
  /// Zero.
  public static var silence: Self { Self(lowBits: 0) }

  /// 2 to the power of the bit depth minus 1.
  @inlinable
  public static var fullScale: Double { Double(UInt64(1) << UInt64(format.bitDepth - 1)) }

  // Adding 1.5 * 2^52 rounds to nearest, ties to even, and leaves the integer in the low bits of the
  // significand. `rounded()` would call libm on baseline x86-64.
  /// The nearest sample to a value within the range of the type, ties to even.
  @inlinable
  public init(nearest value: Double) {
    self.init(lowBits: Int64(bitPattern: (value + 0x1.8p52).bitPattern << 13) >> 13)
  }

  /// The nearest sample to a value whose full scale is 1; counts clamped values.
  @inlinable
  public init(normalized value: Double, clipping: inout Clipping) {
    let (least, most) = (-Self.fullScale, Self.fullScale - 1)
    let scaled = value * Self.fullScale
    if scaled >= least && scaled < most + 0.5 {
      self.init(nearest: scaled)
    } else if scaled.isNaN {
      self = .silence
    } else {
      if scaled < least || scaled >= Self.fullScale { clipping.add(value) }
      self.init(nearest: scaled < 0 ? least : most)
    }
  }

  /// The nearest sample to an integer of `bitDepth` bits.
  @inlinable
  public init(integer value: Int32, bitDepth: Int) {
    let own = Self.format.bitDepth
    if bitDepth <= own {
      self.init(lowBits: Int64(value) << Int64(own - bitDepth))
    } else {
      let scale = Double(UInt64(1) << UInt64(bitDepth - own))
      self.init(nearest: Swift.min(Double(value) / scale, Self.fullScale - 1))
    }
  }
}

extension Int8: IntegerSample {
  /// The storage format of this type.
  public static var format: SampleFormat { .int8 }
  /// The value in the units of this type.
  @inlinable
  public var doubleValue: Double { Double(self) }
  /// The sample itself.
  @inlinable
  public var nearestInteger: Int32 { Int32(self) }
  /// A sample from the low bits of a number within the range of the type.
  @inlinable
  public init(lowBits value: Int64) { self.init(truncatingIfNeeded: value) }
}

extension Int16: IntegerSample {
  /// The storage format of this type.
  public static var format: SampleFormat { .int16 }
  /// The value in the units of this type.
  @inlinable
  public var doubleValue: Double { Double(self) }
  /// The sample itself.
  @inlinable
  public var nearestInteger: Int32 { Int32(self) }
  /// A sample from the low bits of a number within the range of the type.
  @inlinable
  public init(lowBits value: Int64) { self.init(truncatingIfNeeded: value) }
}

/// A 24-bit integer sample.
public struct Int24: IntegerSample {
  /// The value, -8388608 to 8388607.
  public let value: Int32

  /// The storage format of this type.
  public static var format: SampleFormat { .int24 }
  /// The value in the units of this type.
  @inlinable
  public var doubleValue: Double { Double(value) }
  /// The sample itself.
  @inlinable
  public var nearestInteger: Int32 { value }
  /// A sample from the low bits of a number within the range of the type.
  @inlinable
  public init(lowBits value: Int64) { self.value = Int32(truncatingIfNeeded: (value << 40) >> 40) }
}

extension Int32: IntegerSample {
  /// The storage format of this type.
  public static var format: SampleFormat { .int32 }
  /// The value in the units of this type.
  @inlinable
  public var doubleValue: Double { Double(self) }
  /// The sample itself.
  @inlinable
  public var nearestInteger: Int32 { self }
  /// A sample from the low bits of a number within the range of the type.
  @inlinable
  public init(lowBits value: Int64) { self.init(truncatingIfNeeded: value) }
}

extension Float: PCMSample {
  /// The storage format of this type.
  public static var format: SampleFormat { .float32 }
  /// Zero.
  public static var silence: Float { 0 }
  /// 1.
  @inlinable
  public static var fullScale: Double { 1 }
  /// The value in the units of this type.
  @inlinable
  public var doubleValue: Double { Double(self) }
  /// The nearest sample to a value, ties to even.
  @inlinable
  public init(nearest value: Double) { self = Float(value) }

  /// The nearest sample to a value whose full scale is 1; counts clamped values.
  @inlinable
  public init(normalized value: Double, clipping: inout Clipping) {
    self.init(Double(normalized: value, clipping: &clipping))
    if isInfinite {
      clipping.add(value)
      self = self < 0 ? -1 : 1
    }
  }

  /// The nearest sample to an integer of `bitDepth` bits.
  @inlinable
  public init(integer value: Int32, bitDepth: Int) {
    self.init(Double(integer: value, bitDepth: bitDepth))
  }
}

extension Double: PCMSample {
  /// The storage format of this type.
  public static var format: SampleFormat { .float64 }
  /// Zero.
  public static var silence: Double { 0 }
  /// 1.
  @inlinable
  public static var fullScale: Double { 1 }
  /// The value in the units of this type.
  @inlinable
  public var doubleValue: Double { self }
  /// The nearest sample to a value, ties to even.
  @inlinable
  public init(nearest value: Double) { self = value }

  /// The nearest sample to a value whose full scale is 1; counts clamped values.
  @inlinable
  public init(normalized value: Double, clipping: inout Clipping) {
    if value.isUsable {
      self = value
    } else if value.isNaN {
      self = 0
    } else {
      clipping.add(value)
      self = value < 0 ? -1 : 1
    }
  }

  /// The nearest sample to an integer of `bitDepth` bits.
  @inlinable
  public init(integer value: Int32, bitDepth: Int) {
    self = Double(value) / Double(UInt64(1) << UInt64(bitDepth - 1))
  }
}

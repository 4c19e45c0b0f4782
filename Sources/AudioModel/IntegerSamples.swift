/// A signed integer sample: what the integer types share.
public protocol IntegerSample: PCMSample {
  /// Takes the low bits of a number within the type's range.
  init(lowBits value: Int64)
}

extension IntegerSample {
  public static var silence: Self { Self(lowBits: 0) }

  @inlinable
  public static var fullScale: Double { Double(UInt64(1) << UInt64(format.bitDepth - 1)) }

  // Adding 1.5 * 2^52 leaves the integer, rounded to nearest and ties to even by the addition
  // itself, in the low bits of the mantissa. `rounded()` would call libm on baseline x86-64.
  @inlinable
  public init(nearest value: Double) {
    self.init(lowBits: Int64(bitPattern: (value + 0x1.8p52).bitPattern << 13) >> 13)
  }

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
  public static var format: SampleFormat { .int8 }
  @inlinable
  public var doubleValue: Double { Double(self) }
  @inlinable
  public var nearestInteger: Int32 { Int32(self) }
  @inlinable
  public init(lowBits value: Int64) { self.init(truncatingIfNeeded: value) }
}

extension Int16: IntegerSample {
  public static var format: SampleFormat { .int16 }
  @inlinable
  public var doubleValue: Double { Double(self) }
  @inlinable
  public var nearestInteger: Int32 { Int32(self) }
  @inlinable
  public init(lowBits value: Int64) { self.init(truncatingIfNeeded: value) }
}

/// A sample of 24 bits.
public struct Int24: IntegerSample {
  /// The sample's value, -8388608 to 8388607.
  public let value: Int32

  public static var format: SampleFormat { .int24 }
  @inlinable
  public var doubleValue: Double { Double(value) }
  @inlinable
  public var nearestInteger: Int32 { value }
  @inlinable
  public init(lowBits value: Int64) { self.value = Int32(truncatingIfNeeded: (value << 40) >> 40) }
}

extension Int32: IntegerSample {
  public static var format: SampleFormat { .int32 }
  @inlinable
  public var doubleValue: Double { Double(self) }
  @inlinable
  public var nearestInteger: Int32 { self }
  @inlinable
  public init(lowBits value: Int64) { self.init(truncatingIfNeeded: value) }
}

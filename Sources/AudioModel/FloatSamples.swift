extension Float: PCMSample {
  public static var format: SampleFormat { .float32 }
  public static var silence: Float { 0 }
  @inlinable
  public static var fullScale: Double { 1 }
  @inlinable
  public var doubleValue: Double { Double(self) }
  @inlinable
  public init(nearest value: Double) { self = Float(value) }

  @inlinable
  public init(normalized value: Double, clipping: inout Clipping) {
    self.init(Double(normalized: value, clipping: &clipping))
    if isInfinite {
      clipping.add(value)
      self = self < 0 ? -1 : 1
    }
  }

  @inlinable
  public init(integer value: Int32, bitDepth: Int) {
    self.init(Double(integer: value, bitDepth: bitDepth))
  }
}

extension Double: PCMSample {
  public static var format: SampleFormat { .float64 }
  public static var silence: Double { 0 }
  @inlinable
  public static var fullScale: Double { 1 }
  @inlinable
  public var doubleValue: Double { self }
  @inlinable
  public init(nearest value: Double) { self = value }

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

  @inlinable
  public init(integer value: Int32, bitDepth: Int) {
    self = Double(value) / Double(UInt64(1) << UInt64(bitDepth - 1))
  }
}

/// How a sample is stored in a file or in memory.
public enum SampleFormat: String, CaseIterable, Hashable, Sendable {
  case int8, int16, int24, int32, float32, float64

  /// Bits that a sample takes.
  public var bitDepth: Int {
    switch self {
    case .int8: 8
    case .int16: 16
    case .int24: 24
    case .int32, .float32: 32
    case .float64: 64
    }
  }

  /// Whether samples are floating point, nominally -1 to 1.
  public var isFloat: Bool { self == .float32 || self == .float64 }
}

extension SampleFormat {
  /// Whether every sample of `other` has an exact counterpart in this format.
  public func holds(_ other: SampleFormat) -> Bool {
    if other.isFloat { return isFloat && bitDepth >= other.bitDepth }
    // The significands of floating point have 24 and 53 bits (IEEE 754).
    let exactBits = isFloat ? (self == .float32 ? 24 : 53) : bitDepth
    return exactBits >= other.bitDepth
  }
}

extension SampleFormat: CustomStringConvertible {
  /// `24-bit`, `32-bit float`.
  public var description: String { "\(bitDepth)-bit" + (isFloat ? " float" : "") }
}

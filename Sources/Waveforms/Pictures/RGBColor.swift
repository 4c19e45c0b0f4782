/// A color of the sRGB color space.
public struct RGBColor: Hashable, Sendable {
  /// Red, green and blue, 0 to 255.
  public var red, green, blue: UInt8

  /// A color of these parts, 0 to 255.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// A color as the web writes it, `#0072b2`, with or without `#`; also of three digits. `nil` for other text.
  public init?(_ text: String) {
    let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
    guard digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let number = UInt32(digits, radix: 16)
    else { return nil }
    switch digits.utf8.count {
    case 6: self.init(number)
    case 3:
      let parts = [number >> 8 & 15, number >> 4 & 15, number & 15].map { UInt8($0 * 17) }
      self.init(red: parts[0], green: parts[1], blue: parts[2])
    default: return nil
    }
  }

  /// The color of a number such as 0x0072b2.
  init(_ number: UInt32) {
    red = UInt8(truncatingIfNeeded: number >> 16)
    green = UInt8(truncatingIfNeeded: number >> 8)
    blue = UInt8(truncatingIfNeeded: number)
  }

  /// A color between this one (0) and another (1), part by part.
  func mixed(with other: RGBColor, _ share: Double) -> RGBColor {
    func mix(_ one: UInt8, _ two: UInt8) -> UInt8 {
      UInt8((Double(one) + (Double(two) - Double(one)) * min(1, max(0, share))).rounded())
    }
    return RGBColor(
      red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
  }
}

/// A color in the sRGB color space.
public struct RGBColor: Hashable, Sendable {
  /// Red, green and blue, 0 to 255.
  public var red, green, blue: UInt8

  /// A color of components from 0 to 255.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// A color in CSS notation of three or six digits, `#0072b2`, with or without `#`; `nil` for other text.
  public init?(_ text: String) {
    let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
    guard digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let number = UInt32(digits, radix: 16)
    else { return nil }
    switch digits.utf8.count {
    case 6: self.init(number)
    case 3:
      let parts: [UInt32] = [number >> 8, number >> 4, number]
      let bytes = parts.map { UInt8(truncatingIfNeeded: ($0 & 15) * 17) }
      self.init(red: bytes[0], green: bytes[1], blue: bytes[2])
    default: return nil
    }
  }

  /// The color of a number such as 0x0072b2.
  init(_ number: UInt32) {
    red = UInt8(truncatingIfNeeded: number >> 16)
    green = UInt8(truncatingIfNeeded: number >> 8)
    blue = UInt8(truncatingIfNeeded: number)
  }

  /// A color between this one (0) and another (1), mixed by component.
  func mixed(with other: RGBColor, _ share: Double) -> RGBColor {
    func mix(_ one: UInt8, _ two: UInt8) -> UInt8 {
      let (one, two) = (Double(one), Double(two))
      let mixed = one + (two - one) * min(1, max(0, share))
      return UInt8(mixed.rounded())
    }
    return RGBColor(
      red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
  }
}

/// A map from values, 0 to 1, to colors.
struct ColorMap: Hashable {
  private let colors: [RGBColor]

  /// A map of evenly spaced colors; "inferno" if there are fewer than two.
  init(_ colors: [RGBColor] = []) {
    self.colors = colors.count > 1 ? colors : Self.infernoTable.map { RGBColor($0) }
  }

  /// The color of a value, which is clamped to the range.
  func color(at value: Double) -> RGBColor {
    let place = min(1, max(0, value.isNaN ? 0 : value)) * Double(colors.count - 1)
    let index = min(Int(place), colors.count - 2)
    return colors[index].mixed(with: colors[index + 1], place - Double(index))
  }
}

/// Numbers as text.
enum DecimalText {
  /// A number with at most `maximumDecimals` decimals, without trailing zeros: `44.1`, `48`, `-0.5`.
  static func text(_ value: Double, maximumDecimals: Int) -> String {
    var text = fixed(value, decimals: maximumDecimals)
    guard text.contains(".") else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text == "-0" ? "0" : text
  }

  /// A number with a fixed number of decimals.
  static func fixed(_ value: Double, decimals: Int) -> String {
    let unit = (0..<decimals).reduce(1) { product, _ in product * 10 }
    guard let total = Int(exactly: (value.magnitude * Double(unit)).rounded()) else {
      return "\(value)"
    }
    let sign = value < 0 && total > 0 ? "-" : ""
    let whole = sign + String(total / unit)
    return decimals == 0 ? whole : whole + "." + padded(total % unit, to: decimals)
  }

  /// A number padded with leading zeros to `width` digits.
  static func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

/// Times as text.
enum ClockText {
  /// A length with millisecond precision, without trailing zeros: `0.5 s`, `3 s`, `1:30.25`, `1:02:03`. Below 10 ms
  /// the precision is a microsecond: `0.408 ms`.
  static func length(_ seconds: Double) -> String {
    if seconds > 0 && seconds < 0.01 {
      return DecimalText.text(seconds * 1000, maximumDecimals: 3) + " ms"
    }
    if seconds < 60 { return DecimalText.text(seconds, maximumDecimals: 3) + " s" }
    guard let milliseconds = Int(exactly: (seconds * 1000).rounded()) else { return "very long" }
    var text = clock(milliseconds / 1000, withHours: milliseconds >= 3_600_000)
    let fraction = DecimalText.text(Double(milliseconds % 1000) / 1000, maximumDecimals: 3)
    text += fraction.dropFirst()
    return text
  }

  /// A position with at most microsecond precision: `0:01`, `1:30.25`, `1:02:03.5`.
  static func position(_ seconds: Double) -> String {
    guard let micros = Int(exactly: (seconds * 1e6).rounded()) else { return "\(seconds) s" }
    let fraction = DecimalText.text(Double(micros % 1_000_000) / 1e6, maximumDecimals: 6)
    return clock(micros / 1_000_000, withHours: micros >= 3_600_000_000) + fraction.dropFirst()
  }

  /// A time in whole seconds: `1:30`, `1:02:03`.
  static func clock(_ seconds: Int, withHours: Bool) -> String {
    let rest = DecimalText.padded(seconds % 60, to: 2)
    if !withHours { return "\(seconds / 60):\(rest)" }
    return "\(seconds / 3600):\(DecimalText.padded(seconds / 60 % 60, to: 2)):\(rest)"
  }
}

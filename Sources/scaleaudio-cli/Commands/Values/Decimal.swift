/// Numbers as people type them: digits with at most one point, without sign or exponent.
enum Decimal {
  /// The number that the whole text is; `nil` for anything else, and beyond a double's range.
  static func value(_ text: some StringProtocol) -> Double? {
    let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
    guard isPlain, text.utf8.contains(where: { $0 != 0x2E }), let value = Double(text),
      value.isFinite
    else { return nil }
    return value
  }

  /// The whole number that the whole text is.
  static func wholeValue(_ text: some StringProtocol) -> Int? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
  }
}

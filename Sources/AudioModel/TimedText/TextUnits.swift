/// The code units of a text in which times stand: bytes, or UTF-16 code units.
///
/// Everything that a format gives a meaning is ASCII, so whatever else there is, in whatever
/// encoding, passes through unchanged.
package typealias TextUnits = [UInt16]

extension UInt16 {
  package init(ascii scalar: Unicode.Scalar) { self = UInt16(UInt8(ascii: scalar)) }

  /// Whether it is a digit 0 to 9.
  var isDigit: Bool { (0x30...0x39).contains(self) }
  /// Whether it is a space or a tab.
  var isBlank: Bool { self == 0x20 || self == 0x09 }
  var isLineEnd: Bool { self == 0x0A || self == 0x0D }
  var isLetter: Bool { (0x41...0x5A).contains(self & ~0x20) }
}

extension Collection where Element == UInt16 {
  /// Whether it begins with this ASCII text; case matters.
  package func begins(with text: StaticString) -> Bool {
    text.withUTF8Buffer { starts(with: $0.lazy.map(UInt16.init)) }
  }
}

extension TextUnits {
  /// The lines, each with its line break: CR LF, LF or CR.
  package var lines: [ArraySlice<UInt16>] {
    var lines: [ArraySlice<UInt16>] = []
    var start = startIndex
    var index = startIndex
    while index < endIndex {
      let unit = self[index]
      index += 1
      guard unit.isLineEnd else { continue }
      if unit == 0x0D, index < endIndex, self[index] == 0x0A { index += 1 }
      lines.append(self[start..<index])
      start = index
    }
    if start < endIndex { lines.append(self[start...]) }
    return lines
  }

  /// Appends the digits of a number, with zeros in front up to `width`.
  package mutating func append(number: Int, width: Int) {
    let digits = String(number)
    append(
      contentsOf: repeatElement(UInt16(ascii: "0"), count: Swift.max(0, width - digits.utf8.count)))
    append(contentsOf: digits.utf16)
  }
}

extension ArraySlice<UInt16> {
  /// The line without its break.
  var withoutLineEnd: ArraySlice<UInt16> {
    var line = self
    while line.last?.isLineEnd == true { line.removeLast() }
    return line
  }

  /// The line without blanks around it and without its break.
  var trimmed: ArraySlice<UInt16> {
    var line = withoutLineEnd
    while line.last?.isBlank == true { line.removeLast() }
    return line.drop { $0.isBlank }
  }

  /// Takes digits off the front; `nil` when there are none, or more than fit.
  mutating func takeNumber(most: Int = 9) -> (value: Int, width: Int)? {
    let digits = prefix { $0.isDigit }
    guard (1...most).contains(digits.count) else { return nil }
    removeFirst(digits.count)
    return (digits.reduce(0) { $0 * 10 + Int($1 & 0x0F) }, digits.count)
  }

  /// Takes this ASCII character off the front, if it is there.
  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard first == UInt16(ascii: scalar) else { return false }
    removeFirst()
    return true
  }
}

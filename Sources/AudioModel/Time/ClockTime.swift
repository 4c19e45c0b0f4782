/// The code units of a text that contains times: bytes, or UTF-16 code units.
///
/// All syntax is ASCII, so other text passes through unchanged in any encoding.
package typealias TextUnits = [UInt16]

extension UInt16 {
  /// The code unit of an ASCII character.
  package init(ascii scalar: Unicode.Scalar) { self = UInt16(UInt8(ascii: scalar)) }

  /// True for the digits 0 to 9.
  var isDigit: Bool { (0x30...0x39).contains(self) }
  /// True for a space or a tab.
  var isBlank: Bool { self == 0x20 || self == 0x09 }
  var isLineEnd: Bool { self == 0x0A || self == 0x0D }
  var isLetter: Bool { (0x41...0x5A).contains(self & ~0x20) }
}

extension Collection where Element == UInt16 {
  /// True if it begins with this ASCII text; case counts.
  package func begins(with text: StaticString) -> Bool {
    text.withUTF8Buffer { starts(with: $0.lazy.map(UInt16.init)) }
  }
}

extension TextUnits {
  /// The lines, each with its line break (CR LF, LF or CR).
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

  /// Appends the digits of a number, padded with leading zeros to `width`.
  package mutating func append(number: Int, width: Int) {
    let digits = String(number)
    append(
      contentsOf: repeatElement(UInt16(ascii: "0"), count: Swift.max(0, width - digits.utf8.count)))
    append(contentsOf: digits.utf16)
  }
}

extension ArraySlice<UInt16> {
  /// The line without its line break.
  var withoutLineEnd: ArraySlice<UInt16> {
    var line = self
    while line.last?.isLineEnd == true { line.removeLast() }
    return line
  }

  /// The line without surrounding blanks and without its line break.
  var trimmed: ArraySlice<UInt16> {
    var line = withoutLineEnd
    while line.last?.isBlank == true { line.removeLast() }
    return line.drop { $0.isBlank }
  }

  /// Removes a number from the front; `nil` if there are no digits, or more than `most`.
  mutating func takeNumber(most: Int = 9) -> (value: Int, width: Int)? {
    let digits = prefix { $0.isDigit }
    guard (1...most).contains(digits.count) else { return nil }
    removeFirst(digits.count)
    return (digits.reduce(0) { $0 * 10 + Int($1 & 0x0F) }, digits.count)
  }

  /// Removes this ASCII character from the front, if it is there.
  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard first == UInt16(ascii: scalar) else { return false }
    removeFirst()
    return true
  }
}

/// A time as text writes it: `1:02:03.450`, `02:03.45`, `02:03,450`.
struct ClockTime {
  /// The time, in units of 1 / `resolution` s.
  var units: Int
  /// The number of digits of the hours; 0 if there are none.
  var hourWidth: Int
  /// The number of digits of the minutes.
  var minuteWidth: Int
  /// The character before the fraction.
  var separator: UInt16
  /// The number of digits of the fraction, 0 to 9.
  var fractionWidth: Int

  /// The number of units in a second.
  var resolution: Int { (0..<fractionWidth).reduce(1) { product, _ in product * 10 } }

  /// The time, in microseconds; `Int.max` for times beyond its range.
  var microseconds: Int {
    let (product, overflows) = units.multipliedReportingOverflow(by: 1_000_000)
    return overflows ? .max : product / resolution
  }

  /// Removes a time from the front of a text: minutes and seconds, with optional hours and fraction. If
  /// there is none, returns `nil` and removes nothing.
  static func take(
    from text: inout ArraySlice<UInt16>, separators: [Unicode.Scalar]
  ) -> ClockTime? {
    var rest = text
    guard let first = rest.takeNumber(most: 6), rest.take(":"),
      let second = rest.takeNumber(most: 2)
    else { return nil }
    var time = ClockTime(
      units: 0, hourWidth: 0, minuteWidth: first.width, separator: UInt16(ascii: "."),
      fractionWidth: 0)
    var seconds = first.value * 60 + second.value
    var afterColon = rest
    if second.value > 59 { return nil }
    if afterColon.take(":"), let third = afterColon.takeNumber(most: 2), third.value < 60,
      third.width == 2,
      !separators.contains(":")
        || separators.contains(where: { afterColon.first == UInt16(ascii: $0) })
    {
      (time.hourWidth, time.minuteWidth) = (first.width, second.width)
      seconds = seconds * 60 + third.value
      rest = afterColon
    }
    if let separator = rest.first, separators.contains(where: { UInt16(ascii: $0) == separator }) {
      var behind = rest.dropFirst()
      if let fraction = behind.takeNumber(most: 6) {
        (time.separator, time.fractionWidth) = (separator, fraction.width)
        time.units = fraction.value
        rest = behind
      }
    }
    time.units += seconds * time.resolution
    text = rest
    return time
  }

  /// The time in audio of another length.
  func scaled(_ scale: TimeScale) -> ClockTime {
    var result = self
    result.units = scale.time(units, resolution: resolution)
    return result
  }

  /// Appends the time in its original form. `withHours` adds hours where the time needs them.
  func append(to text: inout TextUnits, withHours: Bool) {
    let seconds = units / resolution
    if hourWidth > 0 || withHours && seconds >= 3600 {
      text.append(number: seconds / 3600, width: max(2, hourWidth))
      text.append(UInt16(ascii: ":"))
      text.append(number: seconds / 60 % 60, width: 2)
    } else {
      text.append(number: seconds / 60, width: minuteWidth)
    }
    text.append(UInt16(ascii: ":"))
    text.append(number: seconds % 60, width: 2)
    guard fractionWidth > 0 else { return }
    text.append(separator)
    text.append(number: units % resolution, width: fractionWidth)
  }
}

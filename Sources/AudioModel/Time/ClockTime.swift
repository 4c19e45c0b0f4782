/// The code units of a text that contains times: bytes, or UTF-16 code units.
///
/// All syntax is ASCII, so other text passes through unchanged in any encoding.
package typealias TextUnits = [UInt16]

extension UInt16 {
  /// The code unit of an ASCII character.
  package init(ascii scalar: Unicode.Scalar) { self = UInt16(UInt8(ascii: scalar)) }

  /// True for the digits 0 to 9.
  var isDigit: Bool { (0x30...0x39).contains(self) }
  /// True for a space, a tab or the byte order mark of UTF-16.
  package var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0xFEFF }
  var isLineEnd: Bool { self == 0x0A || self == 0x0D }
  var isLetter: Bool { (0x41...0x5A).contains(self & ~0x20) }
}

extension Collection where Element == UInt16 {
  /// True if it begins with this ASCII text; case counts.
  package func begins(with text: StaticString) -> Bool {
    text.withUTF8Buffer { starts(with: $0.lazy.map(UInt16.init)) }
  }
}

/// A text for audio of another length.
package struct ScaledText: Hashable, Sendable {
  /// The text.
  package var units: TextUnits = []
  /// The numbers, from 1, of the lines whose times cannot be read; these lines are unchanged.
  package var unreadLines: [Int] = []

  /// A text without lines.
  package init() {}
}

extension Int {
  /// Digits in groups of three: `12,345`.
  package var grouped: String {
    var text = ""
    for (place, digit) in String(magnitude).reversed().enumerated() {
      if place > 0 && place % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return (self < 0 ? "-" : "") + String(text.reversed())
  }
}

extension [Int] {
  /// The numbers of lines, as a phrase: `line 3`, `lines 3, 7 and 12`.
  package var lineNames: String {
    let most = 10
    guard count > 1, let last else { return "line \(first.map(String.init) ?? "")" }
    if count > most {
      return
        "lines \(prefix(most).map(String.init).joined(separator: ", ")) and \(count - most) more"
    }
    return "lines \(dropLast().map(String.init).joined(separator: ", ")) and \(last)"
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

  /// Removes the first of these characters that is at the front, in UTF-16 or in UTF-8; returns its code units.
  mutating func take(anyOf scalars: [Unicode.Scalar]) -> TextUnits? {
    guard let first else { return nil }
    for scalar in scalars {
      if scalar.value == UInt32(first) {
        removeFirst()
        return [first]
      }
      guard !scalar.isASCII, let bytes = UTF8.encode(scalar) else { continue }
      let units = bytes.map { UInt16($0) }
      if starts(with: units) {
        removeFirst(units.count)
        return units
      }
    }
    return nil
  }

  /// The rest of the line from the first character that is not blank: neither a blank of ASCII nor a space without a
  /// break, without a width, or of full width.
  var withoutBlanks: ArraySlice<UInt16> {
    var rest = drop { $0.isBlank }
    let others: [Unicode.Scalar] = ["\u{A0}", "\u{200B}", "\u{3000}", "\u{FEFF}"]
    while let first = rest.first, first > 0x7F, rest.take(anyOf: others) != nil {
      rest = rest.drop { $0.isBlank }
    }
    return rest
  }

  /// Removes a number from the front; `nil` if there are no digits, or more than `most`.
  mutating func takeNumber(most: Int = 9) -> (value: Int, width: Int)? {
    let digits = prefix { $0.isDigit }
    guard (1...most).contains(digits.count) else { return nil }
    removeFirst(digits.count)
    return (digits.reduce(0) { $0 * 10 + Int($1 & 0x0F) }, digits.count)
  }

  /// Removes a name from the front, in any case; `name` is in capitals.
  mutating func take(name: StaticString) -> Bool {
    let length = name.utf8CodeUnitCount
    let upper = prefix(length).map { $0.isLetter ? $0 & ~0x20 : $0 }
    guard upper.count == length, upper.begins(with: name) else { return false }
    removeFirst(length)
    return true
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
  /// The meaning of a time's last number.
  enum Form {
    /// Decimals behind a point or a comma: `1:02:03.45`.
    case decimal
    /// Decimals behind any separator, of minutes and seconds: `02:03.45`, `02:03:45`.
    case lyrics
    /// A whole number of milliseconds, as FFmpeg and VLC read subtitles, however many digits it has.
    case subtitle
  }

  /// The time, in units of 1 / `resolution` s; below 0 for a time before the audio.
  var units: Int
  /// The number of digits of the hours; 0 if there are none.
  var hourWidth: Int
  /// The number of digits of the minutes.
  var minuteWidth: Int
  /// The character between minutes and seconds.
  var colon: TextUnits = [UInt16(ascii: ":")]
  /// The character before the fraction.
  var separator: TextUnits
  /// The number of digits of the fraction, 0 to 9.
  var fractionWidth: Int

  /// True if the time has hours or a fraction.
  var isLong: Bool { hourWidth > 0 || fractionWidth > 0 }

  /// The number of units in a second.
  var resolution: Int { Self.power(of: fractionWidth) }

  /// The time, in microseconds; the greatest or least number for times beyond its range.
  var microseconds: Int {
    let (whole, overflows) = (units / resolution).multipliedReportingOverflow(by: 1_000_000)
    if overflows { return units < 0 ? .min : .max }
    // The rest is below a billion.
    let (sum, exceeds) = whole.addingReportingOverflow(
      units % resolution * 1_000_000 / resolution)
    return exceeds ? (units < 0 ? .min : .max) : sum
  }

  private static func power(of width: Int) -> Int {
    (0..<width).reduce(1) { product, _ in product * 10 }
  }

  /// Colons: ASCII's, the full-width one of East Asian keyboards, and the semicolon beside it.
  private static let colons: [Unicode.Scalar] = [":", "\u{FF1A}", ";"]
  private static let points: [Unicode.Scalar] = [".", ",", "\u{FF0C}", "\u{FF0E}"]

  /// A number and the characters before it.
  private struct Part {
    var value: Int
    var width: Int
    var mark: TextUnits
    var isAfterPoint: Bool
  }

  /// Removes a time from the front of a text: minutes and seconds, with optional hours and fraction. If
  /// there is none, returns `nil` and removes nothing.
  ///
  /// Programs for players read more than is written correctly, and so does this: minutes and seconds of 60 and more,
  /// any number of digits, a minus sign, blanks after separators.
  static func take(from text: inout ArraySlice<UInt16>, _ form: Form) -> ClockTime? {
    var rest = text
    let isNegative = rest.take("-")
    guard let first = takePart(&rest, mark: [], isAfterPoint: false) else { return nil }
    var parts = [first]
    while parts.count < 4, let part = takePart(&rest) { parts.append(part) }
    // Only the last number may have many digits.
    guard parts.count > 1, parts.dropLast().allSatisfy({ $0.width <= mostDigits }) else {
      return nil
    }
    let hasFraction =
      switch parts.count {
      case 2: false
      case 3: form == .lyrics || parts[2].isAfterPoint
      default: true
      }
    if parts.count == 2, parts[1].isAfterPoint { return nil }
    let whole = hasFraction ? parts.dropLast() : parts[...]
    guard whole.allSatisfy({ $0.width <= mostDigits }) else { return nil }
    let minutes = whole.count - 2
    var time = ClockTime(
      units: whole.reduce(0) { $0 * 60 + $1.value }, hourWidth: minutes > 0 ? whole[0].width : 0,
      minuteWidth: whole[minutes].width, colon: whole[minutes + 1].mark,
      separator: [UInt16(ascii: ".")], fractionWidth: 0)
    if hasFraction, let fraction = parts.last {
      time.separator = fraction.mark
      time.fractionWidth = form == .subtitle ? 3 : fraction.width
      time.units = time.units * time.resolution + fraction.value
    }
    if isNegative { time.units = -time.units }
    text = rest
    return time
  }

  /// The maximum number of digits of hours, minutes and seconds.
  private static let mostDigits = 6

  /// Removes a separator and the number behind it.
  private static func takePart(_ text: inout ArraySlice<UInt16>) -> Part? {
    var rest = text.withoutBlanks
    let colon = rest.take(anyOf: colons)
    guard let mark = colon ?? rest.take(anyOf: points) else { return nil }
    rest = rest.withoutBlanks
    let isNegative = rest.take("-")
    guard var part = takePart(&rest, mark: mark, isAfterPoint: colon == nil) else { return nil }
    if isNegative { part.value = -part.value }
    text = rest
    return part
  }

  private static func takePart(
    _ text: inout ArraySlice<UInt16>, mark: TextUnits, isAfterPoint: Bool
  ) -> Part? {
    let digits = text.prefix { $0.isDigit }
    if digits.isEmpty { return nil }
    text.removeFirst(digits.count)
    let used = digits.prefix(9)
    return Part(
      value: used.reduce(0) { $0 * 10 + Int($1 & 0x0F) }, width: used.count, mark: mark,
      isAfterPoint: isAfterPoint)
  }

  /// The time in audio of another length.
  func scaled(_ scale: TimeScale) -> ClockTime {
    var result = self
    result.units = scale.time(units, resolution: resolution)
    return result
  }

  /// Appends the time in its original form. `withHours` adds hours where the time needs them; `padsHours` gives them two
  /// digits at least.
  func append(to text: inout TextUnits, withHours: Bool, padsHours: Bool = true) {
    if units < 0 { text.append(UInt16(ascii: "-")) }
    let units = abs(units)
    let seconds = units / resolution
    if hourWidth > 0 || withHours && seconds >= 3600 {
      text.append(number: seconds / 3600, width: max(padsHours ? 2 : 1, hourWidth))
      text += colon
      text.append(number: seconds / 60 % 60, width: 2)
    } else {
      text.append(number: seconds / 60, width: minuteWidth)
    }
    text += colon
    text.append(number: seconds % 60, width: 2)
    guard fractionWidth > 0 else { return }
    text += separator
    text.append(number: units % resolution, width: fractionWidth)
  }
}

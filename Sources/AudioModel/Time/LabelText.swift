/// An Audacity label track: lines of start, end and label, separated by tabs, with times in seconds. A line
/// that begins with a backslash has the frequencies of the label before it.
///
/// Source: Audacity manual, "Importing and Exporting Labels". Audacity's reader also takes lines without an end, and
/// skips lines that it cannot read.
package enum LabelText {
  /// Audacity writes microseconds.
  private static let decimals = 6

  /// The labels for audio of another length; `nil` if the text has no labels, or more lines of another kind.
  package static func scaled(_ text: TextUnits, _ scale: TimeScale) -> ScaledText? {
    var result = ScaledText()
    var (labelCount, rangeCount, spacedCount) = (0, 0, 0)
    // True if the previous label is in the part that the scale covers.
    var isKept = true
    for (number, line) in text.lines.enumerated() {
      if line.trimmed.isEmpty || labelCount > 0 && line.withoutBlanks.begins(with: "\\\t") {
        if isKept { result.units += line }
      } else if let label = Label(line) {
        labelCount += 1
        if label.end != nil { rangeCount += 1 }
        isKept = label.isKept(scale)
        if isKept { label.append(scale, to: &result.units) }
      } else {
        isKept = true
        result.units += line
        result.unreadLines.append(number + 1)
        if spacedStart(line) != nil { spacedCount += 1 }
      }
    }
    let others = result.unreadLines.count - spacedCount
    return rangeCount > 0 && labelCount + spacedCount >= others ? result : nil
  }

  /// The numbers, from 1, of lines that are labels except that blanks separate their times, which Audacity does not read;
  /// none unless they are half of the lines, in the order of time.
  package static func spacedLines(of text: TextUnits) -> [Int] {
    let lines = text.lines.enumerated().filter { !$0.element.trimmed.isEmpty }
    let spaced = lines.compactMap { line in
      spacedStart(line.element).map { (number: line.offset + 1, start: $0) }
    }
    let isOrdered = zip(spaced, spaced.dropFirst()).allSatisfy { $0.start <= $1.start }
    return isOrdered && spaced.count * 2 >= lines.count ? spaced.map(\.number) : []
  }

  /// The first of two times in order, with decimals and blanks between them, with which a line begins; `nil` for others.
  private static func spacedStart(_ line: ArraySlice<UInt16>) -> Int? {
    var rest = line.withoutBlanks
    guard let start = Seconds.take(from: &rest), start.hasDecimals, rest.first?.isBlank ?? false
    else { return nil }
    rest = rest.withoutBlanks
    guard let end = Seconds.take(from: &rest), end.hasDecimals,
      end.microseconds >= start.microseconds,
      rest.first.map({ $0.isBlank || $0.isLineEnd }) ?? true
    else { return nil }
    return start.microseconds
  }

  /// A line with a label.
  private struct Label {
    let start: Seconds
    /// `nil` if the line has only a start.
    let end: Seconds?
    let before, after: ArraySlice<UInt16>

    init?(_ line: ArraySlice<UInt16>) {
      var rest = line.withoutBlanks
      before = line[line.startIndex..<rest.startIndex]
      guard let start = Seconds.take(from: &rest), rest.first == 0x09 else { return nil }
      self.start = start
      var behind = rest.dropFirst().drop { $0 == 0x20 }
      let end = Seconds.take(from: &behind)
      let isAlone = behind.first.map { $0 == 0x09 || $0.isLineEnd } ?? true
      self.end = isAlone ? end : nil
      after = self.end == nil ? rest : behind
      if self.end == nil, after.trimmed.isEmpty { return nil }
    }

    func isKept(_ scale: TimeScale) -> Bool {
      scale.keeps(
        from: start.microseconds, to: (end ?? start).microseconds, resolution: 1_000_000)
    }

    func append(_ scale: TimeScale, to result: inout TextUnits) {
      result += before
      start.append(scale, to: &result)
      if let end {
        result.append(0x09)
        end.append(scale, to: &result)
      }
      result += after
    }
  }

  /// A time in seconds, and its decimal separator.
  private struct Seconds {
    var microseconds: Int
    var separator = UInt16(ascii: ".")
    var hasDecimals = false

    func append(_ scale: TimeScale, to result: inout TextUnits) {
      var units = scale.time(microseconds, resolution: 1_000_000)
      if units < 0 {
        result.append(UInt16(ascii: "-"))
        units = -units
      }
      result.append(number: units / 1_000_000, width: 1)
      result.append(separator)
      result.append(number: units % 1_000_000, width: LabelText.decimals)
    }

    /// Removes seconds from the front. Older versions wrote the decimal comma of the user's language.
    static func take(from text: inout ArraySlice<UInt16>) -> Seconds? {
      var rest = text
      let isNegative = rest.take("-")
      if !isNegative { _ = rest.take("+") }
      let whole = rest.takeNumber()
      var seconds = Seconds(microseconds: (whole?.value ?? 0) * 1_000_000)
      let point = rest.first
      if rest.take(".") || rest.take(",") {
        seconds.separator = point ?? seconds.separator
        seconds.hasDecimals = true
        let fraction = rest.takeNumber(most: 18)
        guard whole != nil || fraction != nil else { return nil }
        if let fraction {
          let power = (0..<fraction.width).reduce(1.0) { product, _ in product * 10 }
          seconds.microseconds += Int((Double(fraction.value) / power * 1_000_000).rounded())
        }
      } else if whole == nil {
        return nil
      }
      if takeExponent(from: &rest) {
        let number = text[text.startIndex..<rest.startIndex].map {
          $0 == UInt16(ascii: ",") ? UInt16(ascii: ".") : $0
        }
        guard let value = Double(String(decoding: number, as: UTF16.self)), abs(value) < 1e9 else {
          return nil
        }
        seconds.microseconds = Int((abs(value) * 1_000_000).rounded())
        seconds.hasDecimals = true
      }
      if isNegative { seconds.microseconds = -seconds.microseconds }
      // A further digit or separator belongs to another kind of number.
      if let next = rest.first, next.isDigit || ".,:".utf16.contains(next) { return nil }
      text = rest
      return seconds
    }

    /// Removes an exponent from the front, as programs write it for small numbers: `e-05`.
    private static func takeExponent(from text: inout ArraySlice<UInt16>) -> Bool {
      var rest = text
      guard rest.take("e") || rest.take("E") else { return false }
      if !rest.take("-") { _ = rest.take("+") }
      guard rest.takeNumber(most: 3) != nil else { return false }
      text = rest
      return true
    }
  }
}

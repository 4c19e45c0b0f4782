/// An Audacity label track: lines of start, end and label, separated by tabs, with times in seconds. A line
/// that begins with a backslash has the frequencies of the label before it.
///
/// Source: Audacity manual, "Importing and Exporting Labels".
package enum LabelText {
  /// Audacity writes microseconds.
  private static let decimals = 6

  /// The labels for audio of another length; `nil` if any line is not a label.
  package static func scaled(_ text: TextUnits, _ scale: TimeScale) -> TextUnits? {
    var result: TextUnits = []
    var hasLabels = false
    // True if the previous label is in the part that the scale covers.
    var isKept = true
    for line in text.lines {
      if line.trimmed.isEmpty || hasLabels && line.begins(with: "\\\t") {
        if isKept { result += line }
      } else if let changed = scaled(line: line, scale) {
        isKept = changed.isKept
        if isKept { result += changed.text }
        hasLabels = true
      } else {
        return nil
      }
    }
    return hasLabels ? result : nil
  }

  private static func scaled(
    line: ArraySlice<UInt16>, _ scale: TimeScale
  ) -> (text: TextUnits, isKept: Bool)? {
    var rest = line
    var result: TextUnits = []
    guard let start = takeSeconds(&rest), rest.take("\t"), let end = takeSeconds(&rest) else {
      return nil
    }
    guard rest.first.map({ $0 == 0x09 || $0.isLineEnd }) ?? true else { return nil }
    start.append(scale, to: &result)
    result.append(0x09)
    end.append(scale, to: &result)
    let isKept = scale.keeps(
      from: start.microseconds, to: end.microseconds, resolution: 1_000_000)
    return (result + rest, isKept)
  }

  /// A time in seconds, and its decimal separator.
  private struct Seconds {
    var microseconds: Int
    var separator: UInt16

    func append(_ scale: TimeScale, to result: inout TextUnits) {
      let units = scale.time(microseconds, resolution: 1_000_000)
      result.append(number: units / 1_000_000, width: 1)
      result.append(separator)
      result.append(number: units % 1_000_000, width: LabelText.decimals)
    }
  }

  /// Removes seconds from the front. Older versions wrote the decimal comma of the user's language.
  private static func takeSeconds(_ text: inout ArraySlice<UInt16>) -> Seconds? {
    guard let whole = text.takeNumber() else { return nil }
    var seconds = Seconds(
      microseconds: whole.value * 1_000_000, separator: UInt16(ascii: "."))
    for separator in [".", ","] as [Unicode.Scalar] where text.take(separator) {
      guard let fraction = text.takeNumber(most: 18) else { return nil }
      seconds.separator = UInt16(ascii: separator)
      let power = (0..<fraction.width).reduce(1.0) { product, _ in product * 10 }
      seconds.microseconds += Int((Double(fraction.value) / power * 1_000_000).rounded())
      break
    }
    return seconds
  }
}

/// A table of captions as Whisper writes it: the heading `start`, `end`, `text`, and rows with times in whole
/// milliseconds, separated by tabs.
package enum TableText {
  /// The rows for audio of another length; `nil` if the text is no such table.
  package static func scaled(_ text: TextUnits, _ scale: TimeScale) -> ScaledText? {
    let lines = text.lines
    guard let heading = lines.first?.withoutBlanks.trimmed,
      heading.elementsEqual("start\tend\ttext".utf16)
    else { return nil }
    var result = ScaledText()
    for (number, line) in lines.enumerated() {
      guard number > 0, let row = Row(line) else {
        result.units += line
        if number > 0, !line.trimmed.isEmpty { result.unreadLines.append(number + 1) }
        continue
      }
      if scale.keeps(from: row.start, to: row.end, resolution: 1000) {
        row.append(scale, to: &result.units)
      }
    }
    return result
  }

  private struct Row {
    let start, end: Int
    private let after: ArraySlice<UInt16>

    init?(_ line: ArraySlice<UInt16>) {
      var rest = line
      guard let start = rest.takeNumber(), rest.take("\t"), let end = rest.takeNumber(),
        rest.first == 0x09
      else { return nil }
      (self.start, self.end, after) = (start.value, end.value, rest)
    }

    func append(_ scale: TimeScale, to result: inout TextUnits) {
      result.append(number: max(0, scale.time(start, resolution: 1000)), width: 1)
      result.append(0x09)
      result.append(number: max(0, scale.time(end, resolution: 1000)), width: 1)
      result += after
    }
  }
}

/// A cue sheet as text: `INDEX 01 03:25:74`, in minutes, seconds and 75ths of a second.
///
/// Source: CDRWIN, "Cue Sheet Commands".
package enum CueSheetText {
  /// CD frames in a second.
  private static let resolution = 75

  /// The cue sheet for audio of another length; `nil` if the text contains no time.
  package static func scaled(_ text: TextUnits, _ scale: TimeScale) -> TextUnits? {
    var result: TextUnits = []
    var isCueSheet = false
    for line in text.lines {
      if let changed = scaled(line: line, scale) {
        result += changed
        isCueSheet = true
      } else {
        result += line
      }
    }
    return isCueSheet ? result : nil
  }

  /// A line whose command is INDEX, PREGAP or POSTGAP, for audio of another length; `nil` for other lines.
  package static func scaled(line: ArraySlice<UInt16>, _ scale: TimeScale) -> TextUnits? {
    var rest = line.drop { $0.isBlank }
    let isIndex = take("INDEX", &rest)
    guard isIndex || take("PREGAP", &rest) || take("POSTGAP", &rest) else { return nil }
    if isIndex {
      guard rest.takeNumber(most: 2) != nil, takeBlanks(&rest) else { return nil }
    }
    let before = line[line.startIndex..<rest.startIndex]
    guard let minutes = rest.takeNumber(most: 6), rest.take(":"),
      let seconds = rest.takeNumber(most: 2), rest.take(":"), let frames = rest.takeNumber(most: 2)
    else { return nil }
    let units = (minutes.value * 60 + seconds.value) * resolution + frames.value
    // Gaps are silence that the player adds; only an index is a position in the audio.
    let scaled =
      isIndex
      ? scale.time(units, resolution: resolution) : Int(exactly: scale.duration(units)) ?? units
    var result = TextUnits(before)
    result.append(number: scaled / resolution / 60, width: minutes.width)
    result.append(UInt16(ascii: ":"))
    result.append(number: scaled / resolution % 60, width: 2)
    result.append(UInt16(ascii: ":"))
    result.append(number: scaled % resolution, width: 2)
    return result + rest
  }

  /// Removes a command, in any case, and the blanks after it.
  package static func take(_ command: StaticString, _ text: inout ArraySlice<UInt16>) -> Bool {
    let length = command.utf8CodeUnitCount
    let upper = text.prefix(length).map { $0.isLetter ? $0 & ~0x20 : $0 }
    guard upper.count == length, upper.begins(with: command) else { return false }
    var rest = text.dropFirst(length)
    guard takeBlanks(&rest) else { return false }
    text = rest
    return true
  }

  private static func takeBlanks(_ text: inout ArraySlice<UInt16>) -> Bool {
    let blanks = text.prefix { $0.isBlank }.count
    text.removeFirst(blanks)
    return blanks > 0
  }
}

/// Subtitles in SubRip: `00:00:01,500 --> 00:00:04,000`.
package enum SubRipText {
  /// The subtitles for audio of another length; `nil` if no line has times.
  package static func scaled(_ text: TextUnits, _ scale: TimeScale) -> TextUnits? {
    var result: TextUnits = []
    var isSubtitles = false
    for line in TimingLine.cut(text.lines, scale, separators: [",", "."]) {
      if let changed = TimingLine.scaled(line, scale, separators: [",", "."]) {
        result += changed
        isSubtitles = true
      } else {
        result += line
      }
    }
    return isSubtitles ? result : nil
  }
}

/// A line with the start and end of a subtitle, as in SubRip and WebVTT.
enum TimingLine {
  /// The lines without the subtitles outside the part of the source that `scale` covers; all lines if it covers the
  /// whole source.
  ///
  /// A subtitle is a block of lines between empty lines; one of them holds its times.
  static func cut(
    _ lines: [ArraySlice<UInt16>], _ scale: TimeScale, separators: [Unicode.Scalar]
  ) -> [ArraySlice<UInt16>] {
    if scale.part == nil { return lines }
    var kept: [ArraySlice<UInt16>] = []
    var block: [ArraySlice<UInt16>] = []
    var isKept = true
    for line in lines {
      block.append(line)
      if let times = times(line, separators) {
        isKept = scale.keeps(
          from: times.start.microseconds, to: times.end.microseconds, resolution: 1_000_000)
      }
      guard line.trimmed.isEmpty else { continue }
      if isKept { kept += block }
      (block, isKept) = ([], true)
    }
    return isKept ? kept + block : kept
  }

  /// The start and end times of a subtitle, from its line of times; `nil` for other lines.
  private static func times(
    _ line: ArraySlice<UInt16>, _ separators: [Unicode.Scalar]
  ) -> (start: ClockTime, end: ClockTime)? {
    var rest = line.drop { $0.isBlank }
    guard let start = ClockTime.take(from: &rest, separators: separators) else { return nil }
    rest = rest.drop { $0.isBlank }
    guard rest.begins(with: "-->") else { return nil }
    rest = rest.dropFirst(3).drop { $0.isBlank }
    return ClockTime.take(from: &rest, separators: separators).map { (start, $0) }
  }

  /// The line for audio of another length, with the text after the times unchanged; `nil` for other
  /// lines.
  static func scaled(
    _ line: ArraySlice<UInt16>, _ scale: TimeScale, separators: [Unicode.Scalar]
  ) -> TextUnits? {
    var rest = line.drop { $0.isBlank }
    var result = TextUnits(line[line.startIndex..<rest.startIndex])
    guard let start = ClockTime.take(from: &rest, separators: separators) else { return nil }
    let arrowStart = rest.startIndex
    rest = rest.drop { $0.isBlank }
    guard rest.begins(with: "-->") else { return nil }
    rest.removeFirst(3)
    rest = rest.drop { $0.isBlank }
    let arrow = line[arrowStart..<rest.startIndex]
    guard let end = ClockTime.take(from: &rest, separators: separators) else { return nil }
    start.scaled(scale).append(to: &result, withHours: true)
    result += arrow
    end.scaled(scale).append(to: &result, withHours: true)
    return result + rest
  }
}

/// Subtitles in WebVTT: `00:01.500 --> 00:04.000 align:start`, and `<00:02.000>` in the text.
///
/// Source: W3C, "WebVTT: The Web Video Text Tracks Format", sections 4.1 and 4.2.
package enum WebVTTText {
  /// The subtitles for audio of another length; `nil` if the text is not WebVTT or has no times.
  package static func scaled(_ text: TextUnits, _ scale: TimeScale) -> TextUnits? {
    guard text.begins(with: "WEBVTT") else { return nil }
    var result: TextUnits = []
    var hasTimes = false
    var isInCue = false
    for line in TimingLine.cut(text.lines, scale, separators: ["."]) {
      if let changed = TimingLine.scaled(line, scale, separators: ["."]) {
        result += changed
        (hasTimes, isInCue) = (true, true)
      } else if isInCue {
        // An empty line ends a cue; style sheets and notes are between cues.
        isInCue = !line.withoutLineEnd.isEmpty
        appendText(line, scale, to: &result)
      } else {
        result += line
      }
    }
    return hasTimes ? result : nil
  }

  /// Appends a line of a cue's text, with timestamps before the words that they time.
  private static func appendText(
    _ line: ArraySlice<UInt16>, _ scale: TimeScale, to result: inout TextUnits
  ) {
    var rest = line
    while let first = rest.first {
      rest.removeFirst()
      result.append(first)
      guard first == UInt16(ascii: "<") else { continue }
      var behind = rest
      guard let time = ClockTime.take(from: &behind, separators: ["."]), behind.take(">") else {
        continue
      }
      time.scaled(scale).append(to: &result, withHours: true)
      result.append(UInt16(ascii: ">"))
      rest = behind
    }
  }
}

/// Subtitles in WebVTT: `00:01.500 --> 00:04.000 align:start`, and `<00:02.000>` within the text.
///
/// Source: W3C, "WebVTT: The Web Video Text Tracks Format", sections 4.1 and 4.2.
package enum WebVTTText {
  /// The subtitles at another length of the audio; `nil` when the text is no WebVTT or tells no times.
  package static func scaled(_ text: TextUnits, _ scale: TimeScale) -> TextUnits? {
    guard text.begins(with: "WEBVTT") else { return nil }
    var result: TextUnits = []
    var hasTimes = false
    var isInCue = false
    for line in text.lines {
      if let changed = TimingLine.scaled(line, scale, separators: ["."]) {
        result += changed
        (hasTimes, isInCue) = (true, true)
      } else if isInCue {
        // An empty line ends a cue; style sheets and notes stand between cues.
        isInCue = !line.withoutLineEnd.isEmpty
        appendText(line, scale, to: &result)
      } else {
        result += line
      }
    }
    return hasTimes ? result : nil
  }

  /// Appends a line of a cue's text, whose timestamps tell when the words behind them come.
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

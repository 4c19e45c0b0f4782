/// Subtitles in the SubRip form: `00:00:01,500 --> 00:00:04,000`.
package enum SubRipText {
  /// The subtitles at another length of the audio; `nil` when no line tells times.
  package static func scaled(_ text: TextUnits, _ scale: TimeScale) -> TextUnits? {
    var result: TextUnits = []
    var isSubtitles = false
    for line in text.lines {
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

/// A line that says from when to when a subtitle is shown, as in SubRip and WebVTT.
enum TimingLine {
  /// The line at another length of the audio, with what follows the times unchanged; `nil` for other
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

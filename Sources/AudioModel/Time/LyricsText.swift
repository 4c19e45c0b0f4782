/// Lyrics with times in the LRC form: `[00:12.34]A line`, `[00:12.34]<00:12.50>A <00:12.80>line`.
///
/// LRC has no specification. `[offset:+250]` shifts all times by milliseconds, and `[length:03:45]` is the
/// length of the audio.
package enum LyricsText {
  private static let separators: [Unicode.Scalar] = [".", ":", ","]

  /// The lyrics for audio of another length; `nil` if the text is not LRC.
  package static func scaled(_ text: TextUnits, _ scale: TimeScale) -> TextUnits? {
    let lines = text.lines
    guard isLyrics(lines) else { return nil }
    var result: TextUnits = []
    result.reserveCapacity(text.count)
    let current = current(lines, scale)
    for line in lines { append(line, scale, current, to: &result) }
    return result
  }

  /// The time, in microseconds, of the line that is being sung when the part that `scale` covers starts; `nil` if
  /// there is none, or if it covers the whole source.
  private static func current(_ lines: [ArraySlice<UInt16>], _ scale: TimeScale) -> Int? {
    guard let part = scale.part else { return nil }
    let first = Double(part.lowerBound) / Double(scale.sampleRate) * 1_000_000
    var latest: Int?
    for line in lines {
      var rest = line.drop { $0.isBlank }
      while let time = takeStamp(&rest, between: "[", "]") {
        if Double(time.microseconds) <= first { latest = max(latest ?? 0, time.microseconds) }
      }
    }
    return latest
  }

  /// True if a line begins with a time, and at least half of the lines begin with a time or a tag.
  private static func isLyrics(_ lines: [ArraySlice<UInt16>]) -> Bool {
    let filled = lines.map(\.trimmed).filter { !$0.isEmpty }
    let timed = filled.count { line in
      var rest = line
      return takeStamp(&rest, between: "[", "]") != nil
    }
    return timed > 0 && filled.count { $0.begins(with: "[") } * 2 >= filled.count
  }

  /// Removes `[mm:ss.xx]` from the front.
  private static func takeStamp(
    _ text: inout ArraySlice<UInt16>, between open: Unicode.Scalar, _ close: Unicode.Scalar
  ) -> ClockTime? {
    var rest = text
    guard rest.take(open), let time = ClockTime.take(from: &rest, separators: separators),
      rest.take(close)
    else { return nil }
    text = rest
    return time
  }

  private static func append(
    _ line: ArraySlice<UInt16>, _ scale: TimeScale, _ current: Int?, to result: inout TextUnits
  ) {
    var rest = line.drop { $0.isBlank }
    var times: [ClockTime] = []
    while let time = takeStamp(&rest, between: "[", "]") { times.append(time) }
    let isTimed = !times.isEmpty
    times.removeAll { time in
      let units = time.microseconds
      return units != current && !scale.keeps(from: units, to: units, resolution: 1_000_000)
    }
    if isTimed, times.isEmpty { return }
    result += line.prefix { $0.isBlank }
    for time in times { append(time.scaled(scale), between: "[", "]", to: &result) }
    if !isTimed, appendTag(&rest, scale, to: &result) { return }
    // Times of words.
    while isTimed, let first = rest.first {
      if let time = takeStamp(&rest, between: "<", ">") {
        append(time.scaled(scale), between: "<", ">", to: &result)
      } else if let time = takeStamp(&rest, between: "[", "]") {
        append(time.scaled(scale), between: "[", "]", to: &result)
      } else {
        result.append(first)
        rest.removeFirst()
      }
    }
    result += rest
  }

  private static func append(
    _ time: ClockTime, between open: Unicode.Scalar, _ close: Unicode.Scalar,
    to result: inout TextUnits
  ) {
    result.append(UInt16(ascii: open))
    time.append(to: &result, withHours: false)
    result.append(UInt16(ascii: close))
  }

  /// Appends a line with a tag that contains a time; `false` for other lines.
  private static func appendTag(
    _ line: inout ArraySlice<UInt16>, _ scale: TimeScale, to result: inout TextUnits
  ) -> Bool {
    var rest = line
    if line.begins(with: "[offset:") {
      rest.removeFirst("[offset:".utf8.count)
      while rest.first?.isBlank == true { rest.removeFirst() }
      if !rest.take("-") { _ = rest.take("+") }
      let before = line[line.startIndex..<rest.startIndex]
      guard let milliseconds = rest.takeNumber() else { return false }
      let scaled = scale.duration(milliseconds.value)
      result += before
      result.append(number: Int(exactly: scaled) ?? milliseconds.value, width: 1)
      result += rest
      return true
    }
    guard line.begins(with: "[length:") else { return false }
    rest.removeFirst("[length:".utf8.count)
    while rest.first?.isBlank == true { rest.removeFirst() }
    let before = line[line.startIndex..<rest.startIndex]
    guard let time = ClockTime.take(from: &rest, separators: separators) else { return false }
    result += before
    time.scaled(scale).append(to: &result, withHours: false)
    result += rest
    return true
  }
}

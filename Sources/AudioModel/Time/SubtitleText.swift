/// Subtitles in SubRip: `00:00:01,500 --> 00:00:04,000`.
package enum SubRipText {
  /// The subtitles for audio of another length; `nil` if no line has times.
  package static func scaled(_ text: TextUnits, _ scale: TimeScale) -> ScaledText? {
    var result = ScaledText()
    var isSubtitles = false
    // True after the number of a subtitle, which begins a block of lines; true below its times.
    var (isAfterNumber, isInText) = (false, false)
    var isAtStart = true
    for (number, line) in TimingLine.cut(text.lines, scale) {
      let times = TimingLine(line)
      if let times {
        times.append(scale, to: &result.units)
        (isSubtitles, isInText) = (true, true)
      } else {
        // Converted captions keep the times of words.
        let isRead = WebVTTText.appendText(line, scale, to: &result.units)
        if !isRead || TimingLine.isMeant(line, inText: isInText)
          || isAfterNumber && !line.trimmed.isEmpty
        {
          result.unreadLines.append(number + 1)
        }
      }
      isAfterNumber = isAtStart && !line.trimmed.isEmpty && line.trimmed.allSatisfy(\.isDigit)
      isAtStart = line.trimmed.isEmpty
      if isAtStart { isInText = false }
    }
    return isSubtitles ? result : nil
  }
}

/// A line with the start and end of a subtitle, as in SubRip and WebVTT, and the text around them.
struct TimingLine {
  private let before, arrow, after: ArraySlice<UInt16>
  private let start, end: ClockTime

  /// The times in a line; `nil` for other lines.
  ///
  /// Arrows other than `-->` are what word processors and translators make of it. Captions may have them between two
  /// times of the day, so these need hours or a fraction.
  init?(_ line: ArraySlice<UInt16>) {
    var rest = line.withoutBlanks
    before = line[line.startIndex..<rest.startIndex]
    guard let start = ClockTime.take(from: &rest, .subtitle) else { return nil }
    let arrowStart = rest.startIndex
    guard let isPlain = Self.takeArrow(&rest) else { return nil }
    rest = rest.withoutBlanks
    arrow = line[arrowStart..<rest.startIndex]
    guard let end = ClockTime.take(from: &rest, .subtitle),
      rest.first.map({ !$0.isLetter && !$0.isDigit }) ?? true
    else { return nil }
    after = rest
    (self.start, self.end) = (start, end)
    if !isPlain, !start.isLong || !end.isLong { return nil }
  }

  /// Dashes: ASCII's, those that word processors make of two, also in Windows-1252, the sign of minus, and the equals
  /// sign.
  private static let dashes: [Unicode.Scalar] = [
    "-", "=", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2014}", "\u{2212}", "\u{96}",
    "\u{97}",
  ]
  private static let heads: [Unicode.Scalar] = [
    ">", "\u{FF1E}", "\u{203A}", "\u{BB}", "\u{2192}", "\u{21D2}",
  ]

  /// Removes an arrow and the blanks before it; returns true for `-->`, and `nil` if there is none.
  private static func takeArrow(_ text: inout ArraySlice<UInt16>) -> Bool? {
    var rest = text.withoutBlanks
    let isPlain = rest.begins(with: "-->")
    while rest.take(anyOf: dashes) != nil { rest = rest.withoutBlanks }
    guard rest.take(anyOf: heads) != nil else { return nil }
    text = rest
    return isPlain
  }

  /// True if a line that has no readable times is meant to have them: it holds `-->` and digits, or another arrow and
  /// a time before it. `inText` is true for the lines below a subtitle's times, which may hold arrows.
  static func isMeant(_ line: ArraySlice<UInt16>, inText: Bool) -> Bool {
    let text = line.trimmed
    guard text.contains(where: \.isDigit) else { return false }
    let sign = text.first == UInt16(ascii: "-") ? text.dropFirst() : text
    let isTime = sign.first?.isDigit == true && text.contains(UInt16(ascii: ":"))
    if inText, !isTime { return false }
    return text.indices.contains { index in
      var rest = text[index...]
      guard let isPlain = takeArrow(&rest) else { return false }
      return isPlain || isTime && !inText
    }
  }

  /// The lines without the subtitles outside the part of the source that `scale` covers, with their numbers from 0; all
  /// lines if it covers the whole source.
  ///
  /// A subtitle is a block of lines between empty lines; one of them holds its times.
  static func cut(
    _ lines: [ArraySlice<UInt16>], _ scale: TimeScale
  ) -> [(offset: Int, element: ArraySlice<UInt16>)] {
    let lines = Array(lines.enumerated())
    if scale.part == nil { return lines }
    var kept: [(offset: Int, element: ArraySlice<UInt16>)] = []
    var block: [(offset: Int, element: ArraySlice<UInt16>)] = []
    var isKept = true
    for line in lines {
      block.append(line)
      if let times = TimingLine(line.element) {
        isKept = scale.keeps(
          from: times.start.microseconds, to: times.end.microseconds, resolution: 1_000_000)
      }
      guard line.element.trimmed.isEmpty else { continue }
      if isKept { kept += block }
      (block, isKept) = ([], true)
    }
    return isKept ? kept + block : kept
  }

  /// Appends the line for audio of another length, with the text around the times unchanged. Times before the audio
  /// become its start.
  func append(_ scale: TimeScale, to result: inout TextUnits) {
    result += before
    append(start.scaled(scale), to: &result)
    result += arrow
    append(end.scaled(scale), to: &result)
    result += after
  }

  private func append(_ time: ClockTime, to result: inout TextUnits) {
    var time = time
    time.units = max(0, time.units)
    time.append(to: &result, withHours: true)
  }
}

/// Subtitles in WebVTT: `00:01.500 --> 00:04.000 align:start`, and `<00:02.000>` in the text.
///
/// Source: W3C, "WebVTT: The Web Video Text Tracks Format", sections 4.1 and 4.2.
package enum WebVTTText {
  /// The subtitles for audio of another length; `nil` if the text is not WebVTT or has no times.
  package static func scaled(_ text: TextUnits, _ scale: TimeScale) -> ScaledText? {
    guard text.begins(with: "WEBVTT") else { return nil }
    var result = ScaledText()
    var hasTimes = false
    var isInCue = false
    // A note's lines may hold anything.
    var isInNote = false
    for (number, line) in TimingLine.cut(text.lines, scale) {
      if line.begins(with: "NOTE"), !isInCue { isInNote = true }
      if line.trimmed.isEmpty { isInNote = false }
      if let times = TimingLine(line) {
        times.append(scale, to: &result.units)
        (hasTimes, isInCue) = (true, true)
      } else if isInCue {
        // An empty line ends a cue; style sheets and notes are between cues.
        isInCue = !line.withoutLineEnd.isEmpty
        let isRead = appendText(line, scale, to: &result.units)
        if !isRead || TimingLine.isMeant(line, inText: true) {
          result.unreadLines.append(number + 1)
        }
      } else {
        result.units += line
        if !isInNote, TimingLine.isMeant(line, inText: false) || isShifted(line) {
          result.unreadLines.append(number + 1)
        }
      }
    }
    return hasTimes ? result : nil
  }

  /// True for a header of HTTP Live Streaming that maps another time than 0 to a place in a broadcast.
  private static func isShifted(_ line: ArraySlice<UInt16>) -> Bool {
    let name = "LOCAL:"
    guard line.begins(with: "X-TIMESTAMP-MAP"),
      let place = line.indices.first(where: { line[$0...].starts(with: name.utf16) })
    else { return false }
    var rest = line[place...].dropFirst(name.utf16.count)
    return ClockTime.take(from: &rest, .subtitle)?.units != 0
  }

  /// Appends a line of a cue's text, with timestamps before the words that they time. Returns false if a time cannot be
  /// read.
  static func appendText(
    _ line: ArraySlice<UInt16>, _ scale: TimeScale, to result: inout TextUnits
  ) -> Bool {
    var isRead = true
    var rest = line
    while let first = rest.first {
      rest.removeFirst()
      result.append(first)
      guard first == UInt16(ascii: "<") else { continue }
      var behind = rest.withoutBlanks
      guard let time = ClockTime.take(from: &behind, .subtitle),
        case let end = behind.withoutBlanks,
        end.first == UInt16(ascii: ">")
      else {
        let digits = rest.prefix { $0.isDigit }
        let next = rest.dropFirst(digits.count).first
        if !digits.isEmpty, next == UInt16(ascii: ":") { isRead = false }
        continue
      }
      var scaled = time.scaled(scale)
      scaled.units = max(0, scaled.units)
      scaled.append(to: &result, withHours: true)
      result.append(UInt16(ascii: ">"))
      rest = end.dropFirst()
    }
    return isRead
  }
}

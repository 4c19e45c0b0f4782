/// A cue sheet as text: `INDEX 01 03:25:74`, in minutes, seconds and 75ths of a second.
///
/// Source: CDRWIN, "Cue Sheet Commands".
package enum CueSheetText {
  /// CD frames in a second.
  private static let resolution = 75

  /// The cue sheet for audio of another length; `nil` if the text contains no time.
  package static func scaled(_ text: TextUnits, _ scale: TimeScale) -> ScaledText? {
    var result = ScaledText()
    var isCueSheet = false
    for (number, line) in cut(text.lines, scale) {
      if let changed = scaled(line: line, scale) {
        result.units += changed
        isCueSheet = true
      } else {
        result.units += line
        if isMeant(line) { result.unreadLines.append(number + 1) }
      }
    }
    return isCueSheet ? result : nil
  }

  /// A line whose command is INDEX, PREGAP or POSTGAP, for audio of another length; `nil` for other lines, and if its
  /// time cannot be read.
  package static func scaled(line: ArraySlice<UInt16>, _ scale: TimeScale) -> TextUnits? {
    guard let time = CueTime(line) else { return nil }
    // Gaps are silence that the player adds; only an index is a position in the audio.
    let units =
      time.index != nil
      ? max(0, scale.time(time.units, resolution: resolution))
      : Int(exactly: scale.duration(time.units)) ?? time.units
    var result = TextUnits(time.before)
    result.append(number: units / resolution / 60, width: time.minuteWidth)
    result += time.colon
    result.append(number: units / resolution % 60, width: 2)
    result += time.colon
    result.append(number: units % resolution, width: 2)
    return result + time.after
  }

  /// The name of a remark, such as `REPLAYGAIN_TRACK_GAIN` of `REM REPLAYGAIN_TRACK_GAIN -6.00 dB`; `nil` for other
  /// lines.
  package static func remark(_ line: ArraySlice<UInt16>) -> String? {
    var rest = line.withoutBlanks
    guard take("REM", &rest) else { return nil }
    return String(decoding: rest.prefix { !$0.isBlank && !$0.isLineEnd }, as: UTF16.self)
  }

  /// True if a line has a command with a time.
  package static func isMeant(_ line: ArraySlice<UInt16>) -> Bool {
    var rest = line.withoutBlanks
    return takeIndex(&rest) || take("PREGAP", &rest) || take("POSTGAP", &rest)
  }

  /// The time in a line of a cue sheet.
  private struct CueTime {
    /// The number of an index; `nil` for a gap.
    let index: Int?
    /// In CD frames. Seconds may be 60 and more, frames 75 and more.
    let units: Int
    let minuteWidth: Int
    let colon: TextUnits
    let before, after: ArraySlice<UInt16>

    init?(_ line: ArraySlice<UInt16>) {
      var rest = line.withoutBlanks
      let isIndex = CueSheetText.takeIndex(&rest)
      guard isIndex || CueSheetText.take("PREGAP", &rest) || CueSheetText.take("POSTGAP", &rest)
      else { return nil }
      if isIndex {
        guard let number = rest.takeNumber(most: 3), takeBlanks(&rest) else { return nil }
        index = number.value
      } else {
        index = nil
      }
      before = line[line.startIndex..<rest.startIndex]
      guard let minutes = rest.takeNumber(most: 6), let colon = Self.takeColon(&rest),
        let seconds = rest.takeNumber(most: 3)
      else { return nil }
      // Frames are left out by some writers.
      var frames = 0
      if Self.takeColon(&rest) != nil {
        guard let number = rest.takeNumber(most: 3) else { return nil }
        frames = number.value
      }
      guard rest.first.map({ $0.isBlank || $0.isLineEnd }) ?? true else { return nil }
      units = (minutes.value * 60 + seconds.value) * resolution + frames
      (minuteWidth, self.colon, after) = (minutes.width, colon, rest)
    }

    private static func takeColon(_ text: inout ArraySlice<UInt16>) -> TextUnits? {
      var rest = text.withoutBlanks
      guard let colon = rest.take(anyOf: [":", "\u{FF1A}", ".", ",", ";"]) else { return nil }
      text = rest.withoutBlanks
      return colon
    }
  }

  /// The lines without the tracks outside the part of the source that `scale` covers, with their numbers from 0; all
  /// lines if it covers the whole source.
  ///
  /// A track lasts from its INDEX 01, or else its first index, to that of the next track. If a track starts before
  /// the part, its earlier indices are left out.
  package static func cut(
    _ lines: [ArraySlice<UInt16>], _ scale: TimeScale
  ) -> [(offset: Int, element: ArraySlice<UInt16>)] {
    guard let first = scale.partStart(resolution: resolution) else {
      return Array(lines.enumerated())
    }
    var tracks: [(lines: Range<Int>, start: Int?)] = []
    for (number, line) in lines.enumerated() {
      var rest = line.withoutBlanks
      if take("TRACK", &rest) {
        if let last = tracks.indices.last {
          tracks[last].lines = tracks[last].lines.lowerBound..<number
        }
        tracks.append((number..<lines.count, nil))
      } else if let last = tracks.indices.last, let index = index(line) {
        if tracks[last].start == nil || index.number == 1 { tracks[last].start = index.units }
      }
    }
    var left: Set<Int> = []
    for (number, track) in tracks.enumerated() {
      guard let start = track.start else { continue }
      let next = tracks.dropFirst(number + 1).lazy.compactMap(\.start).first
      let end = next ?? Int(scale.inputEnd(resolution: resolution)) + 1
      if !scale.keeps(from: start, to: end, resolution: resolution) {
        left.formUnion(track.lines)
        continue
      }
      for line in track.lines {
        guard let index = index(lines[line]), index.units != start else { continue }
        let isEarlier = index.number == 0 || Double(index.units) < first
        let isOutside = !scale.keeps(from: index.units, to: index.units, resolution: resolution)
        if isOutside || isEarlier && Double(start) <= first { left.insert(line) }
      }
    }
    return lines.enumerated().filter { !left.contains($0.offset) }
  }

  /// The number and the time of a line with the command INDEX.
  private static func index(_ line: ArraySlice<UInt16>) -> (number: Int, units: Int)? {
    guard let time = CueTime(line), let number = time.index else { return nil }
    return (number, time.units)
  }

  /// Removes a command, in any case, and the blanks after it.
  package static func take(_ command: StaticString, _ text: inout ArraySlice<UInt16>) -> Bool {
    var rest = text
    guard rest.take(name: command), takeBlanks(&rest) else { return false }
    text = rest
    return true
  }

  /// Removes the command INDEX, and the blanks after it, which some writers leave out before its number.
  private static func takeIndex(_ text: inout ArraySlice<UInt16>) -> Bool {
    var rest = text
    guard rest.take(name: "INDEX"), takeBlanks(&rest) || rest.first?.isDigit == true else {
      return false
    }
    text = rest
    return true
  }

  private static func takeBlanks(_ text: inout ArraySlice<UInt16>) -> Bool {
    let blanks = text.prefix { $0.isBlank }.count
    text.removeFirst(blanks)
    return blanks > 0
  }
}

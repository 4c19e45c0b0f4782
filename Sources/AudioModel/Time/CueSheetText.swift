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
    for line in cut(text.lines, scale) {
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

  /// The lines without the tracks outside the part of the source that `scale` covers; all lines if it covers the
  /// whole source.
  ///
  /// A track lasts from its INDEX 01, or else its first index, to that of the next track. If a track starts before
  /// the part, its earlier indices are left out.
  package static func cut(
    _ lines: [ArraySlice<UInt16>], _ scale: TimeScale
  ) -> [ArraySlice<UInt16>] {
    guard let part = scale.part else { return lines }
    var tracks: [(lines: Range<Int>, start: Int?)] = []
    for (number, line) in lines.enumerated() {
      var rest = line.drop { $0.isBlank }
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
      let end =
        next ?? Int(Double(scale.inputFrames) / Double(scale.sampleRate) * Double(resolution)) + 1
      if !scale.keeps(from: start, to: end, resolution: resolution) {
        left.formUnion(track.lines)
        continue
      }
      let first = Double(part.lowerBound) / Double(scale.sampleRate) * Double(resolution)
      for line in track.lines {
        guard let index = index(lines[line]), index.units != start else { continue }
        let isEarlier = index.number == 0 || Double(index.units) < first
        let isOutside = !scale.keeps(from: index.units, to: index.units, resolution: resolution)
        if isOutside || isEarlier && Double(start) <= first { left.insert(line) }
      }
    }
    return lines.indices.filter { !left.contains($0) }.map { lines[$0] }
  }

  /// The number and the time of a line with the command INDEX.
  private static func index(_ line: ArraySlice<UInt16>) -> (number: Int, units: Int)? {
    var rest = line.drop { $0.isBlank }
    guard take("INDEX", &rest), let number = rest.takeNumber(most: 2), takeBlanks(&rest),
      let minutes = rest.takeNumber(most: 6), rest.take(":"),
      let seconds = rest.takeNumber(most: 2), rest.take(":"), let frames = rest.takeNumber(most: 2)
    else { return nil }
    return (number.value, (minutes.value * 60 + seconds.value) * resolution + frames.value)
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

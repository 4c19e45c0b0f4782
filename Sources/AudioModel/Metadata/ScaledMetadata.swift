extension Metadata {
  /// The metadata for audio of another length.
  ///
  /// A position `t` becomes `t * factor`, or the position that the map gives, rounded to the nearest frame or
  /// to the precision of a text tag. Positions keep their order and stay within the audio. Tempos are divided
  /// by the factor.
  ///
  /// - Parameters:
  ///   - factor: The requested output length / input length.
  ///   - inputFrames: The length of the source.
  ///   - outputFrames: The length of the output.
  ///   - sampleRate: The sample rate of the source, in Hz.
  ///   - outputRate: The sample rate of the output; `nil` for the same.
  ///   - map: The positions in the output, in frames; `nil` for a constant factor.
  public func scaled(
    by factor: Double, from inputFrames: Int, to outputFrames: Int, sampleRate: Int,
    outputRate: Int? = nil, map: TimeMap? = nil
  ) -> Metadata {
    let scale = TimeScale(
      factor: factor, inputFrames: inputFrames, outputFrames: outputFrames, sampleRate: sampleRate,
      outputRate: outputRate, map: map)
    return scaled(scale)
  }

  /// The metadata for audio of another length, by this conversion of times.
  package func scaled(_ scale: TimeScale) -> Metadata {
    var result = self
    result.comments = comments.map { $0.scaled(scale) }
    LoopTags.scale(&result.comments, scale)
    result.chapters = chapters.map { $0.scaled(scale) }
    result.marks = marks.map { $0.scaled(scale) }
    result.instrument = instrument?.scaled(scale)
    result.loopProperties = loopProperties?.scaled(scale)
    result.cueSheet = cueSheet?.scaled(scale)
    result.syncedLyrics = syncedLyrics.map { $0.scaled(scale) }
    result.foreignChunks = foreignChunks.map { $0.scaled(scale) }
    return result
  }
}

extension Metadata {
  /// Makes times in the texts of tags, which are relative to the container's timeline, relative to the first frame,
  /// which is `delay` seconds later.
  package mutating func moveTimedTexts(earlierBy delay: Double) {
    let scale = TimeScale(
      factor: 1, inputFrames: .max, outputFrames: .max, sampleRate: 1, delay: delay)
    for index in comments.indices {
      guard let text = comments[index].timedText(scale) else { continue }
      comments[index].value = String(decoding: text.units, as: UTF16.self)
    }
  }
}

extension Metadata {
  /// Makes places of chapters, which are relative to the container's timeline, relative to the first frame.
  package mutating func moveChapters(earlierBy frames: Double) {
    for index in chapters.indices {
      chapters[index].start = max(0, chapters[index].start - frames)
      chapters[index].end = chapters[index].end.map { max(0, $0 - frames) }
    }
  }
}

extension Metadata.Chapter {
  fileprivate func scaled(_ scale: TimeScale) -> Self {
    var result = self
    if let end {
      let stretch = scale.stretch(from: start, to: end)
      (result.start, result.end) = (stretch.start, stretch.end)
    } else {
      result.start = scale.frame(start)
    }
    return result
  }
}

extension Metadata.Mark {
  fileprivate func scaled(_ scale: TimeScale) -> Self {
    let stretch = scale.stretch(from: start, to: start + max(0, length))
    var result = self
    result.start = stretch.start
    result.length = stretch.end - stretch.start
    return result
  }
}

extension Metadata.Instrument {
  /// Loops outside the audio are dropped.
  fileprivate func scaled(_ scale: TimeScale) -> Self {
    var result = self
    result.loops = loops.compactMap { loop in
      guard loop.start >= 0, loop.start < Double(scale.inputFrames), loop.end > loop.start,
        scale.outputFrames > 0
      else { return nil }
      let stretch = scale.stretch(from: loop.start, to: loop.end)
      var scaled = loop
      (scaled.start, scaled.end) = (stretch.start, stretch.end)
      return scaled
    }
    return result
  }
}

extension Metadata.LoopProperties {
  fileprivate func scaled(_ scale: TimeScale) -> Self {
    var result = self
    result.tempo = Float(Double(tempo) / scale.factor)
    return result
  }
}

extension Metadata.CueSheet {
  /// The lead-in is silence on the disc, not part of the audio. The last track is the lead-out, which begins
  /// at the end of the audio.
  fileprivate func scaled(_ scale: TimeScale) -> Self {
    var result = self
    result.tracks = tracks.enumerated().map { number, track in
      var scaled = track
      let isLeadOut = number == tracks.count - 1
      scaled.offset = isLeadOut ? Double(scale.outputFrames) : scale.frame(track.offset)
      scaled.indices = track.indices.map { index in
        var moved = index
        moved.offset = max(0, scale.frame(track.offset + index.offset) - scaled.offset)
        return moved
      }
      return scaled
    }
    return result
  }
}

extension Metadata.SyncedLyrics {
  fileprivate func scaled(_ scale: TimeScale) -> Self {
    var result = self
    result.lines = lines.map { Line(start: scale.frame($0.start), text: $0.text) }
    return result
  }
}

extension Metadata.Comment {
  /// The tag for audio of another length.
  func scaled(_ scale: TimeScale) -> Self {
    var result = self
    result.value = scaledValue(scale)
    return result
  }

  /// The text of a cue sheet or of lyrics for audio of another length; `nil` for other tags and other text.
  package func timedText(_ scale: TimeScale) -> ScaledText? {
    // The name may end in a description or a language: `LYRICS:eng`, `LYRICS-ENG`.
    let field = StaleTags.fieldName(name).prefix { $0 != ":" && $0 != "-" }
      .filter { $0 != " " && $0 != "_" }
    if field == "CUESHEET" { return CueSheetText.scaled(TextUnits(value.utf16), scale) }
    guard Self.lyrics.contains(field) else { return nil }
    return LyricsText.scaled(TextUnits(value.utf16), scale)
  }

  /// Names of lyrics, without blanks.
  private static let lyrics: Set = [
    "LYRICS", "SYNCEDLYRICS", "SYNCHRONISEDLYRICS", "SYNCHRONIZEDLYRICS", "UNSYNCEDLYRICS",
    "UNSYNCHRONISEDLYRICS", "UNSYNCHRONIZEDLYRICS", "WM/LYRICS",
  ]

  private func scaledValue(_ scale: TimeScale) -> String {
    if let text = timedText(scale) { return String(decoding: text.units, as: UTF16.self) }
    if StaleTags.isTempo(name) { return Tempo.text(value, dividedBy: scale.factor) ?? value }
    if Metadata.isChapterStart(StaleTags.fieldName(name)) {
      return Metadata.chapterStart(value, scale) ?? value
    }
    return switch StaleTags.fieldName(name) {
    case "TLEN": Self.length(value, scale)
    // The name of TLEN outside ID3; other formats may use it for anything.
    case "LENGTH" where Self.isLength(value, scale): Self.length(value, scale)
    default: value
    }
  }

  /// True if a number of milliseconds is the length of the source, within 2 % or 1 s.
  private static func isLength(_ text: String, _ scale: TimeScale) -> Bool {
    guard let milliseconds = Int(text), scale.sampleRate > 0 else { return false }
    let length = Double(scale.inputFrames) / Double(scale.sampleRate) * 1000
    return abs(Double(milliseconds) - length) <= max(1000, length / 50)
  }

  /// The length of the output in milliseconds; other text stays.
  private static func length(_ text: String, _ scale: TimeScale) -> String {
    guard Int(text) != nil else { return text }
    return String(Int((scale.outputSeconds * 1000).rounded()))
  }
}

/// A tempo in beats per minute, as tags write it: `128`, `128.50`, `128,5`, `174 BPM`, `120-128`.
package enum Tempo {
  /// The tempo that a tag states; `nil` for a range of tempos, and for a text with numbers that mean something else.
  package static func beats(_ tag: String) -> Double? {
    guard text(tag, dividedBy: 1) != nil else { return nil }
    let numbers = numbers(in: tag)
    return numbers.count == 1 ? numbers[0].value : nil
  }

  /// The tempo in the name of a file: `120` in `loop_120bpm`, `Break 98.5 BPM` or `bpm120-amen`; `nil` if none is marked as
  /// such, or if several are.
  package static func beats(inName name: String) -> Double? {
    let lowered = name.lowercased()
    let separators: Set<Character> = [" ", "_", "-", "(", "[", "=", ":"]
    let found = numbers(in: lowered).filter { number in
      let after = lowered[number.range.upperBound...].drop { separators.contains($0) }
      let before = lowered[..<number.range.lowerBound]
      let end = before.reversed().drop { separators.contains($0) }.prefix(3)
      func isWord(_ neighbor: Character?) -> Bool { neighbor?.isLetter == true }
      if after.hasPrefix("bpm") { return !isWord(after.dropFirst(3).first) }
      let isAfterUnit = String(end.reversed()) == "bpm"
      return isAfterUnit
        && !isWord(before.reversed().drop { separators.contains($0) }.dropFirst(3).first)
    }
    return found.count == 1 ? found[0].value : nil
  }

  /// The numbers in a text, with a point or a comma before their decimals.
  private static func numbers(
    in text: String
  ) -> [(value: Double, range: Range<String.Index>)] {
    var found: [(value: Double, range: Range<String.Index>)] = []
    var rest = text[...]
    while let first = rest.firstIndex(where: { $0.isASCII && $0.isNumber }) {
      var digits = rest[first...].prefix { $0.isASCII && $0.isNumber }
      let after = rest[digits.endIndex...]
      if let separator = after.first, separator == "." || separator == "," {
        let decimals = after.dropFirst().prefix { $0.isASCII && $0.isNumber }
        if !decimals.isEmpty { digits = rest[first..<decimals.endIndex] }
      }
      if let value = Double(digits.split(separator: ",").joined(separator: ".")) {
        found.append((value, digits.startIndex..<digits.endIndex))
      }
      rest = rest[digits.endIndex...]
    }
    return found
  }

  /// The tempo divided by a factor, in its form; `nil` for a text with numbers that mean something else. Text without
  /// numbers stays.
  static func text(_ text: String, dividedBy factor: Double) -> String? {
    guard text.contains(where: \.isNumber) else { return text }
    var result = ""
    // The letters and signs around numbers.
    var words: [String] = [""]
    var rest = text[...]
    while let first = rest.first {
      guard first.isASCII, first.isNumber else {
        words[words.count - 1].append(first)
        result.append(first)
        rest.removeFirst()
        continue
      }
      var digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest.removeFirst(digits.count)
      if let separator = rest.first, separator == "." || separator == ",",
        case let decimals = rest.dropFirst().prefix(while: { $0.isASCII && $0.isNumber }),
        !decimals.isEmpty
      {
        digits = text[digits.startIndex..<decimals.endIndex]
        rest = text[decimals.endIndex...]
      }
      guard let scaled = number(digits, dividedBy: factor) else { return nil }
      result += scaled
      words.append("")
    }
    let units: Set = ["", "bpm", "beats per minute"]
    let plain = words.map { $0.lowercased().filter { $0 != " " } }
    let isRange = words.count == 3 && ["-", "\u{2013}", "~"].contains { plain[1].hasSuffix($0) }
    let before = ["", "~", "c.", "ca.", "bpm", "bpm:", "bpm="].contains(plain[0])
    let between = !isRange || units.contains { plain[1].dropLast() == $0.filter { $0 != " " } }
    let after = units.contains { plain[plain.count - 1] == $0.filter { $0 != " " } }
    return before && between && after && (words.count == 2 || isRange) ? result : nil
  }

  /// A positive number with its separator and its number of decimals, or up to two; 0 stays. `nil` for a greater one.
  private static func number(_ text: some StringProtocol, dividedBy factor: Double) -> String? {
    let separator: Character = text.contains(",") ? "," : "."
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard let beats = Double(parts.joined(separator: ".")), beats < 1_000_000 else { return nil }
    if beats == 0 { return String(text) }
    let given = parts.count == 2 ? min(parts[1].utf8.count, 6) : 0
    let decimals = max(given, 2)
    let power = (0..<decimals).reduce(1) { product, _ in product * 10 }
    let scaled = (beats / factor * Double(power)).rounded()
    guard let units = Int(exactly: scaled) else { return nil }
    var fraction = String(String(power + units % power).dropFirst())
    while fraction.utf8.count > given, fraction.hasSuffix("0") { fraction.removeLast() }
    return fraction.isEmpty ? "\(units / power)" : "\(units / power)\(separator)\(fraction)"
  }
}

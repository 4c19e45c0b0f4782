/// A list of chapters as text: lines such as `0:00 Intro`, as in descriptions of videos, or pairs of lines
/// `CHAPTER01=00:00:00.000` and `CHAPTER01NAME=Intro`, as of OGM tools and mkvmerge.
package enum ChapterText {
  /// The chapters for audio of another length; `nil` if the text is no list of chapters.
  ///
  /// Sites take a list only if it begins at 0:00 and its times increase, which distinguishes one from other texts. Times
  /// behind `CHAPTER01=` are chapters anyway.
  ///
  /// - Parameter isNamed: True if the name of the file says that it is a list of chapters.
  package static func scaled(
    _ text: TextUnits, _ scale: TimeScale, isNamed: Bool = false
  ) -> ScaledText? {
    let lines = text.lines
    let places = lines.map { Place($0) }
    let times = places.compactMap(\.self)
    let first = times.first?.time.microseconds
    let increases = zip(times, times.dropFirst()).allSatisfy {
      $0.time.microseconds < $1.time.microseconds
    }
    // A time behind a dash ends the chapter if all have one; elsewhere it may be a title.
    let isRanged = times.count >= 2 && times.allSatisfy { $0.end != nil }
    let isList = isNamed || times.allSatisfy(\.isKeyed)
    guard !times.isEmpty, increases, isList || first == 0 && times.count >= 2 else { return nil }
    var result = ScaledText()
    var isKept = true
    for (number, line) in lines.enumerated() {
      guard let place = places[number] else {
        if isKept { result.units += line }
        if Place.isMeant(line) { result.unreadLines.append(number + 1) }
        continue
      }
      let next = places[(number + 1)...].lazy.compactMap(\.self).first
      isKept = scale.keeps(
        from: place.time.microseconds,
        to: next?.time.microseconds ?? Int(clamping: scale.inputEnd(resolution: 1_000_000)),
        resolution: 1_000_000)
      if isKept { place.append(scale, withEnd: isRanged, to: &result.units) }
    }
    return result
  }

  /// A line with the time of a chapter.
  private struct Place {
    let time: ClockTime
    /// True for a line of the form `CHAPTER01=`.
    let isKeyed: Bool
    /// The time behind a dash that follows, and what lies between; `nil` if there is none.
    let end: (time: ClockTime, between: ArraySlice<UInt16>, after: ArraySlice<UInt16>)?
    private let before, after: ArraySlice<UInt16>

    private static let dashes: [Unicode.Scalar] = ["-", "\u{2013}", "\u{2014}", "~"]

    init?(_ line: ArraySlice<UInt16>) {
      var rest = line.withoutBlanks
      if rest.take(name: "CHAPTER") {
        guard rest.takeNumber() != nil, rest.take("=") else { return nil }
        isKeyed = true
      } else {
        // Marks of a list, and parentheses around the time.
        _ = rest.take(anyOf: ["-", "*", "\u{2022}", "\u{2013}"])
        rest = rest.withoutBlanks
        Self.takeListNumber(&rest)
        _ = rest.take("(") || rest.take("[")
        isKeyed = false
      }
      let start = rest.startIndex
      guard let time = ClockTime.take(from: &rest, .decimal), time.units >= 0 else { return nil }
      if let next = rest.first, next.isDigit || next.isLetter { return nil }
      if !isKeyed, rest.trimmed.isEmpty { return nil }
      self.time = time
      before = line[line.startIndex..<start]
      after = rest
      var behind = rest.withoutBlanks
      if !isKeyed, behind.take(anyOf: Self.dashes) != nil, case let place = behind.withoutBlanks {
        behind = place
        if let end = ClockTime.take(from: &behind, .decimal),
          end.microseconds >= time.microseconds,
          behind.first.map({ !$0.isDigit && !$0.isLetter }) ?? true
        {
          self.end = (end, line[rest.startIndex..<place.startIndex], behind)
          return
        }
      }
      end = nil
    }

    /// Removes the number of a chapter and the blanks behind it: `1. `, `02) `.
    private static func takeListNumber(_ text: inout ArraySlice<UInt16>) {
      var rest = text
      guard rest.takeNumber(most: 3) != nil, rest.take(".") || rest.take(")"),
        rest.first?.isBlank == true
      else { return }
      text = rest.withoutBlanks
    }

    /// True if a line that has no readable time is meant to have one.
    static func isMeant(_ line: ArraySlice<UInt16>) -> Bool {
      var rest = line.withoutBlanks
      guard rest.take(name: "CHAPTER"), rest.takeNumber() != nil else { return false }
      return rest.first == UInt16(ascii: "=")
    }

    func append(_ scale: TimeScale, withEnd: Bool, to result: inout TextUnits) {
      result += before
      time.scaled(scale).append(to: &result, withHours: true, padsHours: false)
      if withEnd, let end {
        result += end.between
        end.time.scaled(scale).append(to: &result, withHours: true, padsHours: false)
        result += end.after
      } else {
        result += after
      }
    }
  }
}

extension Int {
  /// The nearest integer; 0 for NaN.
  fileprivate init(clamping number: Double) {
    self = Int(exactly: number.rounded()) ?? (number > 0 ? .max : 0)
  }
}

/// Chapters in JSON, as podcasts have them: objects with `startTime` and `endTime` in seconds.
///
/// Source: Podcast Namespace, "JSON Chapters Format", version 1.2.
package enum ChapterJSON {
  /// The chapters for audio of another length; `nil` if the text is no such file. Everything but times stays as it is.
  package static func scaled(_ text: TextUnits, _ scale: TimeScale) -> ScaledText? {
    guard let list = ChapterList(text), !list.chapters.isEmpty else { return nil }
    var result = ScaledText()
    var position = text.startIndex
    var isFirst = true
    for (number, chapter) in list.chapters.enumerated() {
      let next = list.chapters.dropFirst(number + 1).first?.start
      if let start = chapter.start {
        let end = chapter.end ?? next ?? scale.inputEnd(resolution: 1)
        let isKept = scale.keeps(
          from: Self.microseconds(start), to: Self.microseconds(max(start, end)),
          resolution: 1_000_000)
        if !isKept {
          // What stands between two chapters goes with the second.
          if isFirst { result.units += text[position..<chapter.range.lowerBound] }
          position = chapter.range.upperBound
          if isFirst, let following = list.chapters.dropFirst(number + 1).first {
            position = following.range.lowerBound
          }
          continue
        }
      } else {
        result.unreadLines.append(text[..<chapter.range.lowerBound].lineCount)
      }
      isFirst = false
      for (place, seconds) in chapter.times {
        result.units += text[position..<place.lowerBound]
        let time = scale.time(Self.microseconds(seconds), resolution: 1_000_000)
        result.units += Array(Decimals.text(time, places: 6).utf16)
        position = place.upperBound
      }
      result.units += text[position..<chapter.range.upperBound]
      position = chapter.range.upperBound
    }
    result.units += text[position...]
    return result
  }

  private static func microseconds(_ seconds: Double) -> Int {
    Int(clamping: seconds * 1_000_000)
  }

  /// The chapters of a file, with their places.
  private struct ChapterList {
    struct Chapter {
      var range: Range<Int>
      /// The places of numbers that are times, in order, and the times in seconds.
      var times: [(Range<Int>, Double)] = []
      var start: Double?
      var end: Double?
    }

    private(set) var chapters: [Chapter] = []

    /// Walks the tokens of a JSON text; `nil` if it has no array of `chapters`, or is no JSON.
    init?(_ text: TextUnits) {
      var tokens = JSONTokens(text)
      var depth = 0
      // The depth within the array of chapters; `nil` outside of it.
      var listDepth: Int?
      var found = false
      var key: String?
      var chapter: Chapter?
      while let token = tokens.next() {
        switch token.kind {
        case .open:
          depth += 1
          if depth == 2, key == "chapters", text[token.range.lowerBound] == UInt16(ascii: "[") {
            (listDepth, found) = (depth, true)
          } else if let listDepth, depth == listDepth + 1 {
            chapter = Chapter(range: token.range)
          }
        case .close:
          if let listDepth, depth == listDepth + 1, let done = chapter {
            chapters.append(
              Chapter(
                range: done.range.lowerBound..<token.range.upperBound, times: done.times,
                start: done.start, end: done.end))
            chapter = nil
          }
          if depth == listDepth { listDepth = nil }
          depth -= 1
        case .key(let name): key = name
        case .number(let value):
          if let listDepth, depth == listDepth + 1, key == "startTime" || key == "endTime" {
            chapter?.times.append((token.range, value))
            if key == "startTime" { chapter?.start = value } else { chapter?.end = value }
          }
        case .other: break
        }
        if depth < 0 { return nil }
      }
      guard found, depth == 0, tokens.isComplete else { return nil }
    }
  }
}

/// The tokens of a text in JSON.
private struct JSONTokens {
  enum Kind {
    case open, close
    case key(String)
    case number(Double)
    case other
  }

  private let text: TextUnits
  private var position = 0
  /// False if the text is no JSON.
  private(set) var isComplete = true

  init(_ text: TextUnits) { self.text = text }

  mutating func next() -> (kind: Kind, range: Range<Int>)? {
    while position < text.count, text[position].isBlank || text[position].isLineEnd {
      position += 1
    }
    guard position < text.count else { return nil }
    let start = position
    position += 1
    switch text[start] {
    case UInt16(ascii: "{"), UInt16(ascii: "["): return (.open, start..<position)
    case UInt16(ascii: "}"), UInt16(ascii: "]"): return (.close, start..<position)
    case UInt16(ascii: ","), UInt16(ascii: ":"): return (.other, start..<position)
    case UInt16(ascii: "\""):
      while position < text.count, text[position] != UInt16(ascii: "\"") {
        position += text[position] == UInt16(ascii: "\\") ? 2 : 1
      }
      guard position < text.count else {
        isComplete = false
        return nil
      }
      position += 1
      let behind = text[position...].drop { $0.isBlank || $0.isLineEnd }
      guard behind.first == UInt16(ascii: ":") else { return (.other, start..<position) }
      return (
        .key(String(decoding: text[start + 1..<position - 1], as: UTF16.self)), start..<position
      )
    default:
      while position < text.count, text[position].isInNumber { position += 1 }
      let word = String(decoding: text[start..<position], as: UTF16.self)
      if let value = Double(word), value.isFinite { return (.number(value), start..<position) }
      return (.other, start..<position)
    }
  }
}

extension UInt16 {
  /// True for the characters of numbers and of `true`, `false` and `null`.
  fileprivate var isInNumber: Bool { isDigit || isLetter || "+-.".utf16.contains(self) }
}

extension ArraySlice<UInt16> {
  /// The number of the line that begins or goes on at the end, from 1.
  fileprivate var lineCount: Int { count { $0 == 0x0A } + 1 }
}

/// Decimal numbers of units.
enum Decimals {
  /// `units` / 10^`places`, without zeros at its end.
  static func text(_ units: Int, places: Int) -> String {
    var digits = String(units.magnitude)
    if digits.utf8.count <= places {
      digits = String(repeating: "0", count: places + 1 - digits.utf8.count) + digits
    }
    var fraction = String(digits.suffix(places))
    while fraction.hasSuffix("0") { fraction.removeLast() }
    let whole = String(digits.dropLast(places))
    return (units < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
  }
}

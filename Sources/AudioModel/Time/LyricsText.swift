/// Lyrics with times in the LRC form: `[00:12.34]A line`, `[00:12.34]<00:12.50>A <00:12.80>line`,
/// `[bg: <00:13.00>ooh]`.
///
/// LRC has no specification. `[offset:+250]` shifts all times by milliseconds, and `[length:03:45]` is the
/// length of the audio.
package enum LyricsText {
  /// The lyrics for audio of another length; `nil` if the text is not LRC.
  package static func scaled(_ text: TextUnits, _ scale: TimeScale) -> ScaledText? {
    let lines = text.lines
    guard isLyrics(lines) else { return nil }
    var result = ScaledText()
    result.units.reserveCapacity(text.count)
    let current = current(lines, scale)
    for (number, line) in lines.enumerated() {
      if !append(line, scale, current, to: &result.units) {
        result.unreadLines.append(number + 1)
      }
    }
    return result
  }

  /// The time, in microseconds, of the line that is being sung when the part that `scale` covers starts; `nil` if
  /// there is none, or if it covers the whole source.
  private static func current(_ lines: [ArraySlice<UInt16>], _ scale: TimeScale) -> Int? {
    guard let first = scale.partStart(resolution: 1_000_000) else { return nil }
    var latest: Int?
    for line in lines {
      var rest = line.withoutBlanks
      while let stamp = Stamp.take(from: &rest), stamp.isOfLine {
        let time = stamp.time.microseconds
        if Double(time) <= first { latest = max(latest ?? 0, time) }
      }
    }
    return latest
  }

  /// True if a line begins with a time, and at least half of the lines begin with a time or a tag.
  private static func isLyrics(_ lines: [ArraySlice<UInt16>]) -> Bool {
    let filled = lines.map { $0.trimmed.withoutBlanks }.filter { !$0.isEmpty }
    func isTimed(_ line: ArraySlice<UInt16>) -> Bool {
      var rest = line
      return Stamp.take(from: &rest) != nil
    }
    return filled.contains(where: isTimed)
      && filled.count { $0.begins(with: "[") || isTimed($0) } * 2 >= filled.count
  }

  /// A time in brackets: of a line, `[mm:ss.xx]`, or of a word, `<mm:ss.xx>`; some programs write that as `(mm:ss.xx)`.
  private struct Stamp {
    private typealias Brackets = (opening: Unicode.Scalar, closing: Unicode.Scalar)

    var time: ClockTime
    private let opening, closing: TextUnits

    var isOfLine: Bool { opening == [UInt16(ascii: "[")] }

    /// Brackets of which every player knows that they hold a time, and those of East Asian keyboards.
    private static let usual: [Brackets] = [("[", "]"), ("<", ">"), ("\u{FF3B}", "\u{FF3D}")]
    /// Brackets that also hold other than times: `John (3:16)`, `Chorus (0:50.5)`.
    private static let others: [Brackets] = [
      ("(", ")"), ("{", "}"), ("\u{FF08}", "\u{FF09}"), ("\u{3010}", "\u{3011}"),
    ]

    private static let firstUnits: Set<UInt16> = Set("[<({".utf16).union([0xE3, 0xEF])

    /// Removes a stamp from the front.
    ///
    /// In other than the usual brackets, a time is `mm:ss` right behind a stamp or `mm:ss.xx` anywhere, and within
    /// `times`, in microseconds; without those, it is text.
    static func take(
      from text: inout ArraySlice<UInt16>, within times: ClosedRange<Int>? = nil,
      isBehindStamp: Bool = false
    ) -> Stamp? {
      // ASCII, the first bytes of the others in UTF-8, and their units in UTF-16.
      guard let first = text.first, first > 0xFF || Self.firstUnits.contains(first) else {
        return nil
      }
      for (brackets, isUsual) in usual.map({ ($0, true) }) + others.map({ ($0, false) }) {
        var rest = text
        guard let opening = rest.take(anyOf: [brackets.opening]) else { continue }
        rest = rest.withoutBlanks
        let isStrict = isPadded(rest)
        guard let time = ClockTime.take(from: &rest, .lyrics),
          isUsual
            || isStrict && (isBehindStamp || time.fractionWidth > 0)
              && times?.contains(time.microseconds) ?? false
        else { return nil }
        rest = rest.withoutBlanks
        guard let closing = rest.take(anyOf: [brackets.closing]) else { return nil }
        text = rest
        return Stamp(time: time, opening: opening, closing: closing)
      }
      return nil
    }

    private static let colons: [Unicode.Scalar] = [":", "\u{FF1A}"]

    /// True for minutes and seconds of two digits each, and neither hours nor a fraction behind a colon.
    private static func isPadded(_ text: ArraySlice<UInt16>) -> Bool {
      var rest = text
      guard rest.takeNumber()?.width == 2, rest.take(anyOf: colons) != nil else { return false }
      return rest.takeNumber()?.width == 2 && rest.take(anyOf: colons) == nil
    }

    /// True if a text begins with a bracket, digits and a colon, as a stamp does.
    ///
    /// In other than the usual brackets, there are two digits, right behind a stamp, and a time that is whole is text.
    static func isMeant(_ text: ArraySlice<UInt16>, isBehindStamp: Bool) -> Bool {
      var rest = text
      let isUsual = rest.take(anyOf: usual.map(\.opening)) != nil
      guard isUsual || isBehindStamp && rest.take(anyOf: others.map(\.opening)) != nil else {
        return false
      }
      rest = rest.withoutBlanks
      _ = rest.take("-")
      // Any number of digits, which need not be a number that fits.
      let digits = rest.prefix { $0.isDigit }
      if digits.isEmpty || !isUsual && (digits.count != 2 || isPadded(rest)) { return false }
      rest = rest.dropFirst(digits.count)
      rest = rest.withoutBlanks
      return rest.take(anyOf: [":", "\u{FF1A}", ";"]) != nil
    }

    func append(_ scale: TimeScale, to result: inout TextUnits) {
      result += opening
      time.scaled(scale).append(to: &result, withHours: false)
      result += closing
    }
  }

  /// Appends a line; returns false if it has a time that cannot be read.
  private static func append(
    _ line: ArraySlice<UInt16>, _ scale: TimeScale, _ current: Int?, to result: inout TextUnits
  ) -> Bool {
    var rest = line.withoutBlanks
    if let tag = tag(line, scale) {
      result += tag.units
      return tag.isRead
    }
    var stamps: [Stamp] = []
    var behind = rest
    while let stamp = Stamp.take(from: &behind), stamp.isOfLine {
      stamps.append(stamp)
      rest = behind
    }
    let isTimed = !stamps.isEmpty
    let end = Int(exactly: scale.inputEnd(resolution: 1_000_000).rounded()) ?? .max
    let times = stamps.map(\.time.microseconds).min().map { $0...max($0, end) }
    func isKept(_ time: ClockTime) -> Bool {
      let units = time.microseconds
      return units == current || scale.keeps(from: units, to: units, resolution: 1_000_000)
    }
    stamps.removeAll { !isKept($0.time) }
    // Without a time of its own, a line begins with its first word.
    if isTimed ? stamps.isEmpty : firstTime(in: rest).map({ !isKept($0) }) ?? false { return true }
    result += line[line.startIndex..<line.withoutBlanks.startIndex]
    for stamp in stamps { stamp.append(scale, to: &result) }
    return appendText(rest, scale, within: times, to: &result)
  }

  private static func firstTime(in text: ArraySlice<UInt16>) -> ClockTime? {
    for index in text.indices {
      var rest = text[index...]
      if let stamp = Stamp.take(from: &rest) { return stamp.time }
    }
    return nil
  }

  /// Appends the text of a line, with the times of words; returns false if a time cannot be read. `times` are from the
  /// line's time to the end of the audio, in microseconds; `nil` if it has none.
  private static func appendText(
    _ text: ArraySlice<UInt16>, _ scale: TimeScale, within times: ClosedRange<Int>?,
    to result: inout TextUnits
  ) -> Bool {
    let isWhole = times == nil
    var isRead = true
    var rest = text
    if isWhole, rest.begins(with: "["), rest.dropFirst().first?.isDigit == true {
      var copy = rest
      let inside = rest.prefix { $0 != UInt16(ascii: "]") }
      isRead = Stamp.take(from: &copy) != nil || !inside.contains(UInt16(ascii: ":"))
    }
    if isWhole, beginsWithOddTime(rest) { isRead = false }
    var isBehindStamp = !isWhole
    while let first = rest.first {
      if let stamp = Stamp.take(from: &rest, within: times, isBehindStamp: isBehindStamp) {
        stamp.append(scale, to: &result)
        isBehindStamp = true
        continue
      }
      if Stamp.isMeant(rest, isBehindStamp: isBehindStamp) { isRead = false }
      isBehindStamp = false
      result.append(first)
      rest.removeFirst()
    }
    return isRead
  }

  /// True if a line without a stamp begins with a time that players take for text: `00:12.34`, `[12.34]`.
  private static func beginsWithOddTime(_ text: ArraySlice<UInt16>) -> Bool {
    var rest = text
    let isSquare = rest.take("[")
    guard rest.takeNumber() != nil else { return false }
    let hasMinutes = rest.take(anyOf: [":", "\u{FF1A}"]) != nil
    if hasMinutes, rest.takeNumber() == nil { return false }
    guard rest.take(anyOf: [".", ","]) != nil, rest.takeNumber() != nil else { return false }
    return hasMinutes || isSquare && rest.take("]")
  }

  /// A line with a tag that contains a time, for audio of another length; `nil` for other lines. A time that cannot be
  /// read is unchanged.
  private static func tag(
    _ line: ArraySlice<UInt16>, _ scale: TimeScale
  ) -> (units: TextUnits, isRead: Bool)? {
    var rest = line.withoutBlanks
    guard rest.take("[") else { return nil }
    rest = rest.withoutBlanks
    let isOffset = rest.take(name: "OFFSET")
    guard isOffset || rest.take(name: "LENGTH") else { return nil }
    rest = rest.withoutBlanks
    guard rest.take(anyOf: [":", "\u{FF1A}"]) != nil else { return nil }
    rest = rest.withoutBlanks
    if isOffset, !rest.take("-") { _ = rest.take("+") }
    var result = TextUnits(line[line.startIndex..<rest.startIndex])
    if !isOffset, let time = ClockTime.take(from: &rest, .decimal) {
      time.scaled(scale).append(to: &result, withHours: false)
    } else if let number = PlainTime.take(from: &rest) {
      number.append(scale, isOffset: isOffset, to: &result)
    } else {
      return (TextUnits(line), !line.contains { $0.isDigit })
    }
    return (result + rest, true)
  }

  /// A length or an offset as a number without colons, such as `60`, `60.5 s`, `250` or `250ms`.
  private struct PlainTime {
    private var number: Int
    private var decimals = 0
    private var isMilliseconds: Bool?
    private var separator = TextUnits()

    /// Removes a number from the front, which a unit or the end of the tag follows.
    static func take(from text: inout ArraySlice<UInt16>) -> PlainTime? {
      var rest = text
      guard let whole = rest.takeNumber() else { return nil }
      var time = PlainTime(number: whole.value)
      if let point = rest.take(anyOf: [".", ","]) {
        guard let part = rest.takeNumber(most: 6) else { return nil }
        time.separator = point
        time.decimals = part.width
        time.number = (0..<part.width).reduce(whole.value) { number, _ in number * 10 } + part.value
      }
      var unit = rest.withoutBlanks
      if unit.take(name: "MS") {
        time.isMilliseconds = true
      } else if unit.take(name: "SEC") || unit.take(name: "S") {
        _ = unit.take(name: "S")
        time.isMilliseconds = false
      }
      guard unit.withoutBlanks.first == UInt16(ascii: "]") else { return nil }
      text = rest
      return time
    }

    /// Appends the number for audio of another length. Without a unit, an offset is in milliseconds, and a length is in
    /// seconds unless these would be hours.
    func append(_ scale: TimeScale, isOffset: Bool, to result: inout TextUnits) {
      let resolution = (0..<decimals).reduce(1) { product, _ in product * 10 }
      let scaled: Int
      if isOffset {
        scaled = Int(exactly: scale.duration(number).rounded()) ?? number
      } else {
        let isSmall = isMilliseconds ?? (number / resolution >= 10_000)
        scaled = scale.time(number, resolution: resolution * (isSmall ? 1000 : 1))
      }
      result.append(number: scaled / resolution, width: 1)
      guard decimals > 0 else { return }
      result += separator
      result.append(number: scaled % resolution, width: decimals)
    }
  }
}

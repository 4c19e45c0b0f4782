/// Subtitles in SubStation Alpha, of version 4 (`.ssa`) and 4+ (`.ass`):
/// `Dialogue: 0,0:00:01.50,0:00:04.00,Default,,0,0,0,,{\k20}Hel{\k30}lo`.
///
/// Source: the specification that the format's programs share, `ass-specs`, and libass for the override tags.
package enum SubStationText {
  /// The subtitles for audio of another length; `nil` if no line has times.
  package static func scaled(_ text: TextUnits, _ scale: TimeScale) -> ScaledText? {
    var result = ScaledText()
    var hasTimes = false
    // The fields before the times, and whether the columns have been stated.
    var columns = Columns()
    for (number, line) in text.lines.enumerated() {
      if line.trimmed.begins(with: "Format:"), let stated = Columns(line.trimmed) {
        columns = stated
      }
      guard let event = Event(line, columns) else {
        result.units += line
        if Event.isMeant(line) { result.unreadLines.append(number + 1) }
        continue
      }
      hasTimes = true
      guard
        scale.keeps(
          from: event.start.microseconds, to: event.end.microseconds, resolution: 1_000_000)
      else { continue }
      event.append(scale, to: &result.units)
    }
    return hasTimes ? result : nil
  }

  /// The places of the times among the fields of an event.
  private struct Columns {
    var start = 1
    var end = 2
    var effect = 8
    var text = 9

    init() {}

    /// The columns that a line states; `nil` if it has no times, as for styles.
    init?(_ line: ArraySlice<UInt16>) {
      let names = line.drop { $0 != UInt16(ascii: ":") }.dropFirst()
        .split(separator: UInt16(ascii: ","), omittingEmptySubsequences: false).map {
          String(decoding: $0.trimmed, as: UTF16.self).lowercased()
        }
      guard let start = names.firstIndex(of: "start"), let end = names.firstIndex(of: "end"),
        start < end
      else { return nil }
      (self.start, self.end) = (start, end)
      text = names.firstIndex(of: "text") ?? names.count - 1
      effect = names.firstIndex(of: "effect") ?? text
    }
  }

  /// A line with the times of an event.
  private struct Event {
    let start, end: ClockTime
    /// The text around the times and the effect, and the last field, with its line break.
    private let before, between, after, effect, beforeText, text: ArraySlice<UInt16>

    init?(_ line: ArraySlice<UInt16>, _ columns: Columns) {
      guard Self.begins(line), let colon = line.firstIndex(of: UInt16(ascii: ":")) else {
        return nil
      }
      let body = line[line.index(after: colon)...]
      let fields = body.split(
        separator: UInt16(ascii: ","), maxSplits: max(columns.text, columns.end + 1),
        omittingEmptySubsequences: false)
      guard fields.count > columns.end, let start = Self.time(fields[columns.start]),
        let end = Self.time(fields[columns.end])
      else { return nil }
      (self.start, self.end) = (start, end)
      before = line[line.startIndex..<fields[columns.start].startIndex]
      between = line[fields[columns.start].endIndex..<fields[columns.end].startIndex]
      let rest = line[fields[columns.end].endIndex...]
      let split = fields.count > columns.text ? fields[columns.text].startIndex : rest.endIndex
      let place = columns.end + 1..<min(columns.text, fields.count)
      effect = place.contains(columns.effect) ? fields[columns.effect] : line[split..<split]
      after = line[rest.startIndex..<effect.startIndex]
      beforeText = line[effect.endIndex..<split]
      text = line[split...]
    }

    private static func begins(_ line: ArraySlice<UInt16>) -> Bool {
      ["Dialogue:", "Comment:"].contains { (name: StaticString) in line.trimmed.begins(with: name) }
    }

    /// True if a line that has no readable times is meant to have them.
    static func isMeant(_ line: ArraySlice<UInt16>) -> Bool {
      line.trimmed.begins(with: "Dialogue:")
    }

    private static func time(_ field: ArraySlice<UInt16>) -> ClockTime? {
      var rest = field.trimmed
      let time = ClockTime.take(from: &rest, .decimal)
      return rest.isEmpty ? time : nil
    }

    /// Appends the event for audio of another length. Times of effects follow the length of the event.
    func append(_ scale: TimeScale, to result: inout TextUnits) {
      let (first, last) = (start.scaled(scale), end.scaled(scale))
      result += before
      first.append(to: &result, withHours: true, padsHours: false)
      result += between
      last.append(to: &result, withHours: true, padsHours: false)
      result += after
      let length = Double(end.microseconds) - Double(start.microseconds)
      let scaled = Double(last.microseconds) - Double(first.microseconds)
      let factor = length > 0 ? scaled / length : 1
      Self.append(effect: effect, factor, to: &result)
      result += beforeText
      OverrideTags(factor: factor).append(text, to: &result)
    }

    /// Appends the field of an effect. The delay for each pixel of those that move is in milliseconds.
    private static func append(
      effect: ArraySlice<UInt16>, _ factor: Double, to result: inout TextUnits
    ) {
      let fields = effect.split(separator: UInt16(ascii: ";"), omittingEmptySubsequences: false)
      let name = fields.first.map { String(decoding: $0.trimmed, as: UTF16.self).lowercased() }
      let places = ["banner": 1, "scroll up": 3, "scroll down": 3]
      guard let place = name.flatMap({ places[$0] }), place < fields.count else {
        result += effect
        return
      }
      let field = fields[place].trimmed
      var delay = field
      guard let number = delay.takeNumber(), delay.isEmpty else {
        result += effect
        return
      }
      result += effect[effect.startIndex..<field.startIndex]
      let scaled = (Double(number.value) * factor).rounded()
      result.append(number: Int(exactly: scaled) ?? number.value, width: 1)
      result += effect[field.endIndex...]
    }
  }

  /// The effects within a text that have times: `{\k20}` in hundredths of a second, `{\fad(200,200)}` in thousandths.
  private struct OverrideTags {
    let factor: Double

    /// Appends a text with the times of its effects scaled. The lengths of syllables add up without rounding errors.
    func append(_ text: ArraySlice<UInt16>, to result: inout TextUnits) {
      var isInside = false
      var (sung, written) = (0.0, 0.0)
      var rest = text
      while let first = rest.first {
        rest.removeFirst()
        result.append(first)
        if first == UInt16(ascii: "{") { isInside = true }
        if first == UInt16(ascii: "}") { isInside = false }
        guard isInside, first == UInt16(ascii: "\\") else { continue }
        let name = rest.prefix { $0.isLetter }
        rest.removeFirst(name.count)
        result += name
        let tag = String(decoding: name, as: UTF16.self)
        if ["k", "K", "kf", "ko"].contains(tag), let length = Self.takeNumber(&rest) {
          sung += length * factor
          let units = (sung - written).rounded()
          written += units
          result.append(number: Int(max(0, units)), width: 1)
        } else if tag == "kt", let start = Self.takeNumber(&rest) {
          // The next syllable begins then.
          sung = start * factor
          written = sung.rounded()
          result.append(number: Int(written), width: 1)
        } else if let places = Self.places[tag], rest.first == UInt16(ascii: "(") {
          appendArguments(of: places, &rest, to: &result)
        }
      }
    }

    /// Removes a number, possibly with decimals, from the front.
    private static func takeNumber(_ text: inout ArraySlice<UInt16>) -> Double? {
      guard let whole = text.takeNumber() else { return nil }
      var rest = text
      guard rest.take("."), let decimals = rest.takeNumber() else { return Double(whole.value) }
      text = rest
      let power = (0..<decimals.width).reduce(1.0) { product, _ in product * 10 }
      return Double(whole.value) + Double(decimals.value) / power
    }

    /// For each effect, how many of its first arguments are times for a number of arguments, and where these begin.
    private static let places: [String: [Int: Range<Int>]] = [
      "fad": [2: 0..<2], "fade": [2: 0..<2, 7: 3..<7], "move": [6: 4..<6],
      "t": [3: 0..<2, 4: 0..<2],
    ]

    private func appendArguments(
      of places: [Int: Range<Int>], _ rest: inout ArraySlice<UInt16>, to result: inout TextUnits
    ) {
      // The last argument of `\t` holds further tags, possibly in parentheses.
      let inside = rest.dropFirst().prefix { $0 != UInt16(ascii: ")") && $0 != UInt16(ascii: "\\") }
      let fields = inside.split(separator: UInt16(ascii: ","), omittingEmptySubsequences: false)
      guard let times = places[fields.count] else { return }
      result.append(UInt16(ascii: "("))
      for (index, field) in fields.enumerated() {
        if index > 0 { result.append(UInt16(ascii: ",")) }
        if times.contains(index),
          let number = Double(String(decoding: field.trimmed, as: UTF16.self)), number.isFinite,
          abs(number) < 1e9
        {
          result += Array(String(Int((number * factor).rounded())).utf16)
        } else {
          result += field
        }
      }
      rest = rest[inside.endIndex...]
    }
  }
}

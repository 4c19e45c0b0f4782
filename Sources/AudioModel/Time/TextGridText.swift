/// Annotations of Praat: tiers of intervals and points, in the long text form (`xmin = 0`) or the short one (`0`).
///
/// Source: Praat manual, "TextGrid file formats": a reader takes the numbers, quoted texts and flags that stand alone,
/// and ignores everything else.
package enum TextGridText {
  /// Times are read and written to a billionth of a second.
  private static let resolution = 1_000_000_000
  private static let places = 9

  /// The annotations for audio of another length, in the form of the text; `nil` if it is no TextGrid.
  ///
  /// For a part of the audio, intervals and points outside of it are left out.
  package static func scaled(_ text: TextUnits, _ scale: TimeScale) -> ScaledText? {
    guard let grid = Grid(text) else { return nil }
    var result = ScaledText()
    result.units = grid.scaled(scale).units(like: text)
    return result
  }

  /// A position in billionths of a second.
  private typealias Time = Int

  private struct Interval {
    var start, end: Time
    let text: TextUnits
  }

  private struct Tier {
    let isOfPoints: Bool
    let name: TextUnits
    var start, end: Time
    var intervals: [Interval]
  }

  /// The content of a file.
  private struct Grid {
    var start, end: Time
    var tiers: [Tier]
    let isLong: Bool
    /// The name of a point's time in the long form: `number`, in older files `time`.
    let pointName: String

    init?(_ text: TextUnits) {
      var tokens = Tokens(text)
      guard tokens.nextText() == Array("ooTextFile".utf16),
        tokens.nextText() == Array("TextGrid".utf16), let start = tokens.nextTime(),
        let end = tokens.nextTime(), tokens.nextFlag() == "<exists>",
        let count = tokens.nextCount()
      else { return nil }
      (self.start, self.end) = (start, end)
      tiers = []
      for _ in 0..<count {
        guard let tier = Self.tier(&tokens) else { return nil }
        tiers.append(tier)
      }
      isLong = tokens.sawName("xmin")
      pointName = tokens.sawName("time") ? "time" : "number"
    }

    private static func tier(_ tokens: inout Tokens) -> Tier? {
      guard let kind = tokens.nextText(), let name = tokens.nextText(),
        let start = tokens.nextTime(), let end = tokens.nextTime(), let count = tokens.nextCount()
      else { return nil }
      let isOfPoints = kind == Array("TextTier".utf16)
      guard isOfPoints || kind == Array("IntervalTier".utf16) else { return nil }
      var tier = Tier(isOfPoints: isOfPoints, name: name, start: start, end: end, intervals: [])
      for _ in 0..<count {
        guard let from = tokens.nextTime(), let to = isOfPoints ? from : tokens.nextTime(),
          let text = tokens.nextText()
        else { return nil }
        tier.intervals.append(Interval(start: from, end: to, text: text))
      }
      return tier
    }

    func scaled(_ scale: TimeScale) -> Grid {
      func time(_ time: Time) -> Time { scale.time(time, resolution: resolution) }
      var result = self
      (result.start, result.end) = (time(start), time(end))
      for index in tiers.indices {
        result.tiers[index].start = time(tiers[index].start)
        result.tiers[index].end = time(tiers[index].end)
        result.tiers[index].intervals = tiers[index].intervals.compactMap { interval in
          guard scale.keeps(from: interval.start, to: interval.end, resolution: resolution) else {
            return nil
          }
          return Interval(
            start: time(interval.start), end: time(interval.end), text: interval.text)
        }
      }
      return result
    }

    /// The text, with the line breaks of another one.
    func units(like text: TextUnits) -> TextUnits {
      var lines = isLong ? longLines : shortLines
      let head = ["File type = \"ooTextFile\"", "Object class = \"TextGrid\"", ""]
      lines = head.map { TextUnits($0.utf16) } + lines
      let first = text.lines.first ?? []
      let lineEnd = first[first.withoutLineEnd.endIndex...]
      return lines.flatMap { $0 + lineEnd }
    }

    private var shortLines: [TextUnits] {
      var lines = [number(start), number(end), TextUnits("<exists>".utf16), count(tiers.count)]
      for tier in tiers {
        lines += [
          quoted(TextUnits((tier.isOfPoints ? "TextTier" : "IntervalTier").utf16)),
          quoted(tier.name), number(tier.start), number(tier.end), count(tier.intervals.count),
        ]
        for interval in tier.intervals {
          lines.append(number(interval.start))
          if !tier.isOfPoints { lines.append(number(interval.end)) }
          lines.append(quoted(interval.text))
        }
      }
      return lines
    }

    private var longLines: [TextUnits] {
      func line(_ name: String, _ value: TextUnits) -> TextUnits {
        TextUnits("\(name) = ".utf16) + value + [0x20]
      }
      let (tab, wide) = ("        ", "            ")
      var lines = [
        line("xmin", number(start)), line("xmax", number(end)),
        TextUnits("tiers? <exists> ".utf16), line("size", count(tiers.count)),
        TextUnits("item []: ".utf16),
      ]
      for (index, tier) in tiers.enumerated() {
        let kind = tier.isOfPoints ? "points" : "intervals"
        lines += [
          TextUnits("    item [\(index + 1)]:".utf16),
          line(
            "\(tab)class", quoted(TextUnits((tier.isOfPoints ? "TextTier" : "IntervalTier").utf16))),
          line("\(tab)name", quoted(tier.name)), line("\(tab)xmin", number(tier.start)),
          line("\(tab)xmax", number(tier.end)),
          line("\(tab)\(kind): size", count(tier.intervals.count)),
        ]
        for (place, interval) in tier.intervals.enumerated() {
          lines.append(TextUnits("\(tab)\(kind) [\(place + 1)]:".utf16))
          if tier.isOfPoints {
            lines.append(line("\(wide)\(pointName)", number(interval.start)))
            lines.append(line("\(wide)mark", quoted(interval.text)))
          } else {
            lines.append(line("\(wide)xmin", number(interval.start)))
            lines.append(line("\(wide)xmax", number(interval.end)))
            lines.append(line("\(wide)text", quoted(interval.text)))
          }
        }
      }
      return lines
    }

    private func number(_ time: Time) -> TextUnits {
      TextUnits(Decimals.text(time, places: TextGridText.places).utf16)
    }

    private func count(_ count: Int) -> TextUnits { TextUnits(String(count).utf16) }

    private func quoted(_ text: TextUnits) -> TextUnits {
      let quote = UInt16(ascii: "\"")
      return [quote] + text.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
    }
  }

  /// The tokens that stand alone.
  private struct Tokens {
    private enum Token {
      case text(TextUnits)
      case number(Double)
      case flag(String)
    }

    private var tokens: ArraySlice<Token> = []
    private var names: Set<String> = []

    init(_ text: TextUnits) {
      var rest = text[...]
      let quote = UInt16(ascii: "\"")
      var found: [Token] = []
      while let first = rest.first {
        if first.isBlank || first.isLineEnd {
          rest.removeFirst()
        } else if first == quote {
          rest.removeFirst()
          var content: TextUnits = []
          while let unit = rest.first {
            rest.removeFirst()
            if unit == quote {
              guard rest.first == quote else { break }
              rest.removeFirst()
            }
            content.append(unit)
          }
          found.append(.text(content))
        } else if first == UInt16(ascii: "!") {
          rest = rest.drop { !$0.isLineEnd }
        } else {
          let word = rest.prefix { !$0.isBlank && !$0.isLineEnd && $0 != quote }
          rest.removeFirst(word.count)
          let name = String(decoding: word, as: UTF16.self)
          if name.hasPrefix("<") {
            found.append(.flag(name))
          } else if let value = Double(name), first.isDigit || "+-.".utf16.contains(first) {
            found.append(.number(value))
          } else {
            names.insert(name)
          }
        }
      }
      tokens = found[...]
    }

    /// True if a word is outside of texts.
    func sawName(_ name: String) -> Bool { names.contains(name) }

    mutating func nextText() -> TextUnits? {
      guard case .text(let text) = tokens.popFirst() else { return nil }
      return text
    }

    mutating func nextFlag() -> String? {
      guard case .flag(let flag) = tokens.popFirst() else { return nil }
      return flag
    }

    mutating func nextTime() -> Time? {
      guard case .number(let seconds) = tokens.popFirst() else { return nil }
      return Int(exactly: (seconds * Double(resolution)).rounded())
    }

    /// A number of items, not above what is left.
    mutating func nextCount() -> Int? {
      guard case .number(let count) = tokens.popFirst(), count >= 0,
        count <= Double(tokens.count)
      else { return nil }
      return Int(exactly: count)
    }
  }
}

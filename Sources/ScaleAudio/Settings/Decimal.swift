/// Numbers as people type them: digits with at most one decimal point, without sign or exponent.
package enum Decimal {
  /// The number in a text; `nil` for any other text, and beyond the range of `Double`.
  package static func value(_ text: some StringProtocol) -> Double? {
    let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
    guard isPlain, text.utf8.contains(where: { $0 != 0x2E }), let value = Double(text),
      value.isFinite
    else { return nil }
    return value
  }

  /// The whole number in a text; `nil` for any other text.
  package static func wholeValue(_ text: some StringProtocol) -> Int? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
  }

  /// The ratio in a text: `1.5`, `1.5x`, `3/2`, `150%` or `150 %`; `nil` for any other text.
  package static func ratio(_ text: some StringProtocol) -> Double? {
    if text.hasSuffix("%") {
      // Many languages write a space before the sign, or one that does not break.
      let number = text.dropLast()
      let spaced = number.last.map { [" ", "\u{A0}", "\u{202F}"].contains($0) } ?? false
      return value(spaced ? number.dropLast() : number).map { $0 / 100 }
    }
    if text.hasSuffix("x") { return value(text.dropLast()) }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    switch parts.count {
    case 1: return value(parts[0])
    case 2:
      guard let above = value(parts[0]), let below = value(parts[1]), below > 0 else { return nil }
      return above / below
    default: return nil
    }
  }

  /// The seconds in a text: `90`, `1:30` or `1:02:03.5`; `nil` for any other text.
  package static func seconds(_ text: some StringProtocol) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), let last = value(parts[parts.count - 1]) else {
      return nil
    }
    if parts.count == 1 { return last }
    var total = 0
    for (place, part) in parts.dropLast().enumerated() {
      guard let number = wholeValue(part), number < 1_000_000, place == 0 || number < 60
      else { return nil }
      total = total * 60 + number
    }
    return last < 60 ? Double(total) * 60 + last : nil
  }
}

/// A time, in seconds or in frames. As people type it: `30`, `30s`, `500ms`, `1:30.25` or `90000f`, without sign.
public enum TypedTime: Hashable, Sendable {
  /// In seconds.
  case seconds(Double)
  /// In frames, at the sample rate of the audio.
  case frames(Int)

  /// The time in frames at a sample rate, in Hz; not rounded.
  package func frames(at rate: Int) -> Double {
    switch self {
    case .seconds(let seconds): seconds * Double(rate)
    case .frames(let frames): Double(frames)
    }
  }

  /// The time in a text; `nil` for any other text.
  package init?(_ text: some StringProtocol) {
    if text.hasSuffix("f") {
      guard let frames = Decimal.wholeValue(text.dropLast()) else { return nil }
      self = .frames(frames)
    } else if text.hasSuffix("ms") {
      guard let milliseconds = Decimal.value(text.dropLast(2)) else { return nil }
      self = .seconds(milliseconds / 1000)
    } else if text.hasSuffix("s") {
      guard let seconds = Decimal.value(text.dropLast()) else { return nil }
      self = .seconds(seconds)
    } else {
      guard let seconds = Decimal.seconds(text) else { return nil }
      self = .seconds(seconds)
    }
  }
}

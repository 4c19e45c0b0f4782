/// A time as people type it: `30`, `30s`, `500ms`, `1:30.25` or `90000f`, without sign.
package enum TypedTime: Hashable, Sendable {
  case seconds(Double)
  case frames(Int)

  /// The time that a whole text spells; `nil` for anything else.
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

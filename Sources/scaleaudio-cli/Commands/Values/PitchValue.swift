import ArgumentParser
import ScaleAudio

/// The value of `--pitch`: semitones as `-2`, `+0.5` or `2st`, or cents as `30c`.
struct PitchValue {
  let semitones: Double

  init(_ text: String) throws {
    let range = StretchSettings.semitoneRange
    guard let semitones = Self.semitones(text), range.contains(semitones) else {
      throw ValidationError(
        "a pitch is within \(Int(range.lowerBound)) to \(Int(range.upperBound)) semitones, "
          + "such as -2, 0.5, 2st or +30c")
    }
    self.semitones = semitones
  }

  private static func semitones(_ text: String) -> Double? {
    let isNegative = text.hasPrefix("-")
    let unsigned = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
    let isCents = unsigned.hasSuffix("c")
    let digits =
      isCents ? unsigned.dropLast() : unsigned.hasSuffix("st") ? unsigned.dropLast(2) : unsigned
    guard let number = Decimal.value(digits) else { return nil }
    let size = isCents ? number / 100 : number
    return isNegative && size != 0 ? -size : size
  }
}

import ArgumentParser
import ScaleAudio

/// The values of one option, joined by commas: `0.9,1.0,1.1`.
struct SeveralValues<Value> {
  /// At least one.
  let values: [Value]

  /// The most values in one option.
  private static var most: Int { 1000 }

  /// Reads each part of a text; throws for two whole numbers, which may be one with a decimal comma.
  init(_ text: String, each: (String) throws -> Value) throws {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if parts.count == 2, Self.isWhole(parts[0].drop { $0 == "-" || $0 == "+" }),
      Self.isWhole(parts[1][...])
    {
      throw ValidationError(
        "use a point for decimals, \(parts[0]).\(parts[1]); two values are \(parts[0]).0,\(parts[1]).0"
      )
    }
    if parts.count > Self.most { throw ValidationError("at most \(Self.most) values are possible") }
    values = try parts.map(each)
  }

  private static func isWhole(_ text: Substring) -> Bool { Decimal.wholeValue(text) != nil }
}

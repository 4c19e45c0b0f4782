import AudioIO
internal import FoundationEssentials
import SystemPackage

extension Encodable {
  /// The value as JSON on one line. A number that is not finite is null: the mean square of samples near 1e200.
  var jsonLine: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if let data = try? encoder.encode(self) { return Array(data) + [UInt8(ascii: "\n")] }
    let mark = "\u{1}not finite\u{1}"
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: mark, negativeInfinity: mark, nan: mark)
    guard let data = try? encoder.encode(self) else { return [] }
    let text = String(decoding: data, as: UTF8.self)
    return Array((text.replacing(#""\u0001not finite\u0001""#, with: "null") + "\n").utf8)
  }
}

extension FilePath {
  /// The bytes of the path if they are not UTF-8; `nil` if a string can hold them.
  var bytesUnlessText: Data? {
    String(validating: bytes, as: UTF8.self) == nil ? Data(bytes) : nil
  }
}

/// A row of a table as CSV.
enum CSVLine {
  /// Values separated by commas, according to RFC 4180.
  static func bytes(_ values: [[UInt8]]) -> [UInt8] {
    let special = Array(",\"\r\n".utf8)
    let quote = UInt8(ascii: "\"")
    let shown = values.map { value -> [UInt8] in
      guard value.contains(where: special.contains) else { return value }
      return [quote] + value.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
    }
    return Array(shown.joined(separator: [UInt8(ascii: ",")])) + Array("\r\n".utf8)
  }
}

/// A row of a table as CSV.
enum CSVLine {
  /// Values separated by commas, as RFC 4180 says.
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

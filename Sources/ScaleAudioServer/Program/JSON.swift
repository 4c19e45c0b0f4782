internal import FoundationEssentials

/// JSON of requests and answers.
enum JSON {
  /// A value as JSON in UTF-8.
  static func bytes(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding fails only for numbers that are not finite; no value has any.
    return (try? encoder.encode(value)).map { Array($0) } ?? Array("null".utf8)
  }

  /// The value that a body holds; `nil` if it holds another.
  static func value<Value: Decodable>(_ type: Value.Type, _ body: [UInt8]) -> Value? {
    try? JSONDecoder().decode(type, from: Data(body))
  }
}

extension HTTPResponse {
  /// A value as JSON.
  static func json(_ value: some Encodable, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status, json: JSON.bytes(value))
  }

  /// A problem as the page shows it.
  static func problem(_ status: Int, _ problem: Problem) -> HTTPResponse {
    failure(status, problem.cause, remedy: problem.remedy)
  }
}

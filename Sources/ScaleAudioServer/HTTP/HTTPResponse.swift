/// An answer to a request. The server adds what frames the body, the fields of its access rules, and
/// `Cache-Control: no-store` unless the answer has that field.
package struct HTTPResponse: Sendable {
  package var status: Int
  package var headers: [(String, String)]
  package var body: HTTPBody

  package init(_ status: Int, headers: [(String, String)] = [], body: HTTPBody = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// JSON in UTF-8.
  package init(_ status: Int = 200, json: [UInt8]) {
    self.init(
      status, headers: [("Content-Type", "application/json")], body: .bytes(json))
  }

  /// An error: `{"error":{"cause":...,"remedy":...}}`.
  package static func failure(_ status: Int, _ cause: String, remedy: String? = nil) -> HTTPResponse
  {
    let remedy = remedy.map(JSONText.quoted) ?? "null"
    return HTTPResponse(
      status,
      json: Array(#"{"error":{"cause":\#(JSONText.quoted(cause)),"remedy":\#(remedy)}}"#.utf8))
  }

  /// The same with another header field.
  package func adding(_ name: String, _ value: String) -> HTTPResponse {
    var copy = self
    copy.headers.append((name, value))
    return copy
  }

  /// Nothing is at this path.
  package static let notFound = failure(404, "there is nothing at this address")
}

/// The body of an answer.
package enum HTTPBody: Sendable {
  case bytes([UInt8])
  /// A body made on the way: one whose `Content-Type` is `text/event-stream` on a thread of its own. Without a byte
  /// count, it is sent in chunks. For HEAD it is closed unread.
  case made(any BodySource, byteCount: Int?)
}

/// A body that is produced while it is sent.
package protocol BodySource: AnyObject, Sendable {
  /// The next bytes, or `nil` at the end. Runs on a thread that may block; one call at a time.
  func next() throws -> [UInt8]?
  /// Comes once, at the end or as soon as the client has left; may run beside `next()`, which should then end
  /// soon.
  func close()
}

/// Texts as JSON.
enum JSONText {
  /// The text in quotation marks.
  static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the UTF-8 of a text in quotation marks.
  static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes += [UInt8(ascii: "\\"), byte]
      case ..<0x20:
        bytes += (byte < 0x10 ? "\\u000" : "\\u00").utf8
        bytes += String(byte, radix: 16).utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

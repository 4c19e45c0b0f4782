/// The methods that a server answers.
package enum HTTPMethod: String, Sendable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case delete = "DELETE"

  /// True if a request of this method changes something.
  package var isChange: Bool { self != .get && self != .head }
}

/// A request, after its access has been checked.
package struct HTTPRequest: Sendable {
  package let method: HTTPMethod
  /// The components of the path, percent-decoded: none is empty, `.` or `..`, or has a slash or a control
  /// character.
  package let path: [String]
  /// The items of the query in their order, percent-decoded.
  package let query: [(name: String, value: String)]
  /// The header fields in their order.
  package let headers: [(name: String, value: String)]
  /// The body, at most `HTTPLimits.bodyBytes`; empty for uploads, whose body goes to their sink.
  package internal(set) var body: [UInt8]

  package init(
    method: HTTPMethod, path: [String], query: [(name: String, value: String)] = [],
    headers: [(name: String, value: String)] = [], body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// The first value of an item of the query.
  package subscript(name: String) -> String? { query.first(named: name) }

  /// The first value of a header field; letter case of names makes no difference.
  package func header(_ name: String) -> String? {
    let name = name.lowercased()
    return headers.first { $0.name.lowercased() == name }?.value
  }
}

extension [(name: String, value: String)] {
  /// The value of the first item of this name.
  func first(named name: String) -> String? { first { $0.name == name }?.value }
}

/// The path and the query of a request's first line, percent-decoded.
struct RequestTarget {
  let path: [String]
  let query: [(name: String, value: String)]

  /// - Returns: `nil` unless the text is a path in ASCII with an optional query, without a fragment (RFC 9112,
  ///   section 3.2.1), and decodes to UTF-8; or if a component of the path is empty, `.` or `..`, or has a slash, a
  ///   backslash or a control character.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.first == UInt8(ascii: "/"), !bytes.contains(UInt8(ascii: "#")),
      bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
    var path: [String] = []
    if end > 1 {
      for part in bytes[1..<end].split(
        separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      {
        guard let component = Self.decoded(part, plusIsSpace: false), Self.isSafe(component) else {
          return nil
        }
        path.append(component)
      }
    }
    var query: [(name: String, value: String)] = []
    for item in bytes.dropFirst(end + 1).split(separator: UInt8(ascii: "&")) {
      let middle = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
      guard let name = Self.decoded(item[..<middle], plusIsSpace: true),
        let value = Self.decoded(item[middle...].dropFirst(), plusIsSpace: true)
      else { return nil }
      query.append((name, value))
    }
    self.path = path
    self.query = query
  }

  private static func isSafe(_ component: String) -> Bool {
    guard !component.isEmpty, component != ".", component != ".." else { return false }
    return !component.unicodeScalars.contains {
      $0 == "/" || $0 == "\\" || $0.properties.generalCategory == .control
    }
  }

  private static func decoded(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> String? {
    var result: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
        else { return nil }
        result.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: result.append(UInt8(ascii: " "))
      default: result.append(byte)
      }
    }
    return String(validating: result, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(UnicodeScalar(byte)).hexDigitValue.flatMap(UInt8.init(exactly:))
  }
}

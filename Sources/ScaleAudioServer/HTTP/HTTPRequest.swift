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

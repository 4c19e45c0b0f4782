/// The content of a server: answers to requests whose access has been checked.
package protocol ServerApplication: Sendable {
  /// Answers a request. Runs on a thread that may block.
  func answer(_ request: HTTPRequest) -> HTTPResponse
  /// Accepts or refuses an upload (PUT) before any of its body is read. Runs on a thread that may block.
  ///
  /// - Parameter byteCount: as the client declares; `nil` if it does not.
  func upload(_ request: HTTPRequest, byteCount: Int?) -> UploadAdmission
}

/// The answer to the header of an upload.
package enum UploadAdmission: Sendable {
  case refused(HTTPResponse)
  case accepted(any UploadSink)
}

/// The destination of an upload's body. Its functions run on threads that may block, one call at a time;
/// after `write`s follows one of the other two.
package protocol UploadSink: AnyObject, Sendable {
  /// - Throws: `HTTPFailure` with the answer that the client gets; another error becomes a 500.
  func write(_ bytes: [UInt8]) throws
  /// The body is whole.
  func finish() -> HTTPResponse
  /// The client left, or `write` failed.
  func abort()
}

/// An error that knows its answer.
package struct HTTPFailure: Error {
  package let response: HTTPResponse

  package init(_ response: HTTPResponse) { self.response = response }
}

/// The bounds of a server.
package struct HTTPLimits: Sendable {
  /// Bytes of a request's header.
  package var headerBytes = 16 * 1024
  /// Bytes of a body that is not an upload.
  package var bodyBytes = 1 << 20
  /// Connections at once.
  package var connections = 256
  /// Streams of events at once, each of which holds a thread.
  package var eventStreams = 16
  /// Seconds until a connection without a request is closed.
  package var idleSeconds = 60.0
  /// Seconds for a header or a body to arrive; for an upload, the longest pause.
  package var slowSeconds = 30.0
  /// Seconds that a client has to read the last answer and to close.
  package var lingerSeconds = 2.0
  /// Bytes of an answer that may wait for the client before the next ones are made.
  package var unsentBytes = 256 * 1024

  package init() {}
}

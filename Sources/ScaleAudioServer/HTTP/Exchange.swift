#if Serve
  internal import AudioIO
  internal import NIOCore
  internal import NIOHTTP1

  /// The facts in the header of a request about the exchange that it begins.
  struct Exchange {
    var method = HTTPMethod.get
    private(set) var isHTTP10 = false
    private(set) var keepsAlive = false
    private(set) var hasBody = false
    /// As declared; `nil` in chunks.
    private(set) var bodyByteCount: Int?
    private(set) var expectsContinue = false
    /// True if the body is coded other than in chunks: the server would store other bytes than intended.
    private(set) var hasUnknownCoding = false

    /// That of a request without a valid header.
    init() {}

    init(_ head: HTTPRequestHead) {
      isHTTP10 = head.version.major == 1 && head.version.minor == 0
      // The parser takes what follows a request to change the protocol for another protocol.
      keepsAlive =
        head.isKeepAlive && head.method != .CONNECT && !head.headers.contains(name: "upgrade")
      // The parser has refused a length that is not a number, and one beside chunks.
      bodyByteCount = head.headers.first(name: "content-length").flatMap { Int($0) }
      hasBody = head.headers.contains(name: "transfer-encoding") || (bodyByteCount ?? 0) > 0
      hasUnknownCoding = head.headers["transfer-encoding"].contains {
        $0.lowercased() != "chunked"
      }
      expectsContinue =
        head.headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
    }
  }

  extension Connection {
    /// Sends the answer to the current request.
    ///
    /// - Parameter closing: whether the connection ends with it.
    func send(_ response: HTTPResponse, closing: Bool = false) {
      guard let context else { return discard(response.body) }
      limit(nil)
      state = .answer(nil)
      guard response.headers.allSatisfy({ Self.isValid($0.1) }) else {
        discard(response.body)
        return send(.failure(500, "a response header field is not valid"), closing: closing)
      }
      var pool = server.workers.answers
      var leavesEventStream = false
      if case .made = response.body, exchange.method != .head, response.isEventStream {
        guard server.enterEventStream() else {
          discard(response.body)
          return send(.failure(503, "too many pages of this server are open"), closing: closing)
        }
        (pool, leavesEventStream) = (server.workers.events, true)
      }
      let sendsBody =
        exchange.method != .head && response.status != 204 && response.status != 304
      let keepsAlive =
        exchange.keepsAlive && !closing
        && !(exchange.isHTTP10 && response.body.byteCount == nil)
      context.write(wrapOutboundOut(.head(head(of: response, keepsAlive))), promise: nil)
      switch response.body {
      case .bytes(let bytes):
        if sendsBody, !bytes.isEmpty {
          let buffer = context.channel.allocator.buffer(bytes: bytes)
          context.write(wrapOutboundOut(.body(.byteBuffer(buffer))), promise: nil)
        }
        end(keepsAlive)
      case .made where !sendsBody:
        discard(response.body)
        end(keepsAlive)
      case .made(let source, let byteCount):
        context.flush()
        let server = server
        let body = BodyPump(
          source, byteCount: byteCount, to: context.channel, server.workers, on: pool,
          closed: { if leavesEventStream { server.leaveEventStream() } },
          finished: { isWhole in isWhole ? self.end(keepsAlive) : self.close() })
        state = .answer(body)
        body.advance()
      }
    }

    private func head(of response: HTTPResponse, _ keepsAlive: Bool) -> HTTPResponseHead {
      var head = HTTPResponseHead(
        version: .http1_1, status: HTTPResponseStatus(statusCode: response.status))
      for (name, value) in response.headers + Access.fields {
        head.headers.add(name: name, value: value)
      }
      if !head.headers.contains(name: "Cache-Control") {
        head.headers.add(name: "Cache-Control", value: "no-store")
      }
      if response.status != 204, response.status != 304 {
        if let count = response.body.byteCount {
          head.headers.add(name: "Content-Length", value: "\(count)")
        } else if !exchange.isHTTP10, exchange.method != .head {
          head.headers.add(name: "Transfer-Encoding", value: "chunked")
        }
      }
      if !keepsAlive {
        head.headers.add(name: "Connection", value: "close")
      } else if exchange.isHTTP10 {
        head.headers.add(name: "Connection", value: "keep-alive")
      }
      return head
    }

    /// Ends an answer. The next request waits until the client has taken it: many small requests must not pile up
    /// large answers.
    private func end(_ keepsAlive: Bool) {
      guard let context else { return }
      state = .answer(nil)
      let promise = context.eventLoop.makePromise(of: Void.self)
      promise.futureResult.assumeIsolated().whenSuccess {
        if keepsAlive {
          self.takeNext()
        } else {
          self.endGently()
        }
      }
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: promise)
    }

    private func discard(_ body: HTTPBody) {
      if case .made(let source, _) = body { server.workers.close { source.close() } }
    }

    /// True if a value is allowed in a header: it contains no line break.
    private static func isValid(_ value: String) -> Bool {
      value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
  }

  extension HTTPBody {
    /// `nil` if it is unknown.
    fileprivate var byteCount: Int? {
      switch self {
      case .bytes(let bytes): bytes.count
      case .made(_, let byteCount): byteCount
      }
    }
  }

  extension HTTPResponse {
    fileprivate var isEventStream: Bool {
      headers.contains { name, value in
        name.lowercased() == "content-type" && value.hasPrefix("text/event-stream")
      }
    }
  }
#endif

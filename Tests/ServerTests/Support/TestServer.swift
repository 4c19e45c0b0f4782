#if Serve
  import AudioIO
  import ScaleAudioServer
  import TestSupport

  /// An application that answers as a test wants it, and counts.
  final class TestApplication: ServerApplication {
    let answers: @Sendable (HTTPRequest) -> HTTPResponse
    let admissions: @Sendable (HTTPRequest, Int?) -> UploadAdmission
    /// The paths of all requests that reached it.
    let asked = Locked<[String]>([])

    init(
      answers: @escaping @Sendable (HTTPRequest) -> HTTPResponse = { request in
        HTTPResponse(200, body: .bytes(Array(request.path.joined(separator: "/").utf8)))
      },
      admissions: @escaping @Sendable (HTTPRequest, Int?) -> UploadAdmission = { _, _ in
        .refused(.failure(403, "no uploads"))
      }
    ) {
      self.answers = answers
      self.admissions = admissions
    }

    func answer(_ request: HTTPRequest) -> HTTPResponse {
      asked.withLock { $0.append(request.path.joined(separator: "/")) }
      return answers(request)
    }

    func upload(_ request: HTTPRequest, byteCount: Int?) -> UploadAdmission {
      asked.withLock { $0.append(request.path.joined(separator: "/")) }
      return admissions(request, byteCount)
    }
  }

  /// A server that ends with the test.
  final class TestServer {
    let server: HTTPServer
    let application: TestApplication
    let token: String

    init(_ application: TestApplication = TestApplication(), limits: HTTPLimits = HTTPLimits())
      throws
    {
      self.application = application
      server = try HTTPServer(.only(0), limits: limits, application)
      let address = server.address(on: "127.0.0.1")
      token = String(address.drop { $0 != "=" }.dropFirst())
    }

    deinit { server.stop() }

    var port: Int { server.port }
    var host: String { "127.0.0.1:\(port)" }
    var cookie: String { "Cookie: scaleaudio-\(port)=\(token)\r\n" }

    /// A request that is admitted.
    func request(
      _ method: String, _ target: String, fields: String = "", body: [UInt8]? = nil
    ) -> [UInt8] {
      var text = "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n\(cookie)\(fields)"
      if method != "GET" && method != "HEAD" {
        text += "Origin: http://\(host)\r\nSec-Fetch-Site: same-origin\r\nX-Scaleaudio: 1\r\n"
      }
      if let body { text += "Content-Length: \(body.count)\r\n" }
      return Array((text + "\r\n").utf8) + (body ?? [])
    }

    /// The answer to a request on a connection of its own.
    func answer(to request: [UInt8], toHead: Bool = false) throws -> Client.Answer {
      let client = try Client(port)
      client.send(request)
      return try client.answer(toHead: toHead)
    }

    /// The same for lines that are sent as they are.
    func answer(to lines: String...) throws -> Client.Answer {
      try answer(to: Array((lines + ["\r\n"]).joined(separator: "\r\n").utf8))
    }
  }

  /// A body made of equal blocks, which counts what is asked of it.
  final class TestBody: BodySource {
    struct Fault: Error {}

    /// The end that follows the blocks.
    enum End { case end, fault, wait }

    private struct State {
      var asked = 0
      var isClosed = false
      var closings = 0
    }

    private let block: [UInt8]
    private let blocks: Int
    private let end: End
    private let state = Locked(State())

    init(_ block: [UInt8], times: Int, then end: End = .end) {
      self.block = block
      blocks = times
      self.end = end
    }

    /// The number of times that it was asked for more.
    var asked: Int { state.withLock { $0.asked } }
    /// The number of times that it was closed.
    var closings: Int { state.withLock { $0.closings } }

    func next() throws -> [UInt8]? {
      let number = state.withLock { state in
        state.asked += 1
        return state.asked
      }
      if number <= blocks { return block }
      switch end {
      case .end: return nil
      case .fault: throw Fault()
      case .wait:
        // Until it is closed, as a stream of events does.
        _ = eventually(within: 60) { closings > 0 }
        return nil
      }
    }

    func close() { state.withLock { $0.closings += 1 } }
  }

  /// A sink that keeps what it gets, up to a limit.
  final class TestSink: UploadSink {
    struct State {
      var bytes: [UInt8] = []
      var hasFinished = false
      var hasAborted = false
    }

    let state = Locked(State())
    private let limit: Int

    init(limit: Int = .max) { self.limit = limit }

    func write(_ bytes: [UInt8]) throws {
      let count = state.withLock { state in
        state.bytes += bytes
        return state.bytes.count
      }
      if count > limit { throw HTTPFailure(.failure(413, "the upload is too large")) }
    }

    func finish() -> HTTPResponse {
      state.withLock { $0.hasFinished = true }
      return HTTPResponse(201, json: Array("{}".utf8))
    }

    func abort() { state.withLock { $0.hasAborted = true } }
  }
#endif

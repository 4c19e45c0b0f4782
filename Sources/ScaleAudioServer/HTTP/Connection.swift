#if Serve
  internal import NIOCore
  internal import NIOHTTP1
  internal import NIOPosix

  /// One connection: its requests one after another, each answered before the next is looked at.
  final class Connection: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The event that the connection waits for.
    enum State {
      /// The header of a request.
      case head
      /// The rest of a request, after which it is answered.
      case body(PendingRequest)
      /// The rest of an upload.
      case upload(UploadPump)
      /// The application, or the client, which takes the answer.
      case answer(BodyPump?)
      /// The end: nothing that arrives counts any more.
      case last
    }

    /// A request whose body is arriving.
    struct PendingRequest {
      var request: HTTPRequest
      /// The answer, if it does not depend on the body.
      var refusal: HTTPResponse?
    }

    /// Input that arrives while an answer is sent.
    private enum Arrival {
      case part(HTTPServerRequestPart)
      case fault(HTTPResponse)
    }

    let server: ServerContext
    var exchange = Exchange()
    var state = State.head
    /// `nil` as soon as the connection is closed.
    private(set) var context: ChannelHandlerContext?
    private var waiting = CircularBuffer<Arrival>()
    private var isTaking = false
    private var holdsRead = false
    private var hasBegun = false
    private var timer: Scheduled<Void>?

    init(_ server: ServerContext) { self.server = server }

    // MARK: - Life

    func channelActive(context: ChannelHandlerContext) {
      self.context = context
      limit(server.limits.idleSeconds) { $0.close() }
    }

    func channelInactive(context: ChannelHandlerContext) {
      self.context = nil
      timer?.cancel()
      waiting.removeAll()
      switch state {
      case .upload(let upload): upload.abort()
      case .answer(let body): body?.close()
      case .head, .body, .last: break
      }
      state = .last
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      switch error {
      case HTTPParserError.headerOverflow:
        fail(.failure(431, "the header has more than \(server.limits.headerBytes) bytes"))
      case is HTTPParserError: fail(.failure(400, "malformed request"))
      // Ignore the rest of a malformed request.
      case is ByteToMessageDecoderError: break
      default: close()
      }
    }

    func close() { context?.close(promise: nil) }

    /// Calls `action` after so many seconds, unless another limit or none is set before.
    func limit(_ seconds: Double?, then action: @escaping (Connection) -> Void = { _ in }) {
      timer?.cancel()
      timer = nil
      guard let seconds, let context else { return }
      timer = context.eventLoop.assumeIsolated().scheduleTask(
        in: .milliseconds(Int64(seconds * 1000))
      ) { [weak self] in
        if let self { action(self) }
      }
    }

    // MARK: - Arrivals

    /// Bytes have arrived, which need not make up a header or anything else yet.
    func bytesArrived() {
      guard case .head = state, !hasBegun else { return }
      hasBegun = true
      limit(server.limits.slowSeconds) { $0.isTooSlow() }
    }

    private func isTooSlow() { fail(.failure(408, "the request did not arrive in time")) }

    /// Begins to wait for more of an upload.
    private func limitPause() { limit(server.limits.slowSeconds) { $0.close() } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      waiting.append(.part(unwrapInboundIn(data)))
      takeWaiting()
    }

    /// Answers a request that is malformed or late.
    private func fail(_ response: HTTPResponse) {
      waiting.append(.fault(response))
      takeWaiting()
    }

    private var isAnswering: Bool {
      if case .answer = state { return true }
      return false
    }

    private func takeWaiting() {
      if isTaking { return }
      isTaking = true
      while !isAnswering, let arrival = waiting.popFirst() {
        switch arrival {
        case .part(let part): take(part)
        case .fault(let response): takeFault(response)
        }
      }
      isTaking = false
      releaseRead()
    }

    private func takeFault(_ response: HTTPResponse) {
      switch state {
      case .head:
        exchange = Exchange()
        send(response, closing: true)
      case .body: send(response, closing: true)
      case .upload, .answer: close()
      case .last: break
      }
    }

    private func take(_ part: HTTPServerRequestPart) {
      switch (state, part) {
      case (.head, .head(let head)): begin(head)
      case (.body(var pending), .body(let bytes)):
        if pending.refusal != nil { break }
        guard pending.request.body.count + bytes.readableBytes <= server.limits.bodyBytes else {
          return send(.tooLarge(server.limits.bodyBytes), closing: true)
        }
        // The only reference, so that appending does not copy.
        state = .last
        pending.request.body += bytes.readableBytesView
        state = .body(pending)
      case (.body(let pending), .end):
        if let refusal = pending.refusal {
          send(refusal)
        } else {
          answer(pending.request)
        }
      case (.upload(let upload), .body(let bytes)):
        limit(nil)
        upload.add(bytes)
      case (.upload(let upload), .end):
        limit(nil)
        upload.end()
      case (.head, _), (.body, .head), (.upload, .head), (.answer, _), (.last, _): break
      }
    }

    // MARK: - Reading no more than can be used

    func read(context: ChannelHandlerContext) {
      if holdsBack {
        holdsRead = true
      } else {
        context.read()
      }
    }

    private var holdsBack: Bool {
      switch state {
      case .answer: true
      case .upload(let upload): !upload.wantsMore
      case .head, .body, .last: !waiting.isEmpty
      }
    }

    private func releaseRead() {
      guard holdsRead, !holdsBack else { return }
      holdsRead = false
      context?.read()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
      if case .answer(let body) = state { body?.advance() }
    }

    // MARK: - Between requests

    /// An answer is on its way to the client; the next request may be looked at.
    func takeNext() {
      state = .head
      hasBegun = false
      if let context { server.waits(context.channel) }
      limit(server.limits.idleSeconds) { $0.close() }
      takeWaiting()
    }

    /// The last answer is on its way: waits until the client has closed, so that it can read the answer.
    func endGently() {
      state = .last
      guard let context else { return }
      server.waits(context.channel)
      limit(server.limits.lingerSeconds) { $0.close() }
      context.close(mode: .output, promise: nil)
      releaseRead()
    }

    // MARK: - Requests

    private func begin(_ head: HTTPRequestHead) {
      limit(server.limits.slowSeconds) { $0.isTooSlow() }
      exchange = Exchange(head)
      let headers = head.headers.map { (name: $0.name, value: $0.value) }
      do throws(HTTPFailure) {
        let admission = try server.access.admit(
          Access.Question(
            method: head.method.rawValue, target: head.uri, headers: headers,
            localAddress: context?.channel.localAddress?.webAddress,
            localPort: context?.channel.localAddress?.port ?? 0))
        work(isAdmitted: true)
        let request = HTTPRequest(
          method: admission.method, path: admission.target.path, query: admission.target.query,
          headers: headers)
        exchange.method = request.method
        if exchange.hasUnknownCoding {
          throw HTTPFailure(.failure(501, "unsupported transfer coding; only chunked is supported"))
        }
        if request.method == .put { return askToUpload(request) }
        if let count = exchange.bodyByteCount, count > server.limits.bodyBytes {
          throw HTTPFailure(.tooLarge(server.limits.bodyBytes))
        }
        if exchange.hasBody, !request.method.isChange {
          throw HTTPFailure(.failure(400, "GET and HEAD requests must not have a body"))
        }
        state = .body(PendingRequest(request: request, refusal: server.pages.answer(request)))
        if exchange.hasBody { sendContinue() }
      } catch {
        work(isAdmitted: false)
        if exchange.hasBody {
          send(error.response, closing: true)
        } else {
          let request = HTTPRequest(method: .get, path: [])
          state = .body(PendingRequest(request: request, refusal: error.response))
        }
      }
    }

    private func work(isAdmitted: Bool) {
      if let context { server.works(context.channel, isAdmitted: isAdmitted) }
    }

    private func answer(_ request: HTTPRequest) {
      guard let context else { return }
      state = .answer(nil)
      limit(nil)
      let application = server.application
      server.workers.answers.runIfActive(eventLoop: context.eventLoop) {
        application.answer(request)
      }.assumeIsolated().whenComplete { result in
        switch result {
        case .success(let response): self.send(response)
        case .failure: self.close()
        }
      }
    }

    private func askToUpload(_ request: HTTPRequest) {
      guard let context else { return }
      let upload = UploadPump(
        context.eventLoop, server.workers,
        taken: {
          self.limitPause()
          self.releaseRead()
        },
        finished: { self.finishUpload($0) })
      state = .upload(upload)
      limit(nil)
      let application = server.application
      let byteCount = exchange.hasBody ? exchange.bodyByteCount : 0
      server.workers.answers.runIfActive(eventLoop: context.eventLoop) {
        application.upload(request, byteCount: byteCount)
      }.assumeIsolated().whenComplete { result in
        switch result {
        case .success(.accepted(let sink)):
          if !upload.isWhole { self.sendContinue() }
          upload.accept(sink)
        case .success(.refused(let response)): self.finishUpload(response)
        case .failure: self.close()
        }
      }
    }

    /// Sends the answer to an upload; the rest of one that has not arrived is not read.
    private func finishUpload(_ response: HTTPResponse) {
      guard case .upload(let upload) = state else { return }
      send(response, closing: !upload.isWhole)
    }

    private func sendContinue() {
      guard exchange.expectsContinue, let context else { return }
      let head = HTTPResponseHead(version: .http1_1, status: .continue)
      context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
    }
  }

  extension SocketAddress {
    /// The address without its port, as in an address of the web: one of IPv6 in brackets, but one of IPv4 as
    /// itself, also where it came through a socket of IPv6.
    var webAddress: String? {
      guard let ipAddress else { return nil }
      if ipAddress.hasPrefix("::ffff:"), ipAddress.contains(".") {
        return String(ipAddress.dropFirst("::ffff:".count))
      }
      return ipAddress.contains(":") ? "[\(ipAddress)]" : ipAddress
    }
  }

  extension HTTPResponse {
    fileprivate static func tooLarge(_ limit: Int) -> HTTPResponse {
      .failure(413, "the body has more than \(limit) bytes")
    }
  }
#endif

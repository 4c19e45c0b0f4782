#if Serve
  internal import NIOCore
  internal import NIOHTTP1
  internal import NIOPosix

  /// Sends a body as it is made, no faster than the client takes it. Lives on the event loop of its channel.
  final class BodyPump {
    private let source: any BodySource
    private let channel: any Channel
    private let workers: Workers
    private let pool: NIOThreadPool
    private var remaining: Int?
    private var isAsking = false
    private var isClosed = false
    private let closed: () -> Void
    private let finished: (_ isWhole: Bool) -> Void

    /// - Parameters:
    ///   - byteCount: how much was promised to the client, if anything.
    ///   - closed: called once, when the body is closed in one way or the other.
    ///   - finished: called once, unless the pump is closed before.
    init(
      _ source: any BodySource, byteCount: Int?, to channel: any Channel, _ workers: Workers,
      on pool: NIOThreadPool, closed: @escaping () -> Void,
      finished: @escaping (_ isWhole: Bool) -> Void
    ) {
      self.source = source
      self.channel = channel
      self.workers = workers
      self.pool = pool
      remaining = byteCount
      self.closed = closed
      self.finished = finished
    }

    /// Asks for the next bytes if the client can take them.
    func advance() {
      guard !isClosed, !isAsking, channel.isWritable else { return }
      if remaining == 0 { return end(isWhole: true) }
      isAsking = true
      let source = source
      pool.runIfActive(eventLoop: channel.eventLoop) { try source.next() }
        .assumeIsolated().whenComplete { self.deliver($0) }
    }

    private func deliver(_ result: Result<[UInt8]?, any Error>) {
      isAsking = false
      if isClosed { return }
      guard case .success(let bytes) = result else { return end(isWhole: false) }
      guard let bytes else { return end(isWhole: remaining ?? 0 == 0) }
      if let remaining {
        guard bytes.count <= remaining else { return end(isWhole: false) }
        self.remaining = remaining - bytes.count
      }
      if !bytes.isEmpty {
        let part = HTTPServerResponsePart.body(
          .byteBuffer(channel.allocator.buffer(bytes: bytes)))
        channel.writeAndFlush(part, promise: nil)
      }
      advance()
    }

    private func end(isWhole: Bool) {
      close()
      finished(isWhole)
    }

    /// Ends the body, whole or not.
    func close() {
      if isClosed { return }
      isClosed = true
      let source = source
      workers.close { source.close() }
      closed()
    }
  }
#endif

#if Serve
  internal import AudioModel
  internal import NIOCore
  internal import NIOPosix

  /// Passes a body on to its sink, one call at a time. Lives on the event loop of its channel.
  final class UploadPump {
    private let eventLoop: any EventLoop
    private let workers: Workers
    private var sink: (any UploadSink)?
    private var queue: [ByteBuffer] = []
    /// True once all of the body has arrived.
    private(set) var isWhole = false
    private var isBusy = false
    private var isOver = false
    private let taken: () -> Void
    private let finished: (HTTPResponse) -> Void

    /// - Parameters:
    ///   - taken: called when the sink has taken all that arrived.
    ///   - finished: called once with the answer, unless the upload is aborted before.
    init(
      _ eventLoop: any EventLoop, _ workers: Workers, taken: @escaping () -> Void,
      finished: @escaping (HTTPResponse) -> Void
    ) {
      self.eventLoop = eventLoop
      self.workers = workers
      self.taken = taken
      self.finished = finished
    }

    /// True if more of the body can be taken.
    var wantsMore: Bool { sink != nil && !isBusy && queue.isEmpty && !isWhole && !isOver }

    /// The upload is wanted.
    func accept(_ sink: any UploadSink) {
      self.sink = sink
      if isOver {
        workers.close { sink.abort() }
      } else {
        advance()
      }
    }

    func add(_ bytes: ByteBuffer) {
      queue.append(bytes)
      advance()
    }

    func end() {
      isWhole = true
      advance()
    }

    private func advance() {
      guard let sink, !isBusy, !isOver else { return }
      if queue.isEmpty {
        isWhole ? finish(sink) : taken()
        return
      }
      var bytes: [UInt8] = []
      for buffer in queue { bytes += Array(buffer: buffer) }
      let arrived = bytes
      queue = []
      isBusy = true
      workers.answers.runIfActive(eventLoop: eventLoop) { try sink.write(arrived) }
        .assumeIsolated().whenComplete { self.hasWritten($0, to: sink) }
    }

    private func hasWritten(_ result: Result<Void, any Error>, to sink: any UploadSink) {
      isBusy = false
      if isOver { return workers.close { sink.abort() } }
      guard case .failure(let error) = result else { return advance() }
      isOver = true
      workers.close { sink.abort() }
      switch error {
      case let failure as HTTPFailure: finished(failure.response)
      case let error as any ErrorWithRemedy: finished(.failure(500, error.cause))
      default: finished(.failure(500, "\(error)"))
      }
    }

    private func finish(_ sink: any UploadSink) {
      isBusy = true
      workers.answers.runIfActive(eventLoop: eventLoop) { sink.finish() }
        .assumeIsolated().whenComplete { result in
          guard case .success(let response) = result else {
            return self.workers.close { sink.abort() }
          }
          if self.isOver { return }
          self.isOver = true
          self.finished(response)
        }
    }

    /// The client has left, or the server ends.
    func abort() {
      if isOver { return }
      isOver = true
      if let sink, !isBusy { workers.close { sink.abort() } }
    }
  }
#endif

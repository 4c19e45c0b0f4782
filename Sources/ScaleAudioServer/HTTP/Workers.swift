#if Serve
  internal import Dispatch
  internal import NIOCore
  internal import NIOPosix

  /// The threads that may block, on which everything beyond the protocol runs.
  struct Workers: Sendable {
    /// For answers, uploads, and bodies that are made on the way.
    let answers = NIOThreadPool(numberOfThreads: 16)
    /// For streams of events, which wait for something to happen.
    let events: NIOThreadPool
    /// For closing what a client has left: other threads may all be waiting.
    let closing = NIOThreadPool(numberOfThreads: 1)

    init(eventStreams: Int) {
      events = NIOThreadPool(numberOfThreads: eventStreams)
      for pool in all { pool.start() }
    }

    private var all: [NIOThreadPool] { [answers, events, closing] }

    /// Runs `work` even when the threads are about to end.
    func close(_ work: @escaping @Sendable () -> Void) {
      closing.submit { _ in work() }
    }

    /// Ends the threads when their work is done.
    ///
    /// - Returns: whether they ended in time.
    func stop(before deadline: DispatchTime) -> Bool {
      let group = DispatchGroup()
      for pool in all {
        group.enter()
        pool.shutdownGracefully { _ in group.leave() }
      }
      return group.wait(timeout: deadline) == .success
    }
  }
#endif

#if Serve
  internal import AudioIO
  internal import Dispatch
  internal import NIOCore
  internal import NIOPosix

  /// State that all connections of a server share.
  final class ServerContext: Sendable {
    let access: Access
    let pages = PageFiles()
    let application: any ServerApplication
    let limits: HTTPLimits
    let workers: Workers
    private let open = Locked<[ObjectIdentifier: any Channel]>([:])
    private let eventStreams = Locked(0)
    private let hasStopped = Locked(false)

    init(_ access: Access, _ application: any ServerApplication, _ limits: HTTPLimits) {
      self.access = access
      self.application = application
      self.limits = limits
      workers = Workers(eventStreams: limits.eventStreams)
    }

    /// Counts a connection until it is closed.
    ///
    /// - Returns: whether it may be served.
    func enter(_ channel: any Channel) -> Bool {
      let count = open.withLock { open in
        open[ObjectIdentifier(channel)] = channel
        return open.count
      }
      channel.closeFuture.whenComplete { _ in
        self.open.withLock { $0[ObjectIdentifier(channel)] = nil }
      }
      return count <= limits.connections
    }

    /// Begins a stream of events, if there is room for one more.
    func enterEventStream() -> Bool {
      eventStreams.withLock { count in
        if count == limits.eventStreams { return false }
        count += 1
        return true
      }
    }

    func leaveEventStream() { eventStreams.withLock { $0 -= 1 } }

    /// Closes all connections, and ends all threads unless the application keeps them for longer than a second. Does
    /// nothing the second time.
    func stop(_ eventLoops: MultiThreadedEventLoopGroup, _ listeners: [any Channel] = []) {
      let isFirst = hasStopped.withLock { hasStopped in
        defer { hasStopped = true }
        return !hasStopped
      }
      guard isFirst else { return }
      let deadline = DispatchTime.now() + .milliseconds(900)
      let group = DispatchGroup()
      for channel in listeners + open.withLock({ Array($0.values) }) {
        group.enter()
        channel.close().whenComplete { _ in group.leave() }
      }
      _ = group.wait(timeout: deadline)
      // Event loops pass on the results of threads, and therefore end last.
      guard workers.stop(before: deadline) else { return }
      group.enter()
      eventLoops.shutdownGracefully { _ in group.leave() }
      _ = group.wait(timeout: deadline)
    }
  }
#endif

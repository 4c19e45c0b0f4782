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
    private let connections = Locked(Connections())
    private let eventStreams = Locked(0)
    private let hasStopped = Locked(false)

    init(_ access: Access, _ application: any ServerApplication, _ limits: HTTPLimits) {
      self.access = access
      self.application = application
      self.limits = limits
      workers = Workers(eventStreams: limits.eventStreams)
    }

    /// Counts a connection until it is closed. Where there are too many, one that waits for its client is closed for it.
    ///
    /// - Returns: whether it may be served.
    func enter(_ channel: any Channel) -> Bool {
      let (isServed, closed) = connections.withLock {
        $0.enter(channel, limit: limits.connections)
      }
      closed?.close(promise: nil)
      channel.closeFuture.whenComplete { _ in
        self.connections.withLock { $0.open[ObjectIdentifier(channel)] = nil }
      }
      return isServed
    }

    /// A connection waits for its client: for a request, or for the end.
    func waits(_ channel: any Channel) { connections.withLock { $0.wait(channel) } }

    /// A connection has a request, which may be admitted or not.
    func works(_ channel: any Channel, isAdmitted: Bool) {
      connections.withLock { connections in
        connections.open[ObjectIdentifier(channel)]?.waitsSince = nil
        if isAdmitted { connections.open[ObjectIdentifier(channel)]?.isKnown = true }
      }
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
      for channel in listeners + connections.withLock({ $0.open.values.map(\.channel) }) {
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

  /// The open connections of a server, those too that only get a refusal.
  private struct Connections {
    struct Open {
      let channel: any Channel
      let isServed: Bool
      /// When it began to wait for its client, as the number of such moments; `nil` while it has a request.
      var waitsSince: Int?
      /// True once a request was admitted: its client knows the token.
      var isKnown = false
    }

    var open: [ObjectIdentifier: Open] = [:]
    private var moments = 0

    /// Adds a connection; returns whether it is served, and the connection that is closed in its place.
    ///
    /// Clients without the token give way first, then those that have been silent longest: connections cost nothing, and
    /// those that send nothing must not keep others out.
    mutating func enter(
      _ channel: any Channel, limit: Int
    ) -> (isServed: Bool, closed: (any Channel)?) {
      let served = open.filter(\.value.isServed)
      var closed: (any Channel)?
      if served.count >= limit {
        let silent = served.compactMap { (id, one) in
          one.waitsSince.map { (id: id, rank: (one.isKnown ? 1 : 0, $0)) }
        }
        closed =
          silent.min { $0.rank < $1.rank }.flatMap { open.removeValue(forKey: $0.id) }?
          .channel
      }
      let isServed = served.count < limit || closed != nil
      open[ObjectIdentifier(channel)] = Open(channel: channel, isServed: isServed)
      if isServed { wait(channel) }
      return (isServed, closed)
    }

    mutating func wait(_ channel: any Channel) {
      moments += 1
      open[ObjectIdentifier(channel)]?.waitsSince = moments
    }
  }
#endif

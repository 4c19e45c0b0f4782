package import AudioModel
package import SystemPackage

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

#if Serve
  internal import Dispatch
  internal import NIOCore
  internal import NIOHTTP1
  internal import NIOPosix

  /// A web server of the page and of an application, for those who know its token.
  package final class HTTPServer: Sendable {
    /// The port of a server.
    package enum Port: Hashable, Sendable {
      /// This one, or any if it is 0.
      case only(Int)
      /// This one or one of the next hundred.
      case from(Int)
    }

    /// The port that it listens on.
    package let port: Int
    /// The hosts by which browsers reach it, best first, as in an address of the web.
    package let hosts: [String]
    private let server: ServerContext
    private let group: MultiThreadedEventLoopGroup
    private let listeners: [any Channel]

    /// Begins to listen.
    ///
    /// - Parameter address: a name or an IP address of this machine; `nil` for 127.0.0.1 and, where it exists, ::1.
    package init(
      _ port: Port, address: String? = nil, limits: HTTPLimits = HTTPLimits(),
      _ application: any ServerApplication
    ) throws(ServerError) {
      let places = try Self.places(address)
      let isEverywhere = places.contains { $0.isWildcard }
      let access = Access(
        address: address.map { $0.contains(":") ? "[\($0)]" : $0 }, answersByAddress: isEverywhere)
      let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
      let server = ServerContext(access, application, limits)
      do {
        let bootstrap = Self.bootstrap(group, server)
        listeners = try Self.listen(bootstrap, places, port, isLoopback: address == nil)
      } catch {
        server.stop(group)
        throw error
      }
      self.server = server
      self.group = group
      self.port = listeners.first?.localAddress?.port ?? 0
      hosts =
        isEverywhere
        ? ["127.0.0.1"] + Self.addressesOfDevices(places)
        : address.map { [$0.contains(":") ? "[\($0)]" : $0] }
          ?? listeners.compactMap { $0.localAddress?.webAddress }
    }

    /// The address that opens the page from a host: it holds the token.
    package func address(on host: String) -> String {
      "http://\(host):\(port)/?token=\(server.access.token)"
    }

    /// Closes all connections and ends within a second; afterwards nothing can be done with it.
    package func stop() { server.stop(group, listeners) }

    // MARK: - Listening

    private static func places(_ address: String?) throws(ServerError) -> [SocketAddress] {
      let names = address.map { [$0] } ?? ["127.0.0.1", "::1"]
      let places = names.compactMap {
        try? SocketAddress.makeAddressResolvingHost($0, port: 0)
      }
      if places.isEmpty { throw .unknownAddress(address ?? names[0]) }
      return places
    }

    private static func listen(
      _ bootstrap: ServerBootstrap, _ places: [SocketAddress], _ port: Port, isLoopback: Bool
    ) throws(ServerError) -> [any Channel] {
      let numbers: [Int]
      switch port {
      // The system chooses a port for one address; for another it may be taken.
      case .only(0): numbers = Array(repeating: 0, count: 20)
      case .only(let number): numbers = [number]
      case .from(let first): numbers = (first...min(first + 100, 65_535)).map { $0 }
      }
      for number in numbers.dropLast() {
        do throws(ServerError) {
          return try listen(bootstrap, places, on: number, isLoopback: isLoopback)
        } catch {
          guard case .portTaken = error else { throw error }
        }
      }
      return try listen(bootstrap, places, on: numbers[numbers.count - 1], isLoopback: isLoopback)
    }

    /// Listens on one port at all places.
    private static func listen(
      _ bootstrap: ServerBootstrap, _ places: [SocketAddress], on port: Int, isLoopback: Bool
    ) throws(ServerError) -> [any Channel] {
      var channels: [any Channel] = []
      var port = port
      var failure: ServerError?
      for place in places {
        var place = place
        place.port = port
        do {
          let channel = try bootstrap.bind(to: place).wait()
          channels.append(channel)
          port = channel.localAddress?.port ?? port
        } catch {
          let cause = (error as? IOError).map { Errno(rawValue: $0.errnoCode) } ?? .ioError
          // Loopback need not exist in both families.
          if isLoopback, [.addressNotAvailable, .addressFamilyNotSupported].contains(cause) {
            failure = .cannotListen(place.webAddress ?? "", port, cause)
            continue
          }
          for channel in channels { try? channel.close().wait() }
          throw cause == .addressInUse
            ? .portTaken(port) : .cannotListen(place.webAddress ?? "", port, cause)
        }
      }
      if channels.isEmpty, let failure { throw failure }
      return channels
    }

    private static func bootstrap(_ group: MultiThreadedEventLoopGroup, _ server: ServerContext)
      -> ServerBootstrap
    {
      let unsent = server.limits.unsentBytes
      return ServerBootstrap(group: group)
        .serverChannelOption(.backlog, value: 256)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        // Blocks that the system holds for a client that does not read were made for nothing, too.
        .childChannelOption(.socketOption(.so_sndbuf), value: .init(unsent))
        .childChannelOption(.writeBufferWaterMark, value: .init(low: unsent / 4, high: unsent))
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandlers(handlers(channel, server))
          }
        }
    }

    private static func handlers(_ channel: any Channel, _ server: ServerContext)
      -> [any ChannelHandler]
    {
      guard server.enter(channel) else {
        return [Refusal(lingerSeconds: server.limits.lingerSeconds)]
      }
      var framing = HTTPResponseEncoder.Configuration()
      framing.automaticallySetFramingHeaders = false
      var limits = NIOHTTPDecoderLimitConfiguration()
      limits.maxHeaderFieldSize = server.limits.headerBytes
      limits.maxHeaderListSize = server.limits.headerBytes
      limits.maxHeaderFieldCount = 100
      let decoder = HTTPRequestDecoder(
        leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)
      let connection = Connection(server)
      return [
        Arrivals(connection), HTTPResponseEncoder(configuration: framing),
        ByteToMessageHandler(decoder), connection,
      ]
    }

    /// The addresses of this machine that others reach it by, when it listens at all addresses: those of IPv4, or of
    /// both kinds.
    private static func addressesOfDevices(_ places: [SocketAddress]) -> [String] {
      let devices = (try? System.enumerateDevices()) ?? []
      return devices.compactMap { device in
        guard let address = device.address, !address.isLoopback, let text = address.webAddress,
          !text.hasPrefix("[fe80:"),
          address.protocol == .inet || places.contains(where: { $0.protocol == .inet6 })
        else { return nil }
        return text
      }
    }
  }

  extension SocketAddress {
    fileprivate var isWildcard: Bool { ipAddress == "0.0.0.0" || ipAddress == "::" }
    fileprivate var isLoopback: Bool {
      ipAddress == "::1" || ipAddress?.hasPrefix("127.") == true
    }
  }
#endif

/// Why a server cannot listen.
package enum ServerError: ErrorWithRemedy {
  case portTaken(Int)
  case unknownAddress(String)
  /// At this address and port, for this cause.
  case cannotListen(String, Int, Errno)

  package var message: String { cause }

  package var cause: String {
    switch self {
    case .portTaken(let port): "port \(port) is in use by another program"
    case .unknownAddress(let address): "\(address) is not an address of this machine"
    case .cannotListen(let address, let port, let cause):
      "cannot listen on port \(port) of \(address): \(cause)"
    }
  }

  package var remedy: Remedy? {
    switch self {
    case .portTaken: .change([.port])
    case .unknownAddress: .change([.listenAddress])
    case .cannotListen(_, _, let cause):
      cause == .permissionDenied
        ? .set(.port, to: "above 1023")
        : .change([.listenAddress])
    }
  }
}

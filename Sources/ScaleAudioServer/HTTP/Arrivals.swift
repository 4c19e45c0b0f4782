#if Serve
  internal import NIOCore

  /// Lets a connection know that bytes have arrived, before they are a header.
  final class Arrivals: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private weak var connection: Connection?

    init(_ connection: Connection) { self.connection = connection }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      connection?.bytesArrived()
      context.fireChannelRead(data)
    }
  }

  /// A connection beyond the limit: it gets one answer, to any request.
  final class Refusal: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let lingerSeconds: Double

    init(lingerSeconds: Double) { self.lingerSeconds = lingerSeconds }

    func channelActive(context: ChannelHandlerContext) {
      let fields =
        Access.fields + [
          ("Content-Length", "0"), ("Retry-After", "1"), ("Connection", "close"),
        ]
      let text =
        "HTTP/1.1 503 Service Unavailable\r\n"
        + fields.map { "\($0.0): \($0.1)\r\n" }.joined() + "\r\n"
      let channel = context.channel
      channel.writeAndFlush(channel.allocator.buffer(string: text), promise: nil)
      channel.close(mode: .output, promise: nil)
      channel.eventLoop.scheduleTask(in: .milliseconds(Int64(lingerSeconds * 1000))) {
        channel.close(promise: nil)
      }
    }

    /// Drops what arrives: closing with bytes unread would reset the connection before the answer is read.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}
  }
#endif

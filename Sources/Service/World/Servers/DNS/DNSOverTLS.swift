// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence
import NIOCore

/// DNS over TLS (RFC 7858), behind the handler of TLS: messages that follow their lengths, each answered on arrival, on a
/// connection that stays open for further ones.
///
/// Theory of operation. Whole queries are answered at once, as long as the client takes the replies. While it does not, neither
/// the octets already received nor the socket are read further. So a connection holds at most one unanswered message and one
/// unanswered arrival, and replies up to the high watermark and one batch. It is closed if it brings no whole query in time,
/// whatever else it brings, and when a client that has closed its side has taken all replies.
final class DNSOverTLS: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    /// The registered identifier for ALPN (RFC 7301).
    static let applicationProtocol = "dot"
    /// Maximum time of a connection without a whole query, its handshake included (RFC 7766 §6.2.3).
    private static let idleTime = TimeAmount.seconds(10)
    /// Octets of replies that are sent together: about a record of TLS (RFC 8446 §5.1).
    private static let batch = 1 << 14

    private let resolver: PublicResolver
    private let service: ServiceEnd
    private let connection: ConnectionRecorder
    private var asker: ResolverClient?
    private var framing = StreamFraming()
    private var deadline = NIODeadline.distantFuture
    private var timer: Scheduled<Void>?
    private var isAnswering = false
    /// Whether the channel wanted to read while the client did not.
    private var isReadWanted = false
    private var inputIsClosed = false

    /// - Parameter connection: on the same event loop.
    init(_ resolver: PublicResolver, at service: ServiceEnd, _ connection: ConnectionRecorder) {
        self.resolver = resolver
        self.service = service
        self.connection = connection
    }

    func channelActive(context: ChannelHandlerContext) {
        asker = ResolverClient(context.channel, at: service)
        deadline = context.eventLoop.now + Self.idleTime
        closeWhenIdle(context)
        context.fireChannelActive()
    }

    // MARK: Queries and replies

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let arrival = unwrapInboundIn(data)
        framing.append(arrival.readableBytesUInt8Span)
        answer(context)
    }

    func read(context: ChannelHandlerContext) {
        if context.channel.isWritable { context.read() } else { isReadWanted = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        answer(context)
        if isReadWanted, context.channel.isWritable {
            isReadWanted = false
            context.read()
        }
        context.fireChannelWritabilityChanged()
    }

    private func answer(_ context: ChannelHandlerContext) {
        // Sending may change the channel's writability, which calls this again.
        if isAnswering { return }
        isAnswering = true
        defer { isAnswering = false }
        var replies: [UInt8] = []
        while let asker, context.channel.isWritable, let query = framing.nextMessage() {
            deadline = context.eventLoop.now + Self.idleTime
            connection.noteQuery()
            guard let reply = resolver.reply(to: query, asker, over: .tls) else { continue }
            StreamFraming.append(reply, to: &replies)
            if replies.count >= Self.batch { send(&replies, context) }
        }
        send(&replies, context)
        // Without room, queries may be left.
        if inputIsClosed, context.channel.isWritable { end(context) }
    }

    private func send(_ replies: inout [UInt8], _ context: ChannelHandlerContext) {
        if replies.isEmpty { return }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: replies)), promise: nil)
        replies.removeAll(keepingCapacity: true)
    }

    // MARK: The end

    private func closeWhenIdle(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(deadline: deadline) {
            let (handler, context) = bound.value
            if context.eventLoop.now >= handler.deadline {
                context.close(promise: nil)
            } else {
                handler.closeWhenIdle(context)
            }
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event {
            inputIsClosed = true
            answer(context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// Closes after all pending writes: an empty write completes after those before it.
    private func end(_ context: ChannelHandlerContext) {
        let end = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in end.value.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }
}

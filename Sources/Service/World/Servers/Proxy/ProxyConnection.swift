// SPDX-License-Identifier: Apache-2.0
import DNS64
import Evidence
import NIOCore
import Proxying

/// Reads a client's request to a proxy, has the connection to the host opened, joins the two, and removes itself.
///
/// Theory of operation. `ProxyHandshake` gets the octets of the request. After the request nothing is read until the host is
/// connected, or the client got the reason why not. Octets that arrived early, and the end of the client's stream, are kept
/// meanwhile: no more than the kernel had.
final class ProxyConnection: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State {
        case listening
        case connecting
        case closing
        case joined
    }

    private let server: ProxyServer
    private let connection: ConnectionRecorder
    private var handshake = ProxyHandshake()
    private var state = State.listening
    private var timer: Scheduled<Void>?
    private var early = ByteBuffer()
    private var inputIsClosed = false
    private var isReadWanted = false

    /// - Parameter connection: on the same event loop.
    init(_ server: ProxyServer, _ connection: ConnectionRecorder) {
        self.server = server
        self.connection = connection
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: server.patience) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    // MARK: The client's request

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var arrival = unwrapInboundIn(data)
        switch state {
        case .listening:
            handshake.append(arrival.readableBytesView)
            listen(context)
        case .connecting: early.writeBuffer(&arrival)
        case .closing: break
        case .joined: context.fireChannelRead(data)
        }
    }

    func read(context: ChannelHandlerContext) {
        switch state {
        case .listening, .joined: context.read()
        case .connecting: isReadWanted = true
        // Closing a connection with unread octets resets it, and the client would lose the answer.
        case .closing: context.read()
        }
    }

    private func listen(_ context: ChannelHandlerContext) {
        while state == .listening {
            switch handshake.next() {
            case .more: return
            case .say(let octets): send(octets, context)
            case .refuse(let answer, let wanted):
                note(wanted)
                refuse(answer, context)
            case .request(let request): connect(request, context)
            }
        }
    }

    private func connect(_ request: ProxyRequest, _ context: ChannelHandlerContext) {
        state = .connecting
        timer?.cancel()
        note(request.wanted)
        early.writeBytes(request.head)
        early.writeBytes(handshake.takeRest())
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        server.connect(context.channel, to: request.wanted).assumeIsolated().whenSuccess { attempt in
            let (handler, context) = bound.value
            handler.go(attempt, request, context)
        }
    }

    private func go(_ attempt: ProxyServer.Attempt, _ request: ProxyRequest, _ context: ChannelHandlerContext) {
        switch attempt {
        case .failed(let result):
            note(request.wanted, result)
            guard context.channel.isActive else { return }
            refuse(request.answer(result), context)
        case .connected(let host):
            guard context.channel.isActive else { return host.close(promise: nil) }
            note(request.wanted, .connected)
            let end = host.localAddress.flatMap(Endpoint.init)
            send(request.answer(.connected, from: end.map { ($0.address, $0.port) }), context)
            join(host, request.wanted.manner, context)
        }
    }

    private func note(_ wanted: ProxiedRequest?, _ result: ProxiedRequest.Result? = nil) {
        guard var wanted else { return }
        wanted.host = shortened(wanted.host)
        if let result { wanted.result = result }
        connection.change { connection, _ in connection.proxied = wanted }
    }

    // MARK: After the request

    private func join(
        _ host: any Channel, _ manner: ProxiedRequest.Manner, _ context: ChannelHandlerContext
    ) {
        state = .joined
        do {
            if manner == .request { try host.pipeline.syncOperations.addHandler(AnswerMarker()) }
            try Splice.join(context.channel, host)
        } catch {
            host.close(promise: nil)
            return context.close(promise: nil)
        }
        if early.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(early)) }
        context.fireChannelReadComplete()
        if inputIsClosed { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        // A read that was requested before the host was connected.
        if isReadWanted { context.read() }
        _ = host.setOption(.autoRead, value: true)
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    private func send(_ octets: [UInt8], _ context: ChannelHandlerContext) {
        if octets.isEmpty { return }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: octets)), promise: nil)
    }

    private func refuse(_ answer: [UInt8], _ context: ChannelHandlerContext) {
        state = .closing
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: answer))).whenComplete { _ in
            let (handler, context) = bound.value
            // The client closes when it has the answer; if it does not, the timer below closes the connection.
            context.close(mode: handler.inputIsClosed ? .all : .output, promise: nil)
        }
        if isReadWanted { context.read() }
        timer?.cancel()
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: Self.farewell) { channel.close(promise: nil) }
    }

    /// Maximum time for a refused client to end the connection.
    private static let farewell = TimeAmount.seconds(2)

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event, state != .joined else {
            return context.fireUserInboundEventTriggered(event)
        }
        inputIsClosed = true
        // A client that ends within its request wants nothing, and a refused one has its answer.
        if state != .connecting { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

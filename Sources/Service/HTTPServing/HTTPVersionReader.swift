// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOTLS

package enum HTTPVersion: String, Sendable {
    case http1 = "HTTP/1.1"
    case http2 = "HTTP/2"
}

/// Finds out which version of HTTP a client speaks, at the end of a pipeline that has no HTTP yet, and leaves.
///
/// Behind TLS the handshake says it (ALPN, RFC 7301). Without, a client that speaks HTTP/2 begins with its preface (prior knowledge,
/// RFC 9113 §3.3), which no request of HTTP/1 begins with. What has come is passed on to what `choose` puts behind this.
final class HTTPVersionReader<Value: Sendable>: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// RFC 9113 §3.4
    private static var preface: [UInt8] { Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) }

    private enum State {
        case reading
        case choosing
        case chosen
    }

    private let promise: EventLoopPromise<Value>
    private let timeout: TimeAmount
    private let choose: (HTTPVersion) -> EventLoopFuture<Value>
    private var state = State.reading
    private var timer: Scheduled<Void>?
    /// At most the preface and one read.
    private var received: [ByteBuffer] = []
    private var context: ChannelHandlerContext?

    /// - Parameters:
    ///   - promise: of what `choose` makes; fails where the connection ends before.
    ///   - timeout: how long a client may take until it is known.
    ///   - choose: puts HTTP at the end of the pipeline.
    init(
        _ promise: EventLoopPromise<Value>, timeout: TimeAmount,
        choose: @escaping (HTTPVersion) -> EventLoopFuture<Value>
    ) {
        self.promise = promise
        self.timeout = timeout
        self.choose = choose
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        timer?.cancel()
        if state == .reading { promise.fail(ChannelError.eof) }
    }

    /// Closes the connection, unless the version is known and with it who serves it.
    func giveUp() {
        if state == .reading { context?.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case TLSUserEvent.handshakeCompleted(let protocolName):
            put(protocolName == "h2" ? .http2 : .http1, context)
        // Who says no more has not said the preface; and of who said nothing, nothing is known.
        case ChannelEvent.inputClosed:
            if received.isEmpty { giveUp() } else { put(.http1, context) }
        default: break
        }
        context.fireUserInboundEventTriggered(event)
        leaveOnceChosen(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received.append(unwrapInboundIn(data))
        let start = Array(received.lazy.flatMap(\.readableBytesView).prefix(Self.preface.count))
        if !Self.preface.starts(with: start) {
            put(.http1, context)
        } else if start.count == Self.preface.count {
            put(.http2, context)
        }
        leaveOnceChosen(context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // There is nobody behind this who could.
        context.close(promise: nil)
    }

    /// The pipeline is complete when this returns, as `choose` only adds handlers.
    private func put(_ version: HTTPVersion, _ context: ChannelHandlerContext) {
        guard state == .reading else { return }
        state = .choosing
        let made = choose(version)
        made.cascade(to: promise)
        made.assumeIsolated().whenComplete { [self] result in
            guard case .success = result else { return context.close(promise: nil) }
            state = .chosen
        }
    }

    private func leaveOnceChosen(_ context: ChannelHandlerContext) {
        guard state == .chosen, self.context != nil else { return }
        for buffer in received { context.fireChannelRead(wrapInboundOut(buffer)) }
        if !received.isEmpty { context.fireChannelReadComplete() }
        received = []
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }
}

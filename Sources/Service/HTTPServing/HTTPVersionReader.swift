// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOTLS

package enum HTTPVersion: String, Sendable {
    case http1 = "HTTP/1.1"
    case http2 = "HTTP/2"
}

/// Detects the HTTP version of a client, at the end of a pipeline that has no HTTP yet, and removes itself.
///
/// With TLS the handshake contains it (ALPN, RFC 7301). Without, a client that speaks HTTP/2 begins with its preface (prior
/// knowledge, RFC 9113 §3.3), which cannot begin a request of HTTP/1. Received data is passed on to the handlers that `choose` adds.
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
    ///   - promise: for the result of `choose`; fails if the connection ends before.
    ///   - timeout: time until the version must be known.
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

    /// Closes the connection, unless the version is known and handlers serve it.
    func giveUp() {
        if state == .reading { context?.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case TLSUserEvent.handshakeCompleted(let protocolName):
            put(protocolName == "h2" ? .http2 : .http1, context)
        // A client that stops after part of the preface speaks HTTP/1; if it sent nothing, its version stays unknown.
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
        // No later handler could deal with it.
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

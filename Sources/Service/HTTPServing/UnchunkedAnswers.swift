// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHTTP1

/// Has no answer to a client of HTTP/1.0 be chunked, as it would not know what that is (RFC 9112 §6.1). One of unknown length ends with
/// its connection (§6.3), which `ConnectionPersistence` sees to.
final class UnchunkedAnswers: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Of each request without a complete answer, oldest first, whether its client knows chunks.
    private var knowsChunks: [Bool] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) { knowsChunks.append(head.version == .http1_1) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var part = unwrapOutboundIn(data)
        switch part {
        case .head(var head) where knowsChunks.first == false && !head.headers.contains(name: "content-length"):
            // By this NIO's encoder knows.
            head.version = .http1_0
            part = .head(head)
        // An answer to what is no request has none to go with.
        case .end where !knowsChunks.isEmpty: knowsChunks.removeFirst()
        default: break
        }
        context.write(wrapOutboundOut(part), promise: promise)
    }
}

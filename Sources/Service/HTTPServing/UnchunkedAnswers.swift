// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHTTP1

/// Prevents chunked responses to clients of HTTP/1.0, which do not know them (RFC 9112 §6.1). A response of unknown length ends with
/// its connection (§6.3), which `ConnectionPersistence` ensures.
final class UnchunkedAnswers: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// For each request without a complete response, oldest first, whether its client knows chunks.
    private var knowsChunks: [Bool] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) { knowsChunks.append(head.version == .http1_1) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var part = unwrapOutboundIn(data)
        switch part {
        case .head(var head) where knowsChunks.first == false && !head.headers.contains(name: "content-length"):
            // NIO's encoder does not chunk for this version.
            head.version = .http1_0
            part = .head(head)
        // A response to an invalid request has no entry.
        case .end where !knowsChunks.isEmpty: knowsChunks.removeFirst()
        default: break
        }
        context.write(wrapOutboundOut(part), promise: promise)
    }
}

// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHTTP1

/// Tells the application by a single header field whether a connection ends with the current request.
///
/// HTTP/1.1 keeps it open; HTTP/1.0 ends it, as no server has to honour its keep-alive; and the Connection header is a list,
/// case-insensitive (RFC 9112 §9.3). The handler sees neither version nor list, only `connection: close`.
///
/// A request that offers another protocol is answered in HTTP/1.1 (RFC 9110 §7.8). It ends the connection, as NIO's decoder takes what
/// comes after it for that protocol.
final class ConnectionPersistence: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data),
            head.version != .http1_1 || !head.isKeepAlive || head.headers.contains(name: "upgrade"),
            head.headers["connection"] != ["close"]
        else { return context.fireChannelRead(data) }
        head.headers.replaceOrAdd(name: "connection", value: "close")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }
}

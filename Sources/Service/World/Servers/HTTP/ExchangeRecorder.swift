// SPDX-License-Identifier: Apache-2.0
import Evidence
import NIOCore
import NIOHTTP1

/// Logs the requests and answers of a connection of HTTP/1 or of a stream of HTTP/2 as they pass.
///
/// It is next to the decoder, so it sees requests before anything has interpreted them, and counts the octets of an answer that
/// were sent, not those that were intended.
final class ExchangeRecorder: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let connection: ConnectionRecorder
    private let unknownHost: @Sendable (_ host: String) -> Bool
    /// Requests without a complete answer, oldest first, by their index in the log; more than one if the client pipelines.
    private var open: [Int?] = []

    /// - Parameters:
    ///   - connection: on the same event loop.
    ///   - unknownHost: whether a request for this host is refused.
    init(of connection: ConnectionRecorder, unknownHost: @escaping @Sendable (String) -> Bool) {
        self.connection = connection
        self.unknownHost = unknownHost
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) {
            let host = head.headers.first(name: "Host") ?? ""
            var exchange = HTTPExchange(
                method: shortened(head.method.rawValue), host: shortened(host), path: shortened(head.uri))
            exchange.isForUnknownHost = unknownHost(host)
            open.append(connection.add(exchange))
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if !open.isEmpty {
            switch unwrapOutboundIn(data) {
            // An informational response (RFC 9110 §15.2) is not yet the answer.
            case .head(let head) where head.status.code < 200: break
            case .head(let head):
                answer { exchange, age in
                    exchange.status = Int(head.status.code)
                    exchange.firstOctet = age
                }
            case .body(let body): answer { exchange, _ in exchange.bytes += body.readableBytes }
            case .end:
                answer { exchange, age in exchange.end = age }
                open.removeFirst()
            }
        }
        context.write(data, promise: promise)
    }

    private func answer(_ body: (inout HTTPExchange, _ age: Duration) -> Void) {
        guard let place = open[0] else { return }
        connection.change { connection, age in body(&connection.exchanges[place], age) }
    }
}

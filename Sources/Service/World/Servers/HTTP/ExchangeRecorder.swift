import ConfigurationText
import NIOCore
import NIOHTTP1
import Wire

/// Watches the requests and responses of one connection go by, and logs each exchange when it is over.
///
/// It stands next to the HTTP decoder, so it sees what the client sent before anything has interpreted it, and counts what
/// was sent rather than what was meant to be.
final class ExchangeRecorder: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let service: World.Service
    private let log: RequestLog
    private let now: @Sendable () -> Instant
    /// Requests without a complete answer, oldest first: more than one where the client pipelines.
    private var open: [RequestRecord] = []

    init(service: World.Service, log: RequestLog, now: @escaping @Sendable () -> Instant) {
        self.service = service
        self.log = log
        self.now = now
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) {
            let peer = context.channel.remoteAddress
            open.append(
                RequestRecord(
                    time: now(), service: service, peer: peer.flatMap(IPAddress.init(socketAddress:)),
                    peerPort: peer?.port.flatMap(UInt16.init(exactly:)) ?? 0, method: shortened(head.method.rawValue),
                    host: shortened(head.headers.first(name: "Host") ?? ""), path: shortened(head.uri), status: nil,
                    bytes: 0))
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if !open.isEmpty {
            switch unwrapOutboundIn(data) {
            // An informational response (RFC 9110 §15.2) is not yet the answer.
            case .head(let head) where head.status.code < 200: break
            case .head(let head): open[0].status = Int(head.status.code)
            case .body(let body): open[0].bytes += body.readableBytes
            case .end: log.add(open.removeFirst())
            }
        }
        context.write(data, promise: promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        for record in open { log.add(record) }
        open = []
    }

    private func shortened(_ text: String) -> String {
        String(decoding: text.utf8.prefix(RequestLog.maximumTextLength), as: UTF8.self)
    }
}

extension IPAddress {
    init?(socketAddress: SocketAddress) {
        guard let text = socketAddress.ipAddress else { return nil }
        self.init(text)
    }
}

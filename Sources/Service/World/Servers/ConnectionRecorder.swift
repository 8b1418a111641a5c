import ConfigurationText
import DNSWire
import Evidence
import NIOCore
import NIOHTTP1
import NIOSSL
import NIOTLS
import Wire

/// Watches one connection go by, its TLS and its requests, and logs what it sees as it comes.
///
/// It stands next to the HTTP decoder, so it sees what the client sent before anything has interpreted it, and counts what
/// was sent rather than what was meant to be. What TLS has to tell passes there as events and errors.
final class ConnectionRecorder: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let service: ServiceEnd
    private let unknownHost: @Sendable (_ host: String) -> Bool
    private let log: ConnectionLog
    private var entry: ConnectionLog.Entry?
    /// Requests without a complete answer, oldest first, by their places in the log: more than one where the client pipelines.
    private var open: [Int?] = []

    /// - Parameter unknownHost: whether a request for this host is refused.
    init(_ service: ServiceEnd, log: ConnectionLog, unknownHost: @escaping @Sendable (String) -> Bool) {
        self.service = service
        self.log = log
        self.unknownHost = unknownHost
    }

    func channelActive(context: ChannelHandlerContext) {
        entry = context.channel.remoteAddress.flatMap(IPAddress.init(socketAddress:)).flatMap {
            log.open($0, service)
        }
        context.fireChannelActive()
    }

    private func change(_ body: (inout ServedConnection) -> Void) {
        if let entry { log.change(entry, body) }
    }

    // MARK: HTTP

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data), let entry {
            let host = head.headers.first(name: "Host") ?? ""
            var exchange = HTTPExchange(
                method: shortened(head.method.rawValue), host: shortened(host), path: shortened(head.uri))
            exchange.isForUnknownHost = unknownHost(host)
            open.append(log.add(exchange, to: entry))
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if !open.isEmpty {
            switch unwrapOutboundIn(data) {
            // An informational response (RFC 9110 §15.2) is not yet the answer.
            case .head(let head) where head.status.code < 200: break
            case .head(let head): answer { $0.status = Int(head.status.code) }
            case .body(let body): answer { $0.bytes += body.readableBytes }
            case .end: open.removeFirst()
            }
        }
        context.write(data, promise: promise)
    }

    private func answer(_ body: (inout HTTPExchange) -> Void) {
        guard let place = open[0] else { return }
        change { body(&$0.exchanges[place]) }
    }

    // MARK: TLS

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let choice as ServerNameChoice: change { $0.tls = TLSHandshake(choice) }
        case TLSUserEvent.handshakeCompleted(let protocolName):
            change {
                $0.tls?.end = .completed
                $0.tls?.applicationProtocol = protocolName.map(shortened)
            }
        case let alert as ClientAlert:
            change { if $0.tls?.end == .open { $0.tls?.end = .refusedByClient(alert: alert.number) } }
        case TLSUserEvent.shutdownCompleted, ChannelEvent.inputClosed: end(byClient: true)
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if case .handshakeFailed(let reason)? = error as? NIOSSLError {
            change { $0.tls?.fail(reason) }
        }
        context.fireErrorCaught(error)
    }

    // MARK: The end

    func channelInactive(context: ChannelHandlerContext) {
        end(byClient: false)
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end(byClient: false)
    }

    private func end(byClient: Bool) {
        if let entry { log.close(entry, byClient: byClient) }
    }

    private func shortened(_ text: String) -> String {
        String(decoding: text.utf8.prefix(ConnectionLog.Limits.text), as: UTF8.self)
    }
}

extension TLSHandshake {
    fileprivate init(_ choice: ServerNameChoice) {
        let name = choice.serverName.map {
            String(decoding: $0.utf8.prefix(ConnectionLog.Limits.text), as: UTF8.self)
        }
        self.init(serverName: name, dependsOnName: choice.dependsOnName)
        switch choice.choice {
        case .show(let shown):
            certificateNames = shown.names.names
            isBad = [.expired, .selfSigned, .wrongName].contains(shown.kind)
        case .close(let alert): end = .refusedByServer(alert: alert.number)
        }
    }

    fileprivate mutating func fail(_ reason: BoringSSLError) {
        guard end == .open else { return }
        end = .failed
        guard case .sslError(let stack) = reason else { return }
        if stack.contains(.eofDuringHandshake) { end = .left }
        if let alert = stack.lazy.compactMap(\.alert).first { end = .refusedByClient(alert: alert) }
    }
}

extension BoringSSLInternalError {
    /// The alert that the peer sent. BoringSSL packs library and reason into a number (ERR_PACK, err.h), and the reasons from
    /// SSL_AD_REASON_OFFSET (ssl.h) on are the peer's alerts. NIO shows that number in the description only.
    fileprivate var alert: UInt8? {
        let words = description.split(separator: " ", maxSplits: 2)
        guard words.count > 1, words[0] == "Error:", let packed = Int(words[1]), packed >> 24 == Self.sslLibrary else {
            return nil
        }
        return UInt8(exactly: packed & 0xfff - Self.alertOffset)
    }

    /// ERR_LIB_SSL
    private static let sslLibrary = 16
    private static let alertOffset = 1000
}

extension IPAddress {
    init?(socketAddress: SocketAddress) {
        guard let text = socketAddress.ipAddress else { return nil }
        self.init(text)
    }
}

// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import DNSWire
import Evidence
import HTTPServing
import NIOCore
import NIOSSL
import NIOTLS
import Wire

/// Logs the TLS handshake and the end of one connection as they happen. TLS reports to it by events and errors;
/// `ExchangeRecorder` logs the requests.
final class ConnectionRecorder: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = NIOAny

    private let service: ServiceEnd
    private let isOpaque: Bool
    private let log: ConnectionLog
    private var entry: ConnectionLog.Entry?

    /// - Parameter isOpaque: whether a program of the user's serves behind TLS.
    init(_ service: ServiceEnd, isOpaque: Bool = false, log: ConnectionLog) {
        self.service = service
        self.isOpaque = isOpaque
        self.log = log
    }

    func channelActive(context: ChannelHandlerContext) {
        entry = context.channel.remoteAddress.flatMap(IPAddress.init(socketAddress:)).flatMap {
            log.open($0, service)
        }
        if isOpaque { change { connection, _ in connection.isOpaque = true } }
        context.fireChannelActive()
    }

    /// - Parameter body: gets the connection's age.
    func change(_ body: (inout ServedConnection, _ age: Duration) -> Void) {
        if let entry { log.change(entry, body) }
    }

    /// - Returns: the index among the connection's exchanges; `nil` if the connection is not logged, or there is no room.
    func add(_ exchange: HTTPExchange) -> Int? { entry.flatMap { log.add(exchange, to: $0) } }

    /// Logs the version of HTTP, with or without TLS.
    func note(_ version: HTTPVersion) {
        change { connection, _ in connection.httpVersion = version.rawValue }
    }

    /// Counts a received message of DNS over TLS.
    func noteQuery() {
        change { connection, _ in connection.queries += 1 }
    }

    // MARK: TLS

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let choice as ServerNameChoice: change { connection, _ in connection.tls = TLSHandshake(choice) }
        case TLSUserEvent.handshakeCompleted(let protocolName):
            change { connection, age in
                connection.tls?.end = .completed
                connection.tls?.applicationProtocol = protocolName.map(shortened)
                connection.tls?.duration = age
            }
        case let alert as ClientAlert:
            change { connection, _ in
                if connection.tls?.end == .open { connection.tls?.end = .refusedByClient(alert: alert.number) }
            }
        case TLSUserEvent.shutdownCompleted, ChannelEvent.inputClosed: end(byClient: true)
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if case .handshakeFailed(let reason)? = error as? NIOSSLError {
            change { connection, _ in connection.tls?.fail(reason) }
            // The server closes next.
            end(byClient: false)
        }
        context.fireErrorCaught(error)
    }

    // MARK: The end

    /// The server closes. The client's reaction, such as its own close_notify, no longer counts as its end of the connection.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode != .input { end(byClient: false) }
        context.close(mode: mode, promise: promise)
    }

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
}

extension TLSHandshake {
    fileprivate init(_ choice: ServerNameChoice) {
        self.init(serverName: choice.serverName.map(shortened), dependsOnName: choice.dependsOnName)
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

/// A client's text, cut to the log's limit.
func shortened(_ text: String) -> String {
    String(decoding: text.utf8.prefix(ConnectionLog.Limits.text), as: UTF8.self)
}

extension IPAddress {
    init?(socketAddress: SocketAddress) {
        guard let text = socketAddress.ipAddress else { return nil }
        self.init(text)
    }
}

// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTP2
import NIOSSL
import NIOTLS
import Suites
import Synchronization
import Wire

/// A GET and its answer over any stream of octets: HTTP/1.1, or HTTP/2 if the server chooses it in TLS (ALPN).
///
/// It does no I/O: the owner of the connection passes received octets to it and sends its output. So it needs no thread of
/// its own, and also works in a process that forks.
final class PageClient {
    private let channel = EmbeddedChannel()
    private let answer: AnswerReader.Answer

    /// - Parameter host: the request's Host. TLS sends no server name (SNI), as an address is not allowed there (RFC 6066 §3).
    init(_ request: PageRequest, host: String) throws {
        let answer = AnswerReader.Answer()
        self.answer = answer
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: request.path,
            headers: ["Host": host, "User-Agent": "ipv6check", "Accept": "*/*", "Connection": "close"])
        if request.scheme == .https {
            let tls = try NIOSSLClientHandler(context: Self.context(), serverHostname: nil)
            let negotiation = ApplicationProtocolNegotiationHandler { result, channel in
                channel.eventLoop.makeCompletedFuture {
                    if case .negotiated("h2") = result {
                        try Self.speakHTTP2(head, over: channel, to: answer)
                    } else {
                        try Self.speakHTTP1(head, over: channel, to: answer)
                    }
                }
            }
            try channel.pipeline.syncOperations.addHandlers([tls, negotiation])
        } else {
            try Self.speakHTTP1(head, over: channel, to: answer)
        }
        // The owner carries the octets, so the address is not used.
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/")).wait()
    }

    /// A probe checks only that the server answers, so any certificate will do.
    private static func context() throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        configuration.applicationProtocols = ["h2", "http/1.1"]
        return try NIOSSLContext(configuration: configuration)
    }

    private static func speakHTTP1(
        _ head: HTTPRequestHead, over channel: any Channel, to answer: AnswerReader.Answer
    ) throws {
        try channel.pipeline.syncOperations.addHTTPClientHandlers()
        try channel.pipeline.syncOperations.addHandler(AnswerReader(to: head, answer))
    }

    private static func speakHTTP2(
        _ head: HTTPRequestHead, over channel: any Channel, to answer: AnswerReader.Answer
    ) throws {
        let streams = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
            mode: .client, connectionConfiguration: .init(), streamConfiguration: .init()
        ) { $0.close() }
        streams.createStreamChannel(promise: nil) { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandlers([
                    HTTP2FramePayloadToHTTP1ClientCodec(httpProtocol: .https), AnswerReader(to: head, answer),
                ])
            }
        }
    }

    /// The answer, as soon as it is complete or can no longer arrive.
    var result: ProbeAnswer.Result? { answer.result }

    /// The octets to send now; `nil` if there are none.
    func takeOutput() -> [UInt8]? { (try? channel.readOutbound(as: ByteBuffer.self)).map { Array(buffer: $0) } }

    func receive(_ octets: some Sequence<UInt8>) {
        do {
            try channel.writeInbound(ByteBuffer(bytes: octets))
            channel.embeddedEventLoop.run()
        } catch {
            answer.fail(error)
        }
    }

    /// Takes the end of the server's stream.
    func receiveEnd() {
        do {
            _ = try channel.finish(acceptAlreadyClosed: true)
        } catch {
            answer.fail(error)
        }
        answer.end()
    }
}

/// Sends the request when it can, and reads the answer.
private final class AnswerReader: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    /// Maximum octets of an answer's body; reading ends there.
    private static let limit = 1 << 20

    final class Answer: Sendable {
        private let state = Mutex<ProbeAnswer.Result?>(nil)

        var result: ProbeAnswer.Result? { state.withLock { $0 } }

        /// The first result counts; later ones are ignored.
        func set(_ result: ProbeAnswer.Result) { state.withLock { $0 = $0 ?? result } }

        func fail(_ error: any Error) {
            switch error {
            // A server that closes without a close_notify has closed all the same.
            case NIOSSLError.uncleanShutdown: break
            case is NIOSSLError, is BoringSSLError: set(.failed("there is no TLS\(Self.reason(of: error))"))
            case HTTPParserError.invalidEOFState: set(.failed("its answer does not end"))
            case is HTTPParserError: set(.failed("its answer is no HTTP"))
            default: set(.failed("\(error)"))
            }
        }

        /// BoringSSL's name for the error, without its source line: " (WRONG_VERSION_NUMBER)".
        private static func reason(of error: any Error) -> String {
            let text = "\(error)"
            guard let start = text.firstRange(of: "OPENSSL_internal:") else { return "" }
            return " (\(text[start.upperBound...].prefix { $0.isASCII && !$0.isWhitespace }))"
        }

        func end() { set(.failed("it closes without an answer")) }
    }

    private let request: HTTPRequestHead
    private let answer: Answer
    private var status: Int?
    private var location: String?
    private var body = ByteBuffer()

    init(to request: HTTPRequestHead, _ answer: Answer) {
        self.request = request
        self.answer = answer
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { ask(context) }
    }

    func channelActive(context: ChannelHandlerContext) { ask(context) }

    private func ask(_ context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(request)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        // An interim response is followed by another one (RFC 9110 §15.2).
        case .head(let head):
            status = (100..<200).contains(head.status.code) ? nil : Int(head.status.code)
            location = head.headers.first(name: "location")
        case .body(let part):
            body.writeImmutableBuffer(part)
            if body.readableBytes >= Self.limit { end() }
        case .end: end()
        }
    }

    private func end() {
        guard let status else { return }
        if (300..<400).contains(status), let location,
            let obstacle = Redirection.obstacle(to: location, asked: request.headers.first(name: "host") ?? "")
        {
            return answer.set(.ledAway(status: status, location: location, obstacle))
        }
        answer.set(.http(status: status, body: String(buffer: body)))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { answer.fail(error) }
}

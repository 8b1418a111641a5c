// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTP1

/// A connection of a client to a service that speaks HTTP/1.1: Hummingbird's, with our own observers next to its decoder.
package struct HTTPConnection: ServerChildChannel {
    package typealias Value = HTTP1Channel.Value

    private let base: HTTP1Channel
    private let observers: @Sendable () -> [any ChannelHandler]

    /// No client sends this many octets of header in good faith.
    private static let maximumHeaderLength = 64 * 1024
    static let idleTimeout = TimeAmount.seconds(60)

    /// - Parameters:
    ///   - server: The value of the Server field.
    ///   - respond: Answers a request; an error ends the connection.
    ///   - observers: Makes the handlers that see requests first and responses last.
    package init(
        server: String, respond: @escaping @Sendable (Request, any Channel) async throws -> Response,
        observers: @escaping @Sendable () -> [any ChannelHandler] = { [] }
    ) {
        base = HTTP1Channel(
            responder: Self.responder(server, respond),
            configuration: HTTP1Channel.Configuration(
                idleTimeout: Self.idleTimeout,
                httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                    maxHeaderFieldSize: Self.maximumHeaderLength, maxHeaderListSize: Self.maximumHeaderLength,
                    maxHeaderFieldCount: 256)))
        self.observers = observers
    }

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        setUp(channel, logger, observers: observers())
    }

    /// Puts HTTP/1.1 at the end of the connection's pipeline, whole when this returns. To be called on its event loop.
    func setUp(_ channel: any Channel, _ logger: Logger, observers: [any ChannelHandler]) -> EventLoopFuture<Value> {
        base.setup(channel: channel, logger: logger).assumeIsolated().flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandlers(
                observers + [ConnectionPersistence(), UnchunkedAnswers()], position: .after(decoder))
            return value
        }.nonisolated()
    }

    package func handle(value: Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }

    static func responder(
        _ server: String, _ respond: @escaping @Sendable (Request, any Channel) async throws -> Response
    ) -> HTTPChannelHandler.Responder {
        { request, writer, channel in
            // RFC 9110 §10.1.1: a client that expects it waits for this before it sends the body.
            if request.headers[.expect]?.lowercased() == "100-continue" {
                try await writer.writeInformationalHead(HTTPResponse(status: .continue))
            }
            var response = try await respond(request, channel)
            response.headers[.server] = server
            if request.headers[.connection] == "close" { response.headers[.connection] = "close" }
            // RFC 9110 §8.6: of these, 204 must not have a length, and 304 only the length that a 200 response would have had.
            if [.noContent, .notModified].contains(response.status) { response.headers[.contentLength] = nil }
            // RFC 9110 §9.3.2: the same as for GET, except for the content. (Setting `response.body` would rewrite Content-Length.)
            let body = request.method == .head ? ResponseBody() : response.body
            try await writer.write(response: response.head, body: body)
        }
    }
}

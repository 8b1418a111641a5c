// SPDX-License-Identifier: Apache-2.0
import NIOHTTP1
package import NIOCore

/// A connection of a client to a service that speaks HTTP/1.1.
package struct HTTPConnection: ServerConnection {
    let answering: HTTPAnswering
    private let observers: @Sendable () -> [any ChannelHandler]

    /// No client sends this many octets of header in good faith.
    private static let maximumHeaderLength = 64 * 1024
    private static let maximumFields = 256

    /// - Parameters:
    ///   - server: The value of the Server field.
    ///   - respond: Answers a request; an error ends the connection.
    ///   - observers: Makes the handlers that see requests first and responses last.
    package init(
        server: String, respond: @escaping @Sendable (Request, any Channel) async throws -> Response,
        observers: @escaping @Sendable () -> [any ChannelHandler] = { [] }
    ) {
        answering = HTTPAnswering(server: server, respond: respond)
        self.observers = observers
    }

    package func setUp(_ channel: any Channel) -> EventLoopFuture<HTTPChannel> {
        channel.eventLoop.makeCompletedFuture { try setUp(channel, observers: observers()) }
    }

    /// Puts HTTP/1.1 at the end of the connection's pipeline. To be called on its event loop.
    func setUp(_ channel: any Channel, observers: [any ChannelHandler]) throws -> HTTPChannel {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = Self.maximumHeaderLength
        limits.maxHeaderListSize = Self.maximumHeaderLength
        limits.maxHeaderFieldCount = Self.maximumFields
        let pipeline = channel.pipeline.syncOperations
        // HTTPFields has checked the fields of responses.
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
            withEncoderConfiguration: HTTPResponseEncoder.Configuration(), withDecoderLimitConfiguration: limits)
        try pipeline.addHandlers(observers + [ConnectionPersistence(), UnchunkedAnswers(), IdleConnectionEnd()])
        return try HTTPChannel(
            wrappingChannelSynchronously: channel,
            configuration: HTTPChannel.Configuration(isOutboundHalfClosureEnabled: true))
    }

    package func serve(_ channel: HTTPChannel) async {
        await answering.answer(channel)
    }
}

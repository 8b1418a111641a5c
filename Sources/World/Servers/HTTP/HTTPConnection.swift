import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// A connection of a client to one of the HTTP services: Hummingbird's, with our own observers next to its decoder.
struct HTTPConnection: ServerChildChannel {
    typealias Value = HTTP1Channel.Value

    private let base: HTTP1Channel
    private let observers: @Sendable () -> [any ChannelHandler]

    /// No client sends this many octets of header in good faith.
    private static let longestHeader = 64 * 1024
    private static let idleTimeout = TimeAmount.seconds(60)

    /// `observers` makes the handlers that see requests first and responses last.
    init(responder: @escaping HTTPChannelHandler.Responder, observers: @escaping @Sendable () -> [any ChannelHandler]) {
        base = HTTP1Channel(
            responder: responder,
            configuration: HTTP1Channel.Configuration(
                idleTimeout: Self.idleTimeout,
                httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                    maxHeaderFieldSize: Self.longestHeader, maxHeaderListSize: Self.longestHeader,
                    maxHeaderFieldCount: 256)))
        self.observers = observers
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandlers(observers(), position: .after(decoder))
            return value
        }
    }

    func handle(value: Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}

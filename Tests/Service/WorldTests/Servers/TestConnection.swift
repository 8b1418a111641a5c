// SPDX-License-Identifier: Apache-2.0
import Wire
import NIOCore
import NIOPosix
import NIOSSL

@testable import World

/// A TCP connection of a test to one of the servers, in TLS where asked for.
struct TestConnection {
    private let channel: any Channel
    private let received: AsyncThrowingStream<ByteBuffer, any Error>

    init(
        address: IPAddress, port: UInt16, tls: TLSConfiguration? = nil, serverName: String? = nil,
        readsAlways: Bool = true
    ) async throws {
        let context = try tls.map(NIOSSLContext.init(configuration:))
        let (received, sink) = AsyncThrowingStream.makeStream(of: ByteBuffer.self)
        self.received = received
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.autoRead, value: readsAlways)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let context {
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(context: context, serverHostname: serverName))
                    }
                    try channel.pipeline.syncOperations.addHandler(Collector(sink: sink))
                }
            }
            .connect(to: SocketAddress(ipAddress: address.description, port: Int(port))).get()
    }

    func send(_ text: String) async throws {
        try await send(ByteBuffer(string: text))
    }

    func send(_ buffer: ByteBuffer) async throws {
        try await channel.writeAndFlush(buffer)
    }

    /// Sends a FIN; reading goes on.
    func finish() async throws {
        try await channel.close(mode: .output)
    }

    /// Leaves in the kernel what comes from now on.
    func stopReading() async throws {
        try await channel.setOption(.autoRead, value: false).get()
    }

    /// Takes it, and what follows.
    func readAgain() async throws {
        try await channel.setOption(.autoRead, value: true).get()
    }

    func close() async throws {
        do {
            try await channel.close()
        } catch ChannelError.alreadyClosed {
        }
    }

    /// Waits until the server sends its FIN, and passes on what came before.
    func receive(_ body: (ByteBuffer) throws -> Void) async throws {
        for try await buffer in received { try body(buffer) }
    }

    func receiveToEnd() async throws -> ByteBuffer {
        var all = ByteBuffer()
        try await receive { all.writeImmutableBuffer($0) }
        return all
    }

    /// Waits until at least `count` octets have come.
    func receive(atLeast count: Int) async throws -> ByteBuffer {
        var all = ByteBuffer()
        for try await buffer in received {
            all.writeImmutableBuffer(buffer)
            if all.readableBytes >= count { break }
        }
        return all
    }

    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let sink: AsyncThrowingStream<ByteBuffer, any Error>.Continuation

        init(sink: AsyncThrowingStream<ByteBuffer, any Error>.Continuation) {
            self.sink = sink
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            sink.yield(unwrapInboundIn(data))
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case ChannelEvent.inputClosed = event { sink.finish() }
            context.fireUserInboundEventTriggered(event)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // A peer that ends TLS by closing the connection has said all that it had to say.
            if let error = error as? NIOSSLError, error == .uncleanShutdown { return }
            sink.finish(throwing: error)
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            sink.finish()
        }
    }
}

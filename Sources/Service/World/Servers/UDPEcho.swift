import LinuxNet
import NIOCore
import NIOPosix

/// The echo service over UDP (RFC 862): each datagram goes back to where it came from.
///
/// NIO closes a socket on which one send fails for good, such as to a sender that no route leads to. To an echo that is one
/// datagram lost, so it opens the socket again.
struct UDPEcho: Sendable {
    private let address: LinuxNet.SocketAddress
    private let interface: Int?
    private let group: MultiThreadedEventLoopGroup
    private let firstChannel: any Channel

    /// Serves at this socket, which is bound to `address`, from when this returns, for as long as `run` goes on. It waits, so it is not to
    /// be called from a task.
    /// - Parameter interface: the socket's; `nil` is all of them.
    init(
        _ socket: consuming Descriptor, at address: LinuxNet.SocketAddress, interface: Int? = nil,
        group: MultiThreadedEventLoopGroup
    ) throws {
        self.address = address
        self.interface = interface
        self.group = group
        firstChannel = try Self.serve(socket, group: group).wait()
    }

    /// Serves until the task is cancelled, or until the address is gone.
    func run() async {
        var channel: (any Channel)? = firstChannel
        while let open = channel {
            await withTaskCancellationHandler {
                // However it ended, it has.
                try? await open.closeFuture.get()
            } onCancel: {
                open.close(promise: nil)
            }
            channel = Task.isCancelled ? nil : try? await reopen()
        }
    }

    private func reopen() async throws -> any Channel {
        let socket = try DatagramSocket.bound(to: address, interface: interface)
        return try await Self.serve(socket, group: group).get()
    }

    private static func serve(
        _ socket: consuming Descriptor, group: MultiThreadedEventLoopGroup
    ) -> EventLoopFuture<any Channel> {
        DatagramBootstrap(group: group)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: largestDatagram))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Reflector()) }
            }
            .withBoundSocket(socket.release())
    }

    /// Room for the largest datagram that IP can carry: 65,507 octets of payload in IPv4, 65,527 in IPv6.
    private static let largestDatagram = 65_536

    private final class Reflector: ChannelInboundHandler {
        typealias InboundIn = AddressedEnvelope<ByteBuffer>
        typealias OutboundOut = AddressedEnvelope<ByteBuffer>

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            // RFC 768: a source port of zero means that no reply is wanted, and none can be sent.
            guard unwrapInboundIn(data).remoteAddress.port != 0 else { return }
            // Where the network does not take them as fast as they come, datagrams are lost, not kept.
            if context.channel.isWritable { context.write(data, promise: nil) }
        }

        func channelReadComplete(context: ChannelHandlerContext) {
            context.flush()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // One datagram could not be received or sent; the next one can.
        }
    }
}

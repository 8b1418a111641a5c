import LinuxNet
import NIOCore
import NIOPosix

/// The echo service over UDP (RFC 862): each datagram goes back to where it came from.
///
/// NIO closes a socket on which one send fails for good, such as to a sender that no route leads to. To an echo that is one
/// datagram lost, so it opens the socket again.
struct UDPEcho: Sendable {
    private let address: NIOCore.SocketAddress
    private let interface: Int?
    private let group: MultiThreadedEventLoopGroup
    private let firstChannel: any Channel

    /// Listens from when this returns, for as long as `run` goes on.
    /// - Parameter interface: `nil` is all of them.
    init(address: NIOCore.SocketAddress, interface: Int? = nil, group: MultiThreadedEventLoopGroup) async throws {
        self.interface = interface
        self.group = group
        firstChannel = try await Self.open(address, interface, group: group)
        // Where the kernel chose the port, it is to be the same ever after.
        self.address = firstChannel.localAddress ?? address
    }

    var port: UInt16? { address.port.flatMap(UInt16.init(exactly:)) }

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
            channel = Task.isCancelled ? nil : try? await Self.open(address, interface, group: group)
        }
    }

    private static func open(
        _ address: NIOCore.SocketAddress, _ interface: Int?, group: MultiThreadedEventLoopGroup
    ) async throws -> any Channel {
        var bootstrap = DatagramBootstrap(group: group)
        if let interface {
            bootstrap = bootstrap.channelOption(.socketOption(.boundInterface), value: interface)
        }
        return
            try await bootstrap
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: largestDatagram))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Reflector()) }
            }
            .bind(to: address).get()
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

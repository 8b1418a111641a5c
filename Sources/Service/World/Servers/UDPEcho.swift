// SPDX-License-Identifier: Apache-2.0
import HTTPServing
import LinuxNet
import NIOCore
import NIOPosix

/// The echo service over UDP (RFC 862): returns each datagram to its sender.
///
/// NIO closes a socket when a send fails permanently, such as to a sender without a route. For an echo that is just a lost
/// datagram. So NIO gets one copy of the descriptor after another: the socket itself stays open, with its port and queue.
struct UDPEcho: Sendable {
    private let socket: SharedDescriptor
    private let group: MultiThreadedEventLoopGroup
    private let firstChannel: any Channel

    /// Time until the next attempt if no descriptor is free.
    private static let pause = TimeAmount.milliseconds(100)

    /// Starts serving at this bound socket, for as long as `run` runs. Blocks until it serves, so it must not be called from a
    /// task.
    init(_ socket: consuming sending Descriptor, group: MultiThreadedEventLoopGroup) throws {
        firstChannel = try Self.serve(socket.duplicate(), group: group).wait()
        self.socket = SharedDescriptor(socket)
        self.group = group
    }

    /// Serves until the task is cancelled; then the socket is closed.
    func run() async {
        guard let socket = socket.take() else { return }
        var channel = firstChannel
        while true {
            await withTaskCancellationHandler { [channel] in
                // The channel has closed, whatever the error was.
                try? await channel.closeFuture.get()
            } onCancel: { [channel] in
                channel.close(promise: nil)
            }
            guard let next = await reopen(socket) else { return }
            channel = next
        }
    }

    /// Serves with another copy of the socket; `nil` if the task is cancelled.
    private func reopen(_ socket: borrowing Descriptor) async -> (any Channel)? {
        while !Task.isCancelled {
            if let copy = try? socket.duplicate(), let channel = try? await Self.serve(copy, group: group).get() {
                return channel
            }
            try? await group.any().pause(for: Self.pause)
        }
        return nil
    }

    private static func serve(
        _ copy: consuming Descriptor, group: MultiThreadedEventLoopGroup
    ) -> EventLoopFuture<any Channel> {
        DatagramBootstrap(group: group)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: largestDatagram))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Reflector()) }
            }
            .withBoundSocket(copy.release())
    }

    /// Room for the largest datagram that IP can carry: 65,507 octets of payload in IPv4, 65,527 in IPv6.
    private static let largestDatagram = 65_536

    private final class Reflector: ChannelInboundHandler {
        typealias InboundIn = AddressedEnvelope<ByteBuffer>
        typealias OutboundOut = AddressedEnvelope<ByteBuffer>

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            // RFC 768: a source port of zero means that no reply is wanted, and none can be sent.
            guard unwrapInboundIn(data).remoteAddress.port != 0 else { return }
            // If the network is slower than the sender, datagrams are dropped, not queued.
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

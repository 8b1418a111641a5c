// SPDX-License-Identifier: Apache-2.0
import HTTPServing
import LinuxNet
import NIOCore
import NIOPosix

/// The echo service over UDP (RFC 862): each datagram goes back to where it came from.
///
/// NIO closes a socket on which one send fails for good, such as to a sender that no route leads to. To an echo that is one
/// datagram lost. So NIO gets copies of the descriptor, one after the other: the socket itself stays open, with its port and what has come.
struct UDPEcho: Sendable {
    private let socket: SharedDescriptor
    private let group: MultiThreadedEventLoopGroup
    private let firstChannel: any Channel

    /// Where no descriptor is free, the next attempt comes after this time.
    private static let pause = TimeAmount.milliseconds(100)

    /// Serves at this socket, which is bound, from when this returns, for as long as `run` goes on. It waits, so it is not to be called
    /// from a task.
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
                // However it ended, it has.
                try? await channel.closeFuture.get()
            } onCancel: { [channel] in
                channel.close(promise: nil)
            }
            guard let next = await reopen(socket) else { return }
            channel = next
        }
    }

    /// `nil` where the task is cancelled.
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

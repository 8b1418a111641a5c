import NIOCore

/// The echo service over UDP (RFC 862): each datagram goes back to where it came from.
final class UDPEcho: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    typealias OutboundOut = AddressedEnvelope<ByteBuffer>

    /// Room for the largest datagram that IP can carry: 65,507 octets of payload in IPv4, 65,527 in IPv6.
    static let largestDatagram = 65_536

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
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

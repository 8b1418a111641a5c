// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// The echo service over TCP (RFC 862): returns every octet up to the client's FIN.
///
/// Reads pause while the client does not read its echo, so a connection never buffers more than the high watermark and
/// one read.
final class TCPEcho: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var inputIsClosed = false

    func channelActive(context: ChannelHandlerContext) {
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.write(data, promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
        readMore(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        readMore(context)
    }

    private func readMore(_ context: ChannelHandlerContext) {
        if context.channel.isWritable, !inputIsClosed { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event else { return context.fireUserInboundEventTriggered(event) }
        inputIsClosed = true
        // An empty write completes after all writes before it.
        let end = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(capacity: 0))).whenComplete { _ in
            end.value.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Proxying

/// Applies `ForwardedAnswer` to a proxy's connection to the host that answers a request.
final class AnswerMarker: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var answer = ForwardedAnswer()

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if answer.isThrough { return context.fireChannelRead(data) }
        pass(answer.receive(unwrapInboundIn(data).readableBytesView), context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { end(context) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(context)
        context.fireChannelInactive()
    }

    private func end(_ context: ChannelHandlerContext) {
        let rest = answer.takeRest()
        if rest.isEmpty { return }
        pass(rest, context)
        context.fireChannelReadComplete()
    }

    private func pass(_ octets: [UInt8], _ context: ChannelHandlerContext) {
        if !octets.isEmpty { context.fireChannelRead(wrapInboundOut(ByteBuffer(bytes: octets))) }
    }
}

// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHTTP1

/// Closes a connection on which no request is answered, and nothing has come for a minute.
final class IdleConnectionEnd: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    static let limit = TimeAmount.seconds(60)

    /// Requests that are complete and have no complete response.
    private var unanswered = 0
    private var end: Scheduled<Void>?

    func handlerAdded(context: ChannelHandlerContext) { restart(context) }

    func handlerRemoved(context: ChannelHandlerContext) { end?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .end = unwrapInboundIn(data) { unanswered += 1 }
        restart(context)
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            // A response may end before its request does.
            unanswered = max(0, unanswered - 1)
            restart(context)
        }
        context.write(data, promise: promise)
    }

    private func restart(_ context: ChannelHandlerContext) {
        end?.cancel()
        let channel = context.channel
        end = unanswered > 0 ? nil : context.eventLoop.scheduleTask(in: Self.limit) { channel.close(promise: nil) }
    }
}

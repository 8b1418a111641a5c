// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHTTP1

/// Ends a connection that makes no headway: one on which no whole request arrives for too long, or whose client does not read the
/// response for too long. This protects against slow-loris clients.
final class ConnectionTimeout: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let timeout: TimeAmount
    private let firstTimeout: TimeAmount
    /// Whole requests that are not answered yet: more than one if the client pipelines.
    private var unanswered = 0
    private var waitingForRequest: Scheduled<Void>?
    private var waitingForReader: Scheduled<Void>?

    /// - Parameter first: timeout of the first request; a client that has connected has nothing to do before it.
    init(_ timeout: TimeAmount, first: TimeAmount) {
        self.timeout = timeout
        firstTimeout = first
    }

    func handlerAdded(context: ChannelHandlerContext) {
        waitingForRequest = closing(context, in: firstTimeout)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        waitingForRequest?.cancel()
        waitingForReader?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .end = unwrapInboundIn(data) {
            unanswered += 1
            waitingForRequest?.cancel()
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            // A response may come before its request is complete, such as one that rejects it as too long.
            unanswered = max(0, unanswered - 1)
            if unanswered == 0 { waitForRequest(context) }
        }
        context.write(data, promise: promise)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        waitingForReader?.cancel()
        waitingForReader = context.channel.isWritable ? nil : closing(context, in: timeout)
        context.fireChannelWritabilityChanged()
    }

    private func waitForRequest(_ context: ChannelHandlerContext) {
        waitingForRequest?.cancel()
        waitingForRequest = closing(context, in: timeout)
    }

    private func closing(_ context: ChannelHandlerContext, in limit: TimeAmount) -> Scheduled<Void> {
        let channel = context.channel
        return context.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
    }
}

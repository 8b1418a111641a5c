// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// Joins two channels of one event loop at the ends of their pipelines: each sends what the other receives, and is read no
/// faster than the other sends. When one closes, the other closes once it has sent everything; when one's input ends, so does
/// the other's output.
final class Splice: ChannelDuplexHandler {
    typealias InboundIn = NIOAny
    typealias OutboundIn = NIOAny
    typealias OutboundOut = NIOAny

    private var context: ChannelHandlerContext?
    private var other: Splice?
    /// Whether a requested read waits for the other side.
    private var isReadWanted = false

    /// Must be called on the channels' event loop.
    static func join(_ first: any Channel, _ second: any Channel) throws {
        let (one, other) = (Splice(), Splice())
        one.other = other
        other.other = one
        try first.pipeline.syncOperations.addHandler(one)
        try second.pipeline.syncOperations.addHandler(other)
    }

    private init() {}

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        other = nil
    }

    // MARK: From this channel to the other

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { other?.context?.write(data, promise: nil) }

    func channelReadComplete(context: ChannelHandlerContext) {
        other?.context?.flush()
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { other?.end(.output) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        other?.end(.all)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    /// Closes after all pending writes: an empty write completes after those before it. TLS, too, must not close its output
    /// earlier, as it refuses writes from then on.
    private func end(_ mode: CloseMode) {
        guard let context else { return }
        let end = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(NIOAny(ByteBuffer())).whenComplete { _ in end.value.close(mode: mode, promise: nil) }
    }

    // MARK: Back-pressure from the other channel

    func read(context: ChannelHandlerContext) {
        if other?.context?.channel.isWritable ?? true { context.read() } else { isReadWanted = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { other?.readAgain() }
        context.fireChannelWritabilityChanged()
    }

    private func readAgain() {
        guard isReadWanted else { return }
        isReadWanted = false
        context?.read()
    }
}

// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHTTP1
import NIOHTTP2

/// A connection of a client that speaks HTTP/2 (RFC 9113): each of its streams is a request and its response.
struct HTTP2Connection: Sendable {
    struct Value: Sendable {
        let streams: NIOHTTP2Handler.AsyncStreamMultiplexer<HTTPChannel>
        let channel: any Channel
    }

    /// Idle timeout in both directions. Longer than a minute, as an answer may take that long.
    private static let idleTimeout = TimeAmount.seconds(120)

    let answering: HTTPAnswering

    /// Puts HTTP/2 at the end of the connection's pipeline. To be called on its event loop.
    /// - Parameter observer: Makes a stream's handler that sees its request first and its response last, as parts of HTTP/1.
    func setUp(_ channel: any Channel, observer: @escaping () -> any ChannelHandler) throws -> Value {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(IdleStateHandler(allTimeout: Self.idleTimeout))
        let end = HTTP2ConnectionEnd()
        let observer = NIOLoopBound(observer, eventLoop: channel.eventLoop)
        let streams = try pipeline.configureAsyncHTTP2Pipeline(
            mode: .server, streamDelegate: nil, frameDelegate: end,
            configuration: NIOHTTP2Handler.Configuration()
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                let pipeline = stream.pipeline.syncOperations
                try pipeline.addHandler(HTTP2FramePayloadToHTTP1ServerCodec())
                try pipeline.addHandler(observer.value())
                return try HTTPChannel(wrappingChannelSynchronously: stream)
            }
        }
        try pipeline.addHandler(end)
        return Value(streams: streams, channel: channel)
    }

    /// Serves the streams until the connection ends, or the task is cancelled.
    func serve(_ value: Value) async {
        // In a task that is not cancelled: NIO traps if an accepted stream is dropped without being handled.
        let serving = Task {
            await withDiscardingTaskGroup { streams in
                // The connection has ended, whatever the error was.
                try? await accept(value) { accepted in
                    streams.addTask { await answering.answer(accepted) }
                }
                streams.cancelAll()
            }
        }
        await withTaskCancellationHandler {
            await serving.value
        } onCancel: {
            value.channel.close(promise: nil)
        }
    }

    private func accept(_ value: Value, _ take: (HTTPChannel) -> Void) async throws {
        for try await stream in value.streams.inbound { take(stream) }
    }
}

/// Closes an HTTP/2 connection that is idle, half-closed by the client, or failed as a whole.
private final class HTTP2ConnectionEnd: ChannelInboundHandler, NIOHTTP2FrameDelegate {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// Whether GOAWAY was sent (RFC 9113 §6.8), so that an error ends the connection; errors of streams end the streams alone.
    private var isEnding = false

    func wroteFrame(_ frame: HTTP2Frame) {
        if case .goAway = frame.payload { isEnding = true }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isEnding { context.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is IdleStateHandler.IdleStateEvent:
            let frame = HTTP2Frame(
                streamID: .rootStream, payload: .goAway(lastStreamID: .maxID, errorCode: .noError, opaqueData: nil))
            context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
            context.close(promise: nil)
        case ChannelEvent.inputClosed: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }
}

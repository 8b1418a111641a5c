// SPDX-License-Identifier: Apache-2.0
import DNS64
import Glibc
import NIOCore

/// Limits the connections of a listening socket: each accepted one takes a slot, or is closed.
///
/// After one was closed, the next ones wait a moment in the kernel's queue: accepting and closing as fast as a client can
/// connect would leave the event loop no time for other clients, whose links have queues of their own.
final class ConnectionAdmission: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never

    private static let pause = TimeAmount.milliseconds(20)

    private let connections: ServedConnections
    private let service: ServiceEnd
    private var isPausing = false
    /// Whether the channel wanted to accept during the pause.
    private var isWanted = false

    init(_ connections: ServedConnections, _ service: ServiceEnd) {
        self.connections = connections
        self.service = service
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let connection = unwrapInboundIn(data)
        guard let peer = connection.remoteEnd,
            let number = connections.admit(
                connections.proxied.client(at: peer) ?? peer.address, to: service, close: { connection.reset() })
        else {
            connection.reset()
            return rest(context)
        }
        connection.closeFuture.whenComplete { [connections] _ in connections.release(number) }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        if isPausing { isWanted = true } else { context.read() }
    }

    private func rest(_ context: ChannelHandlerContext) {
        if isPausing { return }
        isPausing = true
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: Self.pause) {
            let (handler, context) = bound.value
            handler.isPausing = false
            if handler.isWanted, context.channel.isActive {
                handler.isWanted = false
                context.read()
            }
        }
    }
}

extension Channel {
    /// Closes the connection with RST: octets still to be sent are dropped, and no socket waits for the peer.
    fileprivate func reset() {
        let lingering = (self as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        guard let lingering else { return close(promise: nil) }
        lingering.whenComplete { _ in self.close(promise: nil) }
    }
}

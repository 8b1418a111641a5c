// SPDX-License-Identifier: Apache-2.0
import HTTPServing
import LinuxNet
import NIOCore
import NIOPosix
import Wire

/// What every TCP service of a world keeps to, whatever its clients do.
private enum TCPLimits {
    /// This is also how much a client can send to an echo before it must begin to read, beside what fits into the kernel's
    /// buffers.
    static let pendingWrites = 256 * 1024...1024 * 1024
}

extension ServerBootstrap {
    /// Serves at the socket of a listener, once it is given that.
    /// - Parameter connections: what the service shares with the others.
    func boundedTCPServer(
        at listener: ServiceListener, _ socket: Int32, _ connections: ServedConnections
    ) -> ServerBootstrap {
        self
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    // NIO takes sockets over with a queue of its own length.
                    try StreamListener.setBacklog(ServiceListener.backlog, of: socket)
                    try channel.pipeline.syncOperations.addHandler(ConnectionAdmission(connections, listener.end))
                }
            }
            .boundedConnections(pendingWrites: TCPLimits.pendingWrites)
    }
}

extension ClientBootstrap {
    /// What holds for a connection that a service itself makes.
    var boundedConnection: ClientBootstrap {
        channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(
                .writeBufferWaterMark,
                value: ChannelOptions.Types.WriteBufferWaterMark(
                    low: TCPLimits.pendingWrites.lowerBound, high: TCPLimits.pendingWrites.upperBound))
    }
}

extension NIOCore.SocketAddress {
    init(_ address: IPAddress, port: UInt16) throws {
        try self.init(packedIPAddress: ByteBuffer(bytes: address.octets), port: Int(port))
    }
}

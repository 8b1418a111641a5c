// SPDX-License-Identifier: Apache-2.0
import HTTPServing
import LinuxNet
import NIOCore
import NIOPosix
import Wire

/// Limits of every TCP service of a world.
private enum TCPLimits {
    /// Watermarks of the octets to be written. Also how much a client can send to an echo before it must begin to read, beside
    /// what fits into the kernel's buffers.
    static let pendingWrites = 256 * 1024...1024 * 1024
}

extension ServerBootstrap {
    /// The options of a server at a listener's socket.
    /// - Parameter connections: shared by all services.
    func boundedTCPServer(
        at listener: ServiceListener, _ socket: Int32, _ connections: ServedConnections
    ) -> ServerBootstrap {
        self
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    // NIO sets its own backlog when it takes over a socket.
                    try StreamListener.setBacklog(ServiceListener.backlog, of: socket)
                    try channel.pipeline.syncOperations.addHandler(ConnectionAdmission(connections, listener.end))
                }
            }
            .boundedConnections(pendingWrites: TCPLimits.pendingWrites)
    }
}

extension ClientBootstrap {
    /// The options of a connection that a service itself opens.
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

import HummingbirdCore
import NIOCore
import NIOPosix

/// What every TCP service of a world keeps to, whatever its clients do.
private enum TCPLimits {
    /// Connections of one listener; more of them wait in the kernel.
    static let connections = 512
    static let backlog: Int32 = 1024
    /// Octets that wait to be sent on one connection before its source has to pause. This is also how much a client can send
    /// to an echo before it must begin to read, beside what fits into the kernel's buffers.
    static let pendingWrites = ChannelOptions.Types.WriteBufferWaterMark(low: 256 * 1024, high: 1024 * 1024)
}

extension ServerBootstrap {
    func boundedTCPServer() -> ServerBootstrap {
        self
            .serverChannelOption(.backlog, value: TCPLimits.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        AvailableConnectionsChannelHandler(maxConnections: TCPLimits.connections))
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.writeBufferWaterMark, value: TCPLimits.pendingWrites)
    }
}

import HTTPServing
import NIOCore
import NIOPosix

/// What every TCP service of a world keeps to, whatever its clients do.
private enum TCPLimits {
    /// Connections of one listener.
    static let connections = 512
    static let backlog: Int32 = 1024
    /// This is also how much a client can send to an echo before it must begin to read, beside what fits into the kernel's
    /// buffers.
    static let pendingWrites = 256 * 1024...1024 * 1024
}

extension ServerBootstrap {
    func boundedTCPServer() -> ServerBootstrap {
        self
            .serverChannelOption(.backlog, value: TCPLimits.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bounded(connections: TCPLimits.connections, pendingWrites: TCPLimits.pendingWrites)
    }
}

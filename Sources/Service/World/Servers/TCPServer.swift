import HTTPServing
import LinuxNet
import NIOCore
import NIOPosix

/// What every TCP service of a world keeps to, whatever its clients do.
private enum TCPLimits {
    static let backlog: Int32 = 1024
    /// This is also how much a client can send to an echo before it must begin to read, beside what fits into the kernel's
    /// buffers.
    static let pendingWrites = 256 * 1024...1024 * 1024
}

extension ServerBootstrap {
    /// - Parameter connections: what the service shares with the others.
    func boundedTCPServer(_ service: ServiceEnd, _ connections: ServedConnections) -> ServerBootstrap {
        self
            .serverChannelOption(.backlog, value: TCPLimits.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bound(to: service.interface)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Admission(connections, service))
                }
            }
            .boundedConnections(pendingWrites: TCPLimits.pendingWrites)
    }
}

extension ServerBootstrap {
    /// Takes only what comes in at this interface.
    private func bound(to interface: Int?) -> ServerBootstrap {
        guard let interface else { return self }
        return serverChannelOption(.socketOption(.boundInterface), value: interface)
    }
}

extension NIOBSDSocket.Option {
    static var boundInterface: Self { Self(rawValue: InterfaceBinding.option) }
}

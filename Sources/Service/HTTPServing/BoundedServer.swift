import HummingbirdCore
import NIOCore
package import NIOPosix

extension ServerBootstrap {
    /// Takes at most so many connections at one time; more of them wait in the kernel.
    ///
    /// - Parameter pendingWrites: Octets that wait to be sent on one connection before its source has to pause, and how few
    ///   are left when it goes on.
    package func bounded(connections: Int, pendingWrites: ClosedRange<Int>) -> ServerBootstrap {
        self
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        AvailableConnectionsChannelHandler(maxConnections: connections))
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(
                .writeBufferWaterMark,
                value: ChannelOptions.Types.WriteBufferWaterMark(
                    low: pendingWrites.lowerBound, high: pendingWrites.upperBound))
    }
}

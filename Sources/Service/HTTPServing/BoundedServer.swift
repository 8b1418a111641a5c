// SPDX-License-Identifier: Apache-2.0
import NIOCore
package import NIOPosix

extension ServerBootstrap {
    /// What holds for each connection, whatever their number.
    /// - Parameter pendingWrites: octets that wait to be sent on one connection before its source has to pause, and how few
    ///   are left when it goes on.
    package func boundedConnections(pendingWrites: ClosedRange<Int>) -> ServerBootstrap {
        self
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(
                .writeBufferWaterMark,
                value: ChannelOptions.Types.WriteBufferWaterMark(
                    low: pendingWrites.lowerBound, high: pendingWrites.upperBound))
    }
}

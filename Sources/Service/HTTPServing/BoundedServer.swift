// SPDX-License-Identifier: Apache-2.0
import NIOCore
package import NIOPosix

extension ServerBootstrap {
    /// Sets the options of every connection.
    /// - Parameter pendingWrites: octets queued on one connection at which its source resumes, and above which it has to
    ///   pause.
    package func boundedConnections(pendingWrites: ClosedRange<Int>) -> ServerBootstrap {
        self
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(
                .writeBufferWaterMark,
                value: ChannelOptions.Types.WriteBufferWaterMark(
                    low: pendingWrites.lowerBound, high: pendingWrites.upperBound))
    }
}

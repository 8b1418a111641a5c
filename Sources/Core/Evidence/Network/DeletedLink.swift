// SPDX-License-Identifier: Apache-2.0
/// A link of the simulated network that was deleted: no packet has crossed it since.
package struct DeletedLink: Codable, Hashable, Sendable {
    package enum Side: String, Codable, Sendable {
        /// Between the client and the simulator (eth0); the client itself can delete it if it has the right to.
        case client
        /// Between the simulator and the world.
        case world
    }

    package var side: Side
    /// Since the client was connected.
    package var time: Duration

    package init(side: Side, time: Duration) {
        self.side = side
        self.time = time
    }
}

// SPDX-License-Identifier: Apache-2.0
/// A client came to a network, or lost the one that it was on, while it ran.
package struct NetworkChange: Codable, Hashable, Sendable {
    /// Since the client's start, when it was done.
    package var time: Duration
    /// `nil`: no network.
    package var network: Network?

    package init(time: Duration, network: Network?) {
        self.time = time
        self.network = network
    }
}

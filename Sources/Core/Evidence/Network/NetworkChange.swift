// SPDX-License-Identifier: Apache-2.0
/// A change of a running client's network: it came to a network, or lost the one that it was on.
package struct NetworkChange: Codable, Hashable, Sendable {
    /// When the change was made, since the client's start.
    package var time: Duration
    /// `nil`: no network.
    package var network: Network?

    package init(time: Duration, network: Network?) {
        self.time = time
        self.network = network
    }
}

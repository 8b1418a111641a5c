// SPDX-License-Identifier: Apache-2.0
package import Evidence

/// The configuration of a device, known before it connects.
package struct DevicePlan: Hashable, Sendable {
    package var name: String?
    /// `nil` is the network of all devices.
    package var network: Network?
    /// For its link and its path to the world.
    package var wishes = LinkWishes()

    /// The maximum number of addresses of one device that are tracked.
    package static let addressLimit = 64

    package init(name: String? = nil, network: Network? = nil, wishes: LinkWishes = LinkWishes()) {
        self.name = name
        self.network = network
        self.wishes = wishes
    }
}

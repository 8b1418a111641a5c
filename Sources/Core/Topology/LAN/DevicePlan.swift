// SPDX-License-Identifier: Apache-2.0
package import Evidence

/// What is known of a device before it comes.
package struct DevicePlan: Hashable, Sendable {
    package var name: String?
    /// `nil` is that of all.
    package var network: Network?
    /// Of its link and its way to the world.
    package var wishes = LinkWishes()

    /// Addresses of a device of which something is known each.
    package static let addressLimit = 64

    package init(name: String? = nil, network: Network? = nil, wishes: LinkWishes = LinkWishes()) {
        self.name = name
        self.network = network
        self.wishes = wishes
    }
}

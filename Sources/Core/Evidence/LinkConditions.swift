// SPDX-License-Identifier: Apache-2.0
/// Unusual conditions of the links on which the client was checked.
package struct LinkConditions: Codable, Hashable, Sendable {
    /// In octets.
    package var clientMTU: Int
    package var worldMTU: Int
    /// The injected faults, as the user wrote them.
    package var faults: [String]
    /// The NAT64's settings that differ from the defaults, as the user wrote them. They concern networks with NAT64 only.
    package var nat64: [String] = []
    /// How the client gets its IPv6 address, as the user wrote it; `nil` if it had the address when it started.
    package var setup: String?

    package init(
        clientMTU: Int = usualMTU, worldMTU: Int = usualMTU, faults: [String] = [], setup: String? = nil
    ) {
        self.setup = setup
        self.clientMTU = clientMTU
        self.worldMTU = worldMTU
        self.faults = faults
    }

    /// Ethernet's MTU.
    package static let usualMTU = 1500
}

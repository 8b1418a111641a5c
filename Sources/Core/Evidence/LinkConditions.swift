// SPDX-License-Identifier: Apache-2.0
/// What is not as usual about the links that the client was checked on.
package struct LinkConditions: Codable, Hashable, Sendable {
    /// Octets.
    package var clientMTU: Int
    package var worldMTU: Int
    /// The faults that were asked for, as they were written.
    package var faults: [String]
    /// How the client came by its IPv6 address, as it was written; `nil` if it had it when it started.
    package var setup: String?

    package init(
        clientMTU: Int = usualMTU, worldMTU: Int = usualMTU, faults: [String] = [], setup: String? = nil
    ) {
        self.setup = setup
        self.clientMTU = clientMTU
        self.worldMTU = worldMTU
        self.faults = faults
    }

    /// Ethernet's.
    package static let usualMTU = 1500
}

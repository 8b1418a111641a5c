// SPDX-License-Identifier: Apache-2.0
package import Evidence
package import Wire

/// The two links of a simulated network: how large packets may be, and what is wrong with them on purpose.
package struct LinkPlan: Hashable, Sendable {
    /// What the client's link can be: it carries IPv6, so 1280 octets at least (RFC 8200 §5).
    package static let clientMTUs = IPv6Header.minimumMTU...65_535
    /// What the world's link can be: from what every IPv4 host has to take (RFC 1122 §3.3.3).
    package static let worldMTUs = 576...65_535

    /// Octets that the client's link takes at once.
    package let clientMTU: Int
    /// Octets that the world's link takes at once.
    package let worldMTU: Int
    package let faults: LinkFaults
    /// What the way to the world is like, on each network.
    package let conditions: ConditionPlan
    /// How the client comes by its IPv6 address.
    package let setup: LinkSetup
    /// Which addresses it has.
    package private(set) var client: ClientLink
    /// The router's address on it where it is a link of Ethernet with a device, which chooses addresses of prefixes of its own;
    /// `nil` if it is not.
    package var ethernet: EthernetAddress?

    /// MTUs outside of their ranges are brought to the nearest that is inside.
    /// - Parameter worldMTU: `nil` if it is the client's link's.
    package init(
        clientMTU: Int = 1500, worldMTU: Int? = nil, faults: LinkFaults = LinkFaults(),
        conditions: ConditionPlan = ConditionPlan(), setup: LinkSetup = .fixed, client: ClientLink = .standard,
        ethernet: EthernetAddress? = nil
    ) {
        self.clientMTU = clientMTU.clamped(to: Self.clientMTUs)
        self.worldMTU = (worldMTU ?? clientMTU).clamped(to: Self.worldMTUs)
        self.faults = faults
        self.conditions = conditions
        self.setup = setup
        self.client = client
        self.ethernet = ethernet
    }

    /// The same links with other addresses.
    package func on(_ client: ClientLink) -> LinkPlan {
        var plan = self
        plan.client = client
        return plan
    }

    /// The same for a report. Faults are written as in a configuration file, `name=octets`.
    package var described: LinkConditions {
        LinkConditions(
            clientMTU: clientMTU, worldMTU: worldMTU, faults: faults.all.map { "\($0)" },
            setup: setup == .fixed ? nil : "\(setup)")
    }

    /// What an IPv6 packet to the world may have: a smaller MTU than IPv6 allows is there for IPv4 alone.
    package var worldIPv6MTU: Int { max(worldMTU, IPv6Header.minimumMTU) }
}

extension Int {
    fileprivate func clamped(to range: ClosedRange<Int>) -> Int {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

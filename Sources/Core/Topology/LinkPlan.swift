// SPDX-License-Identifier: Apache-2.0
package import Evidence
package import Wire

/// The two links of a simulated network: their MTUs and their deliberate faults.
package struct LinkPlan: Hashable, Sendable {
    /// The range of the client's link's MTU: it carries IPv6, so at least 1280 octets (RFC 8200 §5).
    package static let clientMTUs = IPv6Header.minimumMTU...65_535
    /// The range of the world's link's MTU: at least what every IPv4 host has to accept (RFC 1122 §3.3.3).
    package static let worldMTUs = 576...65_535

    /// MTU of the client's link, in octets.
    package let clientMTU: Int
    /// MTU of the world's link, in octets.
    package let worldMTU: Int
    package let faults: LinkFaults
    /// The conditions of the path to the world, on each network.
    package let conditions: ConditionPlan
    /// How the client gets its IPv6 address.
    package let setup: LinkSetup
    /// The addresses of the client's link.
    package private(set) var client: ClientLink
    /// The router's address on the client's link if it is an Ethernet link with a device, which chooses addresses from prefixes of its own;
    /// `nil` if it is not.
    package var ethernet: EthernetAddress?

    /// Clamps MTUs to their ranges.
    /// - Parameter worldMTU: `nil` is the MTU of the client's link.
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

    /// A description for a report. Faults are written as in a configuration file, `name=octets`.
    package var described: LinkConditions {
        LinkConditions(
            clientMTU: clientMTU, worldMTU: worldMTU, faults: faults.all.map { "\($0)" },
            setup: setup == .fixed ? nil : "\(setup)")
    }

    /// Maximum size of an IPv6 packet to the world: an MTU below the minimum of IPv6 applies to IPv4 alone.
    package var worldIPv6MTU: Int { max(worldMTU, IPv6Header.minimumMTU) }
}

extension Int {
    fileprivate func clamped(to range: ClosedRange<Int>) -> Int {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

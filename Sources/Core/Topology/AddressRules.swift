// SPDX-License-Identifier: Apache-2.0
import Translation
package import Wire

/// The addresses that a host of a world can have: any that packets can be routed to and that the simulator does not need itself.
package enum AddressRules {
    /// Why a host cannot have this address; `nil` if it can.
    package static func objection(to address: IPAddress) -> String? {
        switch address {
        case .ipv4(let address): objection(to: address)
        case .ipv6(let address): objection(to: address)
        }
    }

    /// Addresses that never clash with those of the real network, to be named with an objection.
    package static let recommendation =
        "take one of \(NetworkPlan.hostNetworksIPv4.map { "\($0)" }.joined(separator: ", ")) or \(NetworkPlan.hostNetworkIPv6)"

    private static func objection(to address: IPv4Address) -> String? {
        if NetworkPlan.ipv4Link.contains(address) { return "is the simulator's own (\(NetworkPlan.ipv4Link))" }
        if NetworkPlan.clatLink.contains(address) { return "is the simulator's own (\(NetworkPlan.clatLink))" }
        // Clouds answer at these addresses on the link of their machines.
        if address.isCloudMetadata { return nil }
        return SpecialPurpose<IPv4Prefix>.registry.first { $0.scope == .notForwarded && $0.prefix.contains(address) }
            .map { "is \($0.use)" }
    }

    private static func objection(to address: IPv6Address) -> String? {
        if NetworkPlan.clientLink.contains(address) { return "is the simulator's own (\(NetworkPlan.clientLink))" }
        if Pref64.wellKnown.contains(address) {
            return "is the NAT64's, made from an IPv4 address: write the IPv4 address"
        }
        guard let row = SpecialPurpose<IPv6Prefix>.registry.first(where: { $0.prefix.contains(address) }),
            row.scope == .notForwarded
        else { return nil }
        let remedy = row.prefix == ipv4Mapped ? ": write the IPv4 address" : ""
        return "is \(row.use)\(remedy)"
    }

    private static let ipv4Mapped = IPv6Prefix(IPv6Address(0, 0, 0, 0, 0, 0xffff, 0, 0), length: 96)!
}

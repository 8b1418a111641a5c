// SPDX-License-Identifier: Apache-2.0
package import Evidence
package import Wire

extension Network {
    /// The networks that a router's advertisements can make: those with IPv4 or a CLAT are excluded, as the router gives a device no IPv4,
    /// and a CLAT is the device's own.
    package static let ofDevices = allCases.filter { network in
        let entry = network.entry
        return entry.ipv6 != nil && entry.ipv4 == nil && !entry.hasCLAT && entry.hasIPv4Loopback
    }
}

extension ClientSlot {
    /// The prefix of the addresses that a device in this place chooses for itself; `nil` on a network that no device can be on.
    package func devicePrefix(on network: Network) -> IPv6Prefix? {
        guard let number = Network.ofDevices.firstIndex(of: network) else { return nil }
        return IPv6Prefix(IPv6Address(bits: devicePrefixes.address.bits | UInt128(number) << 64), length: 64)!
    }

    /// The prefix of the device's prefixes on all networks.
    package var devicePrefixes: IPv6Prefix {
        IPv6Prefix(IPv6Address(bits: link.devices.address.bits | UInt128(number) << 67), length: 61)!
    }

    /// The place whose device has this address.
    init?(havingDevice address: IPv6Address) {
        guard NetworkPlan.deviceNetworks.contains(address) else { return nil }
        let number = Int(truncatingIfNeeded: address.bits >> 67 & 0x1f)
        guard number < Self.limit else { return nil }
        self.init(number)
    }
}

// SPDX-License-Identifier: Apache-2.0
package import Wire

/// The destinations that clients can reach on the far side: the world's hosts, and addresses of the host's network that are let through.
package struct Reach: Sendable {
    private let ipv4Hosts: Set<IPv4Address>
    private let ipv6Hosts: Set<IPv6Address>
    /// `nil` in a hermetic world.
    package var destinations: AllowedDestinations?

    package init(
        ipv4Hosts: Set<IPv4Address>, ipv6Hosts: Set<IPv6Address>, destinations: AllowedDestinations? = nil
    ) {
        self.ipv4Hosts = ipv4Hosts
        self.ipv6Hosts = ipv6Hosts
        self.destinations = destinations
    }

    package func contains(_ address: IPv4Address) -> Bool {
        ipv4Hosts.contains(address) || destinations?.contains(address) == true
    }

    package func contains(_ address: IPv6Address) -> Bool {
        ipv6Hosts.contains(address) || destinations?.contains(address) == true
    }
}

// SPDX-License-Identifier: Apache-2.0
package import Wire

/// What lies between the simulator's router and a host of the world, where that is more than a cable.
package struct HostPath: Hashable, Sendable {
    /// A router on the way.
    package struct Router: Hashable, Sendable {
        /// Where its ICMP errors come from; `nil` where it sends none to hosts of that family.
        package var ipv4: IPv4Address?
        package var ipv6: IPv6Address?
        /// Of both links beside it, in octets; `nil` where every packet fits that has come so far. Less than 1280 is for IPv4 alone
        /// (RFC 8200 §5).
        package var mtu: Int?

        package init(ipv4: IPv4Address? = nil, ipv6: IPv6Address? = nil, mtu: Int? = nil) {
            self.ipv4 = ipv4
            self.ipv6 = ipv6
            self.mtu = mtu
        }

        package var addresses: [IPAddress] {
            [ipv4.map(IPAddress.ipv4), ipv6.map(IPAddress.ipv6)].compactMap { $0 }
        }
    }

    /// The host's name.
    package let name: String
    /// The host's addresses.
    package let hosts: [IPAddress]
    /// In the order in which a client's packet meets them.
    package var routers: [Router] = []
    /// What the host's own link is like, behind them.
    package var link = Conditions()
    /// The same as it was written.
    package var writtenLink: [String] = []

    package init(to name: String, _ hosts: [IPAddress]) {
        self.name = name
        self.hosts = hosts
    }

    /// Whether the host is on the simulator's own link.
    package var isNone: Bool { routers.isEmpty && link.areNone }

    package var routerAddresses: [IPAddress] { routers.flatMap(\.addresses) }
}

extension HostPath {
    /// What a path may have at most: as many routers as a traceroute looks for.
    package static let routerLimit = 30
    /// Octets that a router's links carry at least (RFC 791 §3.2) and at most.
    package static let mtus = 68...65_535
}

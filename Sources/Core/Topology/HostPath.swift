// SPDX-License-Identifier: Apache-2.0
package import Wire

/// The path between the simulator's router and a host of the world, if it is more than a cable.
package struct HostPath: Hashable, Sendable {
    /// A router on the path.
    package struct Router: Hashable, Sendable {
        /// The source of its ICMP errors; `nil` if it sends none to hosts of that family.
        package var ipv4: IPv4Address?
        package var ipv6: IPv6Address?
        /// MTU of its links on both sides, in octets; `nil` if every packet fits that has come this far. Values below 1280 apply to IPv4
        /// alone (RFC 8200 §5).
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
    /// In the order in which a client's packet passes them.
    package var routers: [Router] = []
    /// The conditions of the host's own link, behind the routers.
    package var link = Conditions()
    /// The same as written.
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
    /// The maximum number of routers: the default maximum of a traceroute.
    package static let routerLimit = 30
    /// The range of the MTU of a router's links, in octets: the minimum is that of RFC 791 §3.2.
    package static let mtus = 68...65_535
}

// SPDX-License-Identifier: Apache-2.0
package import Wire

/// The addresses of the simulated network, which the uplink carries out into the host's.
package struct SimulatedNetwork: Hashable, Sendable {
    /// The clients' side.
    package var ipv6: [IPv6Prefix]
    /// The IPv4 side of the NAT64.
    package var ipv4: IPv4Prefix
    /// The router's own addresses, which are this process's to bind to: the DNS64 is there.
    package var ipv6Router: IPv6Address
    package var ipv4Router: IPv4Address

    package init(ipv6: [IPv6Prefix], ipv4: IPv4Prefix, ipv6Router: IPv6Address, ipv4Router: IPv4Address) {
        self.ipv6 = ipv6
        self.ipv4 = ipv4
        self.ipv6Router = ipv6Router
        self.ipv4Router = ipv4Router
    }
}

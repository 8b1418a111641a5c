// SPDX-License-Identifier: Apache-2.0
package import Wire

/// The addresses of the simulated network, which the uplink connects to the host's network.
package struct SimulatedNetwork: Hashable, Sendable {
    /// The clients' side.
    package var ipv6: [IPv6Prefix]
    /// The IPv4 side of the NAT64.
    package var ipv4: IPv4Prefix
    /// The router's own addresses, to which this process may bind: the DNS64's address is one of them.
    package var ipv6Router: IPv6Address
    package var ipv4Router: IPv4Address

    package init(ipv6: [IPv6Prefix], ipv4: IPv4Prefix, ipv6Router: IPv6Address, ipv4Router: IPv4Address) {
        self.ipv6 = ipv6
        self.ipv4 = ipv4
        self.ipv6Router = ipv6Router
        self.ipv4Router = ipv4Router
    }
}

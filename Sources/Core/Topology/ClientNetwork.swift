// SPDX-License-Identifier: Apache-2.0
package import Wire

/// The client's side of its link.
package struct ClientNetwork: Codable, Hashable, Sendable {
    package struct IPv4: Codable, Hashable, Sendable {
        package var address: IPv4Address
        package var prefixLength: Int
        package var gateway: IPv4Address

        package init(address: IPv4Address, prefixLength: Int, gateway: IPv4Address) {
            self.address = address
            self.prefixLength = prefixLength
            self.gateway = gateway
        }
    }

    package struct IPv6: Codable, Hashable, Sendable {
        package var address: IPv6Address
        package var prefixLength: Int
        package var gateway: IPv6Address
        /// Whether the client configures the address itself and learns the gateway, from the router's advertisements.
        package var isAdvertised: Bool

        package init(address: IPv6Address, prefixLength: Int, gateway: IPv6Address, isAdvertised: Bool = false) {
            self.address = address
            self.prefixLength = prefixLength
            self.gateway = gateway
            self.isAdvertised = isAdvertised
        }

        /// Has the interface identifier of the address, which the kernel uses as its own (RFC 4862 §5.5.3).
        package var linkLocalAddress: IPv6Address {
            IPv6Address(bits: UInt128(0xfe80) << 112 | address.bits & UInt128(UInt64.max))
        }
    }

    package var interface: String
    package var mtu: Int
    /// `nil`: no IPv4 address but those of the loopback, and no IPv4 route.
    package var ipv4: IPv4?
    package var ipv6: IPv6?
    /// Whether the loopback interface has 127.0.0.0/8.
    package var hasIPv4Loopback: Bool

    /// Whether the client has any address.
    package var isThere: Bool { ipv4 != nil || ipv6 != nil }

    package init(
        interface: String = InterfaceName.usual.description, mtu: Int = 1500, ipv4: IPv4? = nil, ipv6: IPv6? = nil,
        hasIPv4Loopback: Bool = true
    ) {
        self.interface = interface
        self.hasIPv4Loopback = hasIPv4Loopback
        self.mtu = mtu
        self.ipv4 = ipv4
        self.ipv6 = ipv6
    }
}

// SPDX-License-Identifier: Apache-2.0
public import Wire

/// The source addresses for ICMP errors of routers without a counterpart in the other family (RFC 6791). Without any, such errors are
/// dropped.
public struct ErrorSources: Hashable, Sendable {
    /// For ICMPv6 errors that become ICMPv4 errors. A router always gets the same address, and different routers get different ones as far
    /// as the pool allows.
    public var ipv4Pool: [IPv4Address]
    /// For ICMPv4 errors that become ICMPv6 errors: the last bits are the router's IPv4 address, or as much of it as there is room for.
    public var ipv6Prefix: IPv6Prefix?
    /// The translator's own addresses, used if there is neither pool nor prefix.
    public var ipv4: IPv4Address?
    public var ipv6: IPv6Address?

    public init(
        ipv4Pool: [IPv4Address] = [], ipv6Prefix: IPv6Prefix? = nil, ipv4: IPv4Address? = nil, ipv6: IPv6Address? = nil
    ) {
        self.ipv4Pool = ipv4Pool
        self.ipv6Prefix = ipv6Prefix
        self.ipv4 = ipv4
        self.ipv6 = ipv6
    }

    func ipv4(for router: IPv6Address) -> IPv4Address? {
        if ipv4Pool.isEmpty { return ipv4 }
        var sum = InternetChecksum()
        sum.add(router)
        return ipv4Pool[Int(sum.folded) % ipv4Pool.count]
    }

    package func ipv6(for router: IPv4Address) -> IPv6Address? {
        guard let ipv6Prefix else { return ipv6 }
        let suffix = ipv6Prefix.length == 0 ? ~0 : (1 as UInt128) << UInt128(128 - ipv6Prefix.length) &- 1
        return IPv6Address(bits: ipv6Prefix.address.bits | UInt128(router.bits) & suffix)
    }
}

// SPDX-License-Identifier: Apache-2.0
public import Wire

/// An explicit address mapping, EAM: an IPv4 prefix and an IPv6 prefix whose addresses represent each other (RFC 7757 §3).
///
///     IPv4   | prefix | suffix |
///     IPv6   | prefix          | suffix | zeros on writing, ignored on reading |
public struct ExplicitAddressMapping: Hashable, Sendable {
    public let ipv4: IPv4Prefix
    public let ipv6: IPv6Prefix

    /// `nil` if the IPv6 suffix is shorter than the IPv4 one, which RFC 7757 §3 forbids: some IPv4 addresses would have no
    /// counterpart.
    public init?(_ ipv4: IPv4Prefix, _ ipv6: IPv6Prefix) {
        guard 32 - ipv4.length <= 128 - ipv6.length else { return nil }
        self.ipv4 = ipv4
        self.ipv6 = ipv6
    }

    private var suffixLength: Int { 32 - ipv4.length }

    /// RFC 7757 §3.3; `address` is in the IPv4 prefix.
    func ipv6Address(of address: IPv4Address) -> IPv6Address {
        let suffix = UInt128(address.bits ^ ipv4.address.bits)
        return IPv6Address(bits: ipv6.address.bits | suffix << UInt128(128 - ipv6.length - suffixLength))
    }

    /// RFC 7757 §3.3; `address` is in the IPv6 prefix.
    func ipv4Address(of address: IPv6Address) -> IPv4Address {
        let suffix = (address.bits << UInt128(ipv6.length)) >> UInt128(128 - suffixLength)
        return IPv4Address(bits: ipv4.address.bits | UInt32(truncatingIfNeeded: suffix))
    }
}

extension ExplicitAddressMapping: CustomStringConvertible {
    public var description: String { "\(ipv4) <-> \(ipv6)" }
}

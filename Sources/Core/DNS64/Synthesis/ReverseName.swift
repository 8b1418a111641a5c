// SPDX-License-Identifier: Apache-2.0
package import DNSWire
package import Translation
package import Wire

/// The names of reverse look-ups: in-addr.arpa (RFC 1035 §3.5) and ip6.arpa (RFC 3596 §2.5).
package enum ReverseName {
    static let ipv4Zone = DomainName(["in-addr", "arpa"])
    static let ipv6Zone = DomainName(["ip6", "arpa"])

    /// 1.2.0.192.in-addr.arpa. for 192.0.2.1.
    package static func name(of address: IPv4Address) -> DomainName {
        let (a, b, c, d) = address.octets
        return DomainName([d, c, b, a].map { String($0) } + ["in-addr", "arpa"])
    }

    /// 32 nibbles in hexadecimal, the last one first.
    package static func name(of address: IPv6Address) -> DomainName {
        name(of: address, from: 0)
    }

    package static func name(of address: IPAddress) -> DomainName {
        switch address {
        case .ipv4(let address): name(of: address)
        case .ipv6(let address): name(of: address)
        }
    }

    /// The name above all addresses under a prefix, whose length must be a multiple of four.
    package static func zone(of prefix: Pref64) -> DomainName {
        name(of: prefix.prefix.address, from: 32 - prefix.prefix.length / 4)
    }

    private static let digits = "0123456789abcdef".map { String($0) }

    /// - Parameter first: number of trailing nibbles to leave out.
    private static func name(of address: IPv6Address, from first: Int) -> DomainName {
        let nibbles = (first..<32).map { digits[Int(truncatingIfNeeded: address.bits >> UInt128(4 * $0)) & 15] }
        return DomainName(nibbles + ["ip6", "arpa"])
    }

    static func isNibble(_ label: ArraySlice<UInt8>) -> Bool { nibble(label) != nil }

    private static func nibble(_ label: ArraySlice<UInt8>) -> UInt128? {
        guard label.count == 1, let octet = label.first else { return nil }
        return Character(UnicodeScalar(octet)).hexDigitValue.map { UInt128($0) }
    }

    /// The address of a full ip6.arpa name; `nil` for any other name.
    package static func ipv6Address(of name: DomainName) -> IPv6Address? {
        guard name.isSubdomain(of: ipv6Zone) else { return nil }
        let labels = name.labels.dropLast(2)
        guard labels.count == 32 else { return nil }
        var bits: UInt128 = 0
        for label in labels.reversed() {
            guard let nibble = nibble(label) else { return nil }
            bits = bits << 4 | nibble
        }
        return IPv6Address(bits: bits)
    }
}

extension DomainName {
    /// A name whose labels are literals in this source file, and so always valid.
    init(_ labels: [String]) {
        self = try! DomainName(labels: labels.map { Array($0.utf8) })
    }
}

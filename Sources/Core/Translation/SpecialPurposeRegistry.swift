// SPDX-License-Identifier: Apache-2.0
package import Wire

/// A row of IANA's registries of special-purpose addresses (RFC 6890 §2.2), with multicast added: addresses that are not for hosts of the
/// Internet.
package struct SpecialPurpose<Prefix: Hashable & Sendable>: Hashable, Sendable {
    package let prefix: Prefix
    package let scope: AddressScope
    /// The purpose of such an address: "a loopback address (RFC …)".
    package let use: String
}

extension SpecialPurpose<IPv4Prefix> {
    fileprivate init(
        _ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8, _ length: Int, _ scope: AddressScope, _ use: String
    ) {
        self.init(prefix: IPv4Prefix(IPv4Address(a, b, c, d), length: length)!, scope: scope, use: use)
    }

    /// If two rows contain an address, the earlier one counts. `IPv4Address.scope` is its equivalent for packets.
    package static let registry: [SpecialPurpose<IPv4Prefix>] = [
        Self(192, 0, 0, 9, 32, .global, "the anycast address of PCP servers (RFC 7723)"),
        Self(192, 0, 0, 10, 32, .global, "the anycast address of TURN servers (RFC 8155)"),
        Self(0, 0, 0, 0, 8, .notForwarded, "an address of \"this network\" (RFC 1122 §3.2.1.3)"),
        Self(10, 0, 0, 0, 8, .notGlobal, "a private address (RFC 1918)"),
        Self(100, 64, 0, 0, 10, .notGlobal, "a shared address (RFC 6598)"),
        Self(127, 0, 0, 0, 8, .notForwarded, "a loopback address (RFC 1122 §3.2.1.3)"),
        Self(169, 254, 0, 0, 16, .notForwarded, "a link-local address (RFC 3927)"),
        Self(172, 16, 0, 0, 12, .notGlobal, "a private address (RFC 1918)"),
        // 464XLAT's hosts use 192.0.0.0/29 (RFC 7335).
        Self(192, 0, 0, 0, 24, .notGlobal, "an address of IETF protocol assignments (RFC 6890)"),
        Self(192, 0, 2, 0, 24, .notGlobal, "an address for documentation (RFC 5737)"),
        Self(192, 168, 0, 0, 16, .notGlobal, "a private address (RFC 1918)"),
        Self(198, 18, 0, 0, 15, .notGlobal, "an address for benchmarking (RFC 2544)"),
        Self(198, 51, 100, 0, 24, .notGlobal, "an address for documentation (RFC 5737)"),
        Self(203, 0, 113, 0, 24, .notGlobal, "an address for documentation (RFC 5737)"),
        Self(224, 0, 0, 0, 4, .notForwarded, "a multicast address (RFC 5771)"),
        Self(240, 0, 0, 0, 4, .notForwarded, "a reserved address (RFC 1112 §4)"),
    ]
}

extension SpecialPurpose<IPv6Prefix> {
    private init(_ prefix: String, _ scope: AddressScope, _ use: String) {
        self.init(prefix: IPv6Prefix(prefix)!, scope: scope, use: use)
    }

    /// No two rows contain the same address.
    package static let registry: [SpecialPurpose<IPv6Prefix>] = [
        Self("::/128", .notForwarded, "the unspecified address (RFC 4291 §2.5.2)"),
        Self("::1/128", .notForwarded, "the loopback address (RFC 4291 §2.5.3)"),
        Self("::ffff:0:0/96", .notForwarded, "an IPv4-mapped address (RFC 4291 §2.5.5.2)"),
        Self("64:ff9b::/96", .global, "an IPv4 address under the well-known prefix (RFC 6052 §2.1)"),
        Self("64:ff9b:1::/48", .notGlobal, "for translation within a network (RFC 8215)"),
        Self("100::/64", .notGlobal, "for packets to be discarded (RFC 6666)"),
        Self("2001::/23", .notGlobal, "an address of IETF protocol assignments (RFC 2928)"),
        Self("2001:db8::/32", .notGlobal, "an address for documentation (RFC 3849)"),
        // Any IPv4 address can be embedded in one.
        Self("2002::/16", .notGlobal, "a 6to4 address (RFC 3056)"),
        Self("3fff::/20", .notGlobal, "an address for documentation (RFC 9637)"),
        Self("5f00::/16", .notGlobal, "a segment identifier (RFC 9602)"),
        Self("fc00::/7", .notGlobal, "a unique local address (RFC 4193)"),
        Self("fe80::/10", .notForwarded, "a link-local address (RFC 4291 §2.5.6)"),
        Self("ff00::/8", .notForwarded, "a multicast address (RFC 4291 §2.7)"),
    ]
}

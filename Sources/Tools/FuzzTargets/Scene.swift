// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Topology
import Translation
import Wire

/// The packets' addresses: few, so that they recur.
enum Scene {
    static let hosts: [IPv6Address] = (1...4).map { IPv6Address(0x2001, 0xdb8, 0, 0, 0, 0, 0, $0) }
    static let remotes: [IPv4Address] = [
        IPv4Address(198, 51, 100, 1), IPv4Address(203, 0, 113, 2), IPv4Address(8, 8, 8, 8),
    ]
    static let pool: [IPv4Address] = [IPv4Address(192, 0, 2, 1), IPv4Address(192, 0, 2, 2)]
    static let router6 = IPv6Address(0x2001, 0xdb8, 0xffff, 0, 0, 0, 0, 1)
    static let router4 = IPv4Address(192, 0, 2, 254)
    /// Documentation addresses are not global: RFC 6052 §3.1 forbids them under the well-known prefix, unless exempted.
    static let exempt: [IPv4Prefix] = [
        IPv4Prefix(IPv4Address(192, 0, 2, 0), length: 24)!, IPv4Prefix(IPv4Address(198, 51, 100, 0), length: 24)!,
        IPv4Prefix(IPv4Address(203, 0, 113, 0), length: 24)!,
    ]

    /// Whether the source is the translator itself, or the CLAT.
    static func isOurs(_ source: [UInt8]) -> Bool {
        source == router4.array || source == router6.array || source == NetworkPlan.clatIPv4Router.array
    }
}

extension IPv4Address {
    var array: [UInt8] { bigEndian(self) }
}

extension IPv6Address {
    var array: [UInt8] { (0..<16).map { octet($0) } }
}

extension Choices {
    /// Options of header translation, with MTUs from the minimum to the maximum.
    mutating func translationOptions() -> TranslationOptions {
        // No packet is too big.
        if oneIn(4) { return TranslationOptions(ipv6MTU: 65_535, ipv4MTU: 65_535, lowestIPv6MTU: 65_535) }
        return TranslationOptions(
            ipv6MTU: pick([1_500, 1_280, 1_400, 9_000, 65_535]), ipv4MTU: pick([1_500, 68, 576, 1_480, 9_000, 65_535]),
            lowestIPv6MTU: pick([1_280, 1_500, 9_000, 65_535]), zeroesTrafficClass: oneIn(8), zeroesTOS: oneIn(8),
            udpZeroChecksum: oneIn(4) ? .drop : .compute, usesPlateaus: !oneIn(4))
    }

    /// A Pref64 of each length, the well-known one first.
    mutating func prefix() -> Pref64 {
        let text = pick([
            "64:ff9b::/96", "2001:d00::/32", "2001:d00:100::/40", "2001:d00:122::/48", "2001:d00:122:300::/56",
            "2001:d00:122:344::/64", "2001:d00:122:344::/96",
        ])
        return (try? Pref64(text)) ?? .wellKnown
    }
}

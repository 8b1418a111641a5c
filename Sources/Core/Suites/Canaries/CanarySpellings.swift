// SPDX-License-Identifier: Apache-2.0
package import Evidence
import Topology
import Translation
import Wire

/// The table of spellings. Each is for one network, on which it can work: notations of IPv4 are on dual-stack, as a network without IPv4
/// has no route to such addresses except 127.0.0.0/8; addresses under a NAT64's prefix are on nat64.
extension CanarySpelling {
    package static let all: [CanarySpelling] =
        publicHosts + Canary.allCases.flatMap(plain) + ipv4.flatMap { notations($0, on: .dualStack) }
        + notations(.loopback, on: .nat64) + ipv4.filter(\.isInWorld).flatMap(translated) + names + redirects + proxied

    private static let ipv4 = Canary.allCases.filter { $0.address.ipv4 != nil }

    // MARK: - Public hosts

    /// A guard must accept these, just as it must refuse the others.
    private static let publicHosts: [CanarySpelling] = {
        func named(_ name: String, on network: Network, _ manner: String) -> CanarySpelling {
            let host = "\(name).\(Canary.domain)"
            var spelling = CanarySpelling("public.\(name)", host, on: network, manner)
            spelling.publicHost = "\(host) tcp/80"
            return spelling
        }
        let own = CanaryPlan.prefixes.map { prefix, _ in
            named(
                "own\(prefix.prefix.length)", on: .nat64, "a public host under the network's \(prefix) (RFC 6052 §2.2)")
        }
        return [
            named("public", on: .nat64, "a public host under 64:ff9b::/96 (RFC 6147 §5.1.7)"),
            named("six", on: .nat64, "a public host with IPv6 alone"),
            named("public", on: .dualStack, "a public host"),
            named("six", on: .dualStack, "a public host with IPv6 alone"),
        ] + own
    }()

    // MARK: - Plain addresses

    private static func plain(_ canary: Canary) -> [CanarySpelling] {
        switch canary.address {
        case .ipv4(let address):
            return [
                CanarySpelling(
                    "dotted.\(canary)", "\(address)", on: .dualStack, "an address as it is (RFC 3986 §3.2.2)")
            ]
        case .ipv6(let address):
            let groups = (0..<8).reversed().map {
                String(UInt16(truncatingIfNeeded: address.bits >> ($0 * 16)), radix: 16)
            }
            let padded = groups.map { String(repeating: "0", count: 4 - $0.count) + $0 }.joined(separator: ":")
            let zone = canary.isInWorld ? "eth0" : "lo"
            return [
                CanarySpelling("compressed.\(canary)", "[\(address)]", on: .nat64, "an address as it is (RFC 5952)"),
                CanarySpelling(
                    "padded.\(canary)", "[\(padded)]", on: .nat64, "an address with all its zeros (RFC 4291 §2.2)"),
                CanarySpelling(
                    "capital.\(canary)", "[\(groups.joined(separator: ":").uppercased())]", on: .nat64,
                    "an address in capitals (RFC 4291 §2.2)"),
                CanarySpelling(
                    "zone.\(canary)", "[\(address)%25\(zone)]", on: .nat64, "an address with a zone (RFC 6874 §2)"),
                CanarySpelling(
                    "userinfo.\(canary)", "public.\(Canary.domain)@[\(address)]", on: .nat64,
                    "an address behind userinfo (RFC 3986 §3.2.1)"),
            ]
        }
    }

    // MARK: - Notations of IPv4

    /// The notations that inet_aton, the URL standard and libraries accept for numbers; and IPv4-mapped addresses, which the kernel treats
    /// as IPv4.
    private static func notations(_ canary: Canary, on network: Network) -> [CanarySpelling] {
        guard let address = canary.address.ipv4 else { return [] }
        let bits = address.bits
        let octets = [24, 16, 8, 0].map { bits >> UInt32($0) & 0xff }
        func number(_ value: UInt32, _ radix: Int) -> String {
            (radix == 8 ? "0" : radix == 16 ? "0x" : "") + String(value, radix: radix)
        }
        func dotted(_ radix: Int) -> String { octets.map { number($0, radix) }.joined(separator: ".") }
        func replaced(_ text: String, _ digit: (UInt32) -> UInt32?, dot: String = ".") -> String {
            String(
                String.UnicodeScalarView(
                    text.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
                        if scalar == "." { return Array(dot.unicodeScalars) }
                        return [digit(scalar.value - 0x30).flatMap(Unicode.Scalar.init) ?? scalar]
                    }))
        }
        let mapped = [bits >> 16, bits & 0xffff].map { String($0, radix: 16) }.joined(separator: ":")
        let text = "\(address)"
        let aton = "inet_aton(3)"
        var all: [(name: String, host: String, manner: String)] = [
            ("decimal", number(bits, 10), "one decimal number (\(aton))"),
            ("hex", number(bits, 16), "one hexadecimal number (\(aton))"),
            ("octal", number(bits, 8), "one octal number (\(aton))"),
            ("mapped", "[::ffff:\(mapped)]", "IPv4-mapped (RFC 4291 §2.5.5.2)"),
            ("mapped-dotted", "[::ffff:\(text)]", "IPv4-mapped, with dots (RFC 4291 §2.2)"),
        ]
        if canary == .metadata || canary == .loopback {
            all += [
                (
                    "mapped-long", "[0:0:0:0:0:FFFF:\(mapped.uppercased())]",
                    "IPv4-mapped, not compressed (RFC 4291 §2.2)"
                ),
                ("hex-octets", dotted(16), "hexadecimal octets (\(aton))"),
                ("octal-octets", dotted(8), "octal octets (\(aton))"),
                (
                    "zeros", octets.map { "000" + number($0, 8) }.joined(separator: "."),
                    "octal octets with more zeros (\(aton))"
                ),
                (
                    "mixed", "\(number(octets[0], 16)).\(number(octets[1], 8)).\(number(bits & 0xffff, 10))",
                    "a number of each kind (\(aton))"
                ),
                ("two-parts", "\(octets[0]).\(bits & 0xffffff)", "two parts (\(aton))"),
                ("three-parts", "\(octets[0]).\(octets[1]).\(bits & 0xffff)", "three parts (\(aton))"),
                ("full-width", replaced(text) { 0xff10 + $0 }, "full-width digits (UTS #46 §4)"),
                ("circled", replaced(text) { $0 == 0 ? 0x24ea : 0x2460 + $0 - 1 }, "circled digits (UTS #46 §4)"),
                ("ideographic", replaced(text, { _ in nil }, dot: "\u{3002}"), "ideographic full stops (UTS #46 §4)"),
                ("final-dot", text + ".", "a final dot (WHATWG URL §3.5)"),
                ("userinfo", "public.\(Canary.domain)@\(text)", "behind userinfo (RFC 3986 §3.2.1)"),
                ("password", "user:80@\(text)", "behind a password (RFC 3986 §3.2.1)"),
                (
                    "percent", text.utf8.map { "%\(String($0, radix: 16))" }.joined(),
                    "percent-encoded (RFC 3986 §3.2.2)"
                ),
                ("port", text + ":80", "with the port"), ("zero-port", text + ":0080", "with a port that has zeros"),
            ]
        }
        if canary == .loopback {
            all += [
                ("dotted", text, "an address as it is (RFC 3986 §3.2.2)"),
                ("unspecified", "0.0.0.0", "the unspecified address (RFC 1122 §3.2.1.3)"),
                ("zero", "0", "the unspecified address as one number (\(aton))"),
                ("unspecified6", "[::]", "the unspecified address (RFC 4291 §2.5.2)"),
                ("name", "localhost", "localhost (RFC 6761 §6.3)"),
                ("name-dot", "localhost.", "localhost, absolute (RFC 6761 §6.3)"),
                ("name-capital", "LOCALHOST", "localhost in capitals (RFC 6761 §6.3)"),
            ]
        }
        if network == .dualStack { all.removeAll { $0.name == "dotted" } }
        return all.map { CanarySpelling("\($0.name).\(canary)", $0.host, on: network, $0.manner) }
    }

    // MARK: - Translation

    /// IPv4 addresses embedded in IPv6 ones. A NAT64 that translates private addresses under 64:ff9b::/96 violates RFC 6052 §3.1; some do.
    private static func translated(_ canary: Canary) -> [CanarySpelling] {
        guard let address = canary.address.ipv4 else { return [] }
        func spelled(_ name: String, _ address: IPv6Address, _ manner: String, isDeadEnd: Bool = false)
            -> CanarySpelling
        {
            CanarySpelling(
                "\(name).\(canary)", "[\(address)]", on: .nat64, manner, deadEnd: isDeadEnd ? address : nil)
        }
        let (high, low) = (UInt16(address.bits >> 16), UInt16(truncatingIfNeeded: address.bits))
        let own = CanaryPlan.prefixes.map { prefix, _ in
            spelled(
                "own\(prefix.prefix.length)", prefix.embed(address),
                "the network's own prefix \(prefix) (RFC 6052 §2.2)")
        }
        let wellKnown = Pref64.wellKnown.embed(address)
        return [
            spelled("wkp", wellKnown, "64:ff9b::/96 (RFC 6052 §2.1)"),
            CanarySpelling(
                "wkp-dotted.\(canary)", "[64:ff9b::\(address)]", on: .nat64, "64:ff9b::/96 with dots (RFC 6052 §2.4)"),
            CanarySpelling(
                "wkp-long.\(canary)",
                "[0064:FF9B:0:0:0:0:\([high, low].map { String($0, radix: 16).uppercased() }.joined(separator: ":"))]",
                on: .nat64, "64:ff9b::/96 in capitals, not compressed (RFC 4291 §2.2)"),
        ] + own + [
            spelled(
                "local-use", IPv6Address(0x64, 0xff9b, 1, 0, 0, 0, high, low),
                "64:ff9b:1::/48, a NAT64's of another network (RFC 8215)", isDeadEnd: true),
            spelled(
                "compatible", IPv6Address(0, 0, 0, 0, 0, 0, high, low), "IPv4-compatible (RFC 4291 §2.5.5.1)",
                isDeadEnd: true),
            spelled("6to4", IPv6Address(0x2002, high, low, 0, 0, 0, 0, 1), "6to4 (RFC 3056 §2)", isDeadEnd: true),
            spelled(
                "teredo", IPv6Address(0x2001, 0, high, low, 0, 0xffff, ~high, ~low), "Teredo (RFC 4380 §4)",
                isDeadEnd: true),
            spelled(
                "isatap", IPv6Address(0xfe80, 0, 0, 0, 0, 0x5efe, high, low), "ISATAP, on the link (RFC 5214 §6.1)",
                isDeadEnd: true),
        ]
    }

    // MARK: - Names

    /// Names in the world (`World.canaries`), and how each leads to a canary.
    private static let names: [CanarySpelling] = {
        func named(_ name: String, on networks: [Network], _ manner: String) -> [CanarySpelling] {
            networks.map { CanarySpelling(name, "\(name).\(Canary.domain)", on: $0, manner) }
        }
        let both = [Network.nat64, .dualStack]
        let plain = Canary.allCases.filter(\.isInWorld).flatMap { canary in
            named(canary.rawValue, on: canary.address.ipv4 == nil ? [.nat64] : both, "a name with its address")
                .map { spelling in
                    var spelling = spelling
                    spelling.name = "name.\(canary)"
                    return spelling
                }
        }
        return plain
            + named("alias.metadata", on: both, "an alias (RFC 1034 §3.6.2)")
            + named("both.metadata", on: both, "a name with a public address and a private one")
            + [(Network.nat64, "rebind"), (.dualStack, "rebind4")].flatMap { network, name in
                [Canary.metadata, .loopback].flatMap {
                    named(
                        "\(name).\($0)", on: [network],
                        "a name whose address changes between two look-ups (DNS rebinding)")
                }
            }
            + named("wkp-record.metadata", on: [.nat64], "a AAAA record under 64:ff9b::/96 (RFC 6052 §2.1)")
            + named("own-record.metadata", on: [.nat64], "a AAAA record under the network's own prefix (RFC 6052 §2.2)")
            + named("mapped-record.metadata", on: [.dualStack], "an IPv4-mapped AAAA record (RFC 4291 §2.5.5.2)")
            + named("loopback6", on: both, "a AAAA record of ::1")
            + named("loopback4", on: [.dualStack], "an A record of 127.0.0.1")
            + named("127.0.0.1.nip", on: [.dualStack], "a name with the address in it")
            + named("169.254.169.254.nip", on: [.dualStack], "a name with the address in it")
            + named("a9fea9fe.nip", on: [.dualStack], "a name with the address in it")
    }()

    // MARK: - Redirects

    /// The targets of the public host's redirects, by path; the redirect keeps the path.
    package static let redirectTargets: [(name: String, location: String, networks: [Network])] = [
        ("metadata", "http://\(Canary.metadata.address)", [.dualStack]),
        ("wkp", "http://[\(Pref64.wellKnown.embed(IPv4Address(169, 254, 169, 254)))]", [.nat64]),
        ("loopback", "http://127.0.0.1", [.nat64, .dualStack]), ("loopback6", "http://[::1]", [.nat64]),
        ("name", "http://\(Canary.net10.name)", [.nat64, .dualStack]),
    ]
    package static let redirectStatuses = [301, 302, 303, 307, 308]

    private static let redirects = redirectTargets.flatMap { target in
        target.networks.flatMap { network in
            (target.name == "metadata" || target.name == "wkp" ? redirectStatuses : [302]).map { status in
                CanarySpelling(
                    "redirect-\(status).\(target.name)", "public.\(Canary.domain)", path: "/\(status)/\(target.name)",
                    on: network, "a redirect to \(target.location) (RFC 9110 §15.4)")
            }
        }
    }

    // MARK: - A proxy

    private static let proxied = [Canary.metadata, .net10].flatMap { canary in
        [Network.nat64, .dualStack].map { network in
            var spelling = CanarySpelling(
                "proxy.\(canary)", canary.name, on: network,
                "through a proxy, which looks names up itself (RFC 9110 §7.6.3)")
            spelling.isProxied = true
            return spelling
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Text
package import Wire

/// The client's link: a prefix of 64 bits, in which the router and the clients of each network have fixed interface identifiers, and
/// the IPv4 side of the NAT64, a prefix of 24 bits in which they have fixed numbers.
package struct ClientLink: Hashable, Sendable {
    package let prefix: IPv6Prefix
    package let ipv4: IPv4Prefix
    /// The router, which is the DNS64 as well.
    package let router: IPv6Address

    /// Unassigned: IANA reserves 2e00::/7 and more. The libraries of Python, Go, Rust, Java, Node and Ruby take it for global. It has the
    /// label of ::/0, like 64:ff9b::/96 (RFC 6724 §2.1).
    package static let standard = ClientLink(prefix: NetworkPlan.clientLink)
    /// The prefix of the NAT64 test network of Apple's systems. Libraries take it for unreachable from outside (RFC 5180, RFC 6890).
    package static let apple = ClientLink(
        prefix: IPv6Prefix(IPv6Address(0x2001, 2, 0, 0xaab1, 0, 0, 0, 0), length: 64)!)

    private init(prefix: IPv6Prefix, ipv4: IPv4Prefix = NetworkPlan.ipv4Link, router: IPv6Address? = nil) {
        self.prefix = prefix
        self.ipv4 = ipv4
        self.router = router ?? IPv6Address(bits: prefix.address.bits | Self.identifier(NetworkPlan.router))
    }

    /// A link on which one of our routers has this address, and no client is.
    init(router: IPv6Address) {
        self.init(prefix: IPv6Prefix(router, length: 64)!, router: router)
    }

    package struct Mistake: Error, Hashable, CustomStringConvertible {
        package let description: String
    }

    /// - Parameter text: `apple`, or a prefix such as `2001:db8:1:2::/64`.
    package init(_ text: String) throws(Mistake) {
        if text == "apple" {
            self = .apple
            return
        }
        guard let prefix = IPv6Prefix(text), prefix.length == 64 else {
            throw Mistake(description: "\(text) is no prefix of 64 bits; give one such as 2001:db8:1:2::/64, or apple")
        }
        let (first, last) = (IPv6Address(bits: prefix.address.bits | 1), prefix.address.bits >> 120)
        if NetworkPlan.hostNetworkIPv6.contains(first) || last == 0 || last >= 0xfe {
            throw Mistake(
                description: "\(text) cannot be the client's link; give a prefix of 64 bits such as 2001:db8:1:2::/64")
        }
        self.init(prefix: prefix)
    }

    /// The address on this link that has this interface identifier on the standard link.
    func address(_ standard: IPv6Address) -> IPv6Address {
        IPv6Address(bits: prefix.address.bits | Self.identifier(standard))
    }

    private static func identifier(_ address: IPv6Address) -> UInt128 { address.bits & UInt128(UInt64.max) }

    /// The address on this link that has this number on the standard link.
    func address(_ standard: IPv4Address) -> IPv4Address {
        IPv4Address(bits: ipv4.address.bits | standard.bits & 0xff)
    }

    /// The address of the standard link that has the number of this one on one of our links; `nil` if no link of ours has it.
    static func standard(_ address: IPv4Address) -> IPv4Address? {
        guard NetworkPlan.ipv4Link.contains(address) || NetworkPlan.furtherIPv4Links.contains(address) else {
            return nil
        }
        return Self.standard.address(address)
    }

    /// The router's IPv4 address.
    package var ipv4Router: IPv4Address { address(NetworkPlan.ipv4Router) }

    /// The prefixes of the devices of this link, selected by the last eight bits of the link's prefix.
    package var devices: IPv6Prefix {
        let number = self == .standard ? 0 : prefix.address.bits >> 64 & 0xff
        return IPv6Prefix(IPv6Address(bits: NetworkPlan.deviceNetworks.address.bits | number << 72), length: 56)!
    }

    /// The prefixes and routers' addresses of this link, for the uplink.
    package var simulatedNetwork: SimulatedNetwork {
        SimulatedNetwork(ipv6: [prefix, devices], ipv4: ipv4, ipv6Router: router, ipv4Router: ipv4Router)
    }

    /// Links for simulators that share one host's network, in the order in which to try them: this one first, then some with other
    /// addresses. A prefix that the user chose stays.
    package var alternatives: [ClientLink] {
        [self]
            + (1...254).map { number in
                ClientLink(
                    prefix: self == .standard ? Self.further(number) : prefix,
                    ipv4: IPv4Prefix(
                        IPv4Address(bits: NetworkPlan.furtherIPv4Links.address.bits | UInt32(number) << 8), length: 24)!,
                    router: self == .standard ? nil : router)
            }
    }

    /// 2e00:2:0:101::/64 and so on.
    private static func further(_ number: Int) -> IPv6Prefix {
        IPv6Prefix(IPv6Address(0x2e00, 2, 0, 0x100 | UInt16(number), 0, 0, 0, 0), length: 64)!
    }
}

extension ClientLink: TextCodable {
    /// As written by the user.
    package var description: String { prefix == Self.apple.prefix ? "apple" : "\(prefix)" }
}

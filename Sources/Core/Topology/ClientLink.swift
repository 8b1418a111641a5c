// SPDX-License-Identifier: Apache-2.0
package import Wire

/// The client's link: a prefix of 64 bits, in which the router and the clients of each network have fixed interface identifiers.
package struct ClientLink: Hashable, Sendable {
    package let prefix: IPv6Prefix

    /// Global to the libraries of Python, Go, Rust, Java, Node and Ruby, and nobody's: IANA keeps 2e00::/7 and more for later. Of the label of ::/0,
    /// as 64:ff9b::/96 is (RFC 6724 §2.1).
    package static let standard = ClientLink(prefix: NetworkPlan.clientLink)
    /// That of the NAT64 test network of Apple's systems. Libraries take it for an address that the world cannot reach (RFC 5180, RFC 6890).
    package static let apple = ClientLink(
        prefix: IPv6Prefix(IPv6Address(0x2001, 2, 0, 0xaab1, 0, 0, 0, 0), length: 64)!)

    private init(prefix: IPv6Prefix) { self.prefix = prefix }

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

    /// The address here that has this interface identifier on the standard link.
    func address(_ standard: IPv6Address) -> IPv6Address {
        IPv6Address(bits: prefix.address.bits | standard.bits & UInt128(UInt64.max))
    }

    /// The router, which is the DNS64 as well.
    package var router: IPv6Address { address(NetworkPlan.router) }

    /// The links, for the uplink.
    package var simulatedNetwork: SimulatedNetwork {
        SimulatedNetwork(
            ipv6: prefix, ipv4: NetworkPlan.ipv4Link, ipv6Router: router, ipv4Router: NetworkPlan.ipv4Router)
    }
}

extension ClientLink: CustomStringConvertible {
    /// As it is written.
    package var description: String { self == .apple ? "apple" : "\(prefix)" }
}

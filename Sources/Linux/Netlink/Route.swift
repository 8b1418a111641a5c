// SPDX-License-Identifier: Apache-2.0
package import Wire

/// A network of either family.
package enum NetworkPrefix: Hashable, Sendable {
    case ipv4(IPv4Prefix)
    case ipv6(IPv6Prefix)

    /// 0.0.0.0/0, all of IPv4.
    package static let allIPv4 = NetworkPrefix.ipv4(IPv4Prefix(IPv4Address(bits: 0), length: 0)!)
    /// ::/0, all of IPv6.
    package static let allIPv6 = NetworkPrefix.ipv6(IPv6Prefix(.unspecified, length: 0)!)
}

extension NetworkPrefix: CustomStringConvertible {
    package var description: String {
        switch self {
        case .ipv4(let prefix): prefix.length == 0 ? "default" : "\(prefix)"
        case .ipv6(let prefix): prefix.length == 0 ? "default" : "\(prefix)"
        }
    }
}

/// A route of the main table, or of the local one.
package struct Route: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case unicast
        /// The destination is this host: its packets are received, and it may be bound to.
        case local
    }

    package enum Gateway: Hashable, Sendable {
        case ipv4(IPv4Address)
        case ipv6(IPv6Address)
    }

    package var destination: NetworkPrefix
    package var kind: Kind
    /// The next hop, of the destination's family; `nil` if the destination is on the link.
    package var gateway: Gateway?
    package var link: NetworkInterface.Index
    /// The path MTU to assume, instead of the link's.
    package var mtu: Int?

    package init(
        to destination: NetworkPrefix, kind: Kind = .unicast, via gateway: Gateway? = nil, link: NetworkInterface.Index,
        mtu: Int? = nil
    ) {
        self.destination = destination
        self.kind = kind
        self.gateway = gateway
        self.link = link
        self.mtu = mtu
    }
}

extension Route.Gateway: CustomStringConvertible {
    package var description: String {
        switch self {
        case .ipv4(let address): "\(address)"
        case .ipv6(let address): "\(address)"
        }
    }
}

extension Route: CustomStringConvertible {
    package var description: String {
        (kind == .local ? "local " : "") + "\(destination)" + (gateway.map { " via \($0)" } ?? "") + " dev \(link)"
            + (mtu.map { " mtu \($0)" } ?? "")
    }
}

public import Wire

/// A network of either family.
public enum NetworkPrefix: Hashable, Sendable {
    case ipv4(IPv4Prefix)
    case ipv6(IPv6Prefix)

    /// 0.0.0.0/0, all of IPv4.
    public static let allIPv4 = NetworkPrefix.ipv4(IPv4Prefix(IPv4Address(bits: 0), length: 0)!)
    /// ::/0, all of IPv6.
    public static let allIPv6 = NetworkPrefix.ipv6(IPv6Prefix(.unspecified, length: 0)!)
}

extension NetworkPrefix: CustomStringConvertible {
    public var description: String {
        switch self {
        case .ipv4(let prefix): prefix.length == 0 ? "default" : "\(prefix)"
        case .ipv6(let prefix): prefix.length == 0 ? "default" : "\(prefix)"
        }
    }
}

/// A route of the main table, or of the local one.
public struct Route: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case unicast
        /// The destination is this host: its packets are received, and it may be bound to.
        case local
    }

    public enum Gateway: Hashable, Sendable {
        case ipv4(IPv4Address)
        case ipv6(IPv6Address)
    }

    public var destination: NetworkPrefix
    public var kind: Kind
    /// The next hop, of the destination's family; none where the destination is on the link.
    public var gateway: Gateway?
    public var link: Link.Index
    /// The path MTU to assume, instead of the link's.
    public var mtu: Int?

    public init(
        to destination: NetworkPrefix, kind: Kind = .unicast, via gateway: Gateway? = nil, link: Link.Index,
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
    public var description: String {
        switch self {
        case .ipv4(let address): "\(address)"
        case .ipv6(let address): "\(address)"
        }
    }
}

extension Route: CustomStringConvertible {
    public var description: String {
        (kind == .local ? "local " : "") + "\(destination)" + (gateway.map { " via \($0)" } ?? "") + " dev \(link)"
            + (mtu.map { " mtu \($0)" } ?? "")
    }
}

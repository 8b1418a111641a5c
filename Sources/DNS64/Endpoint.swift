public import Wire

/// Who asks, or who is asked: an address of either family and a port.
public struct Endpoint: Hashable, Sendable {
    public enum Address: Hashable, Sendable {
        case ipv4(IPv4Address)
        case ipv6(IPv6Address)
    }

    public var address: Address
    public var port: UInt16

    public init(_ address: Address, port: UInt16) {
        self.address = address
        self.port = port
    }
}

extension Endpoint.Address: CustomStringConvertible {
    public var description: String {
        switch self {
        case .ipv4(let address): address.description
        case .ipv6(let address): address.description
        }
    }
}

extension Endpoint: CustomStringConvertible {
    public var description: String {
        switch address {
        case .ipv4(let address): "\(address):\(port)"
        case .ipv6(let address): "[\(address)]:\(port)"
        }
    }
}

/// What carried a query.
public enum Transport: String, Hashable, Sendable {
    case udp, tcp
}

// SPDX-License-Identifier: Apache-2.0
/// An IP address of either family.
public enum IPAddress: Hashable, Sendable {
    case ipv4(IPv4Address)
    case ipv6(IPv6Address)

    public init?(_ text: some StringProtocol) {
        if let address = IPv4Address(text) {
            self = .ipv4(address)
        } else if let address = IPv6Address(text) {
            self = .ipv6(address)
        } else {
            return nil
        }
    }

    public var ipv4: IPv4Address? {
        if case .ipv4(let address) = self { address } else { nil }
    }

    public var ipv6: IPv6Address? {
        if case .ipv6(let address) = self { address } else { nil }
    }

    /// The octets in network order: 4 or 16.
    public var octets: [UInt8] {
        switch self {
        case .ipv4(let address):
            let (a, b, c, d) = address.octets
            return [a, b, c, d]
        case .ipv6(let address):
            return (0..<16).map(address.octet)
        }
    }
}

extension IPAddress: Comparable {
    /// IPv4 before IPv6, then by number.
    public static func < (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.ipv4(let left), .ipv4(let right)): left < right
        case (.ipv6(let left), .ipv6(let right)): left < right
        case (.ipv4, .ipv6): true
        case (.ipv6, .ipv4): false
        }
    }
}

extension IPAddress: CustomStringConvertible {
    public var description: String {
        switch self {
        case .ipv4(let address): address.description
        case .ipv6(let address): address.description
        }
    }

    /// The address and a port, as in a URL: IPv6 in brackets (RFC 3986 §3.2.2).
    public func description(port: UInt16) -> String {
        switch self {
        case .ipv4(let address): "\(address):\(port)"
        case .ipv6(let address): "[\(address)]:\(port)"
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
public import Wire

/// RFC 6146 §2: an IPv6 address and a port, or an ICMPv6 identifier.
public struct TransportAddress6: Hashable, Sendable {
    public var address: IPv6Address
    public var port: UInt16

    public init(_ address: IPv6Address, _ port: UInt16) {
        self.address = address
        self.port = port
    }
}

/// RFC 6146 §2: an IPv4 address and a port, or an ICMPv4 identifier.
public struct TransportAddress4: Hashable, Sendable {
    public var address: IPv4Address
    public var port: UInt16

    public init(_ address: IPv4Address, _ port: UInt16) {
        self.address = address
        self.port = port
    }
}

extension TransportAddress6: CustomStringConvertible {
    public var description: String { "[\(address)]:\(port)" }
}

extension TransportAddress4: CustomStringConvertible {
    public var description: String { "\(address):\(port)" }
}

/// The three protocols that a stateful NAT64 translates, each with tables of its own (RFC 6146 §3.1, §3.2).
public enum TransportProtocol: Int, CaseIterable, Hashable, Sendable {
    case udp, tcp, icmp
}

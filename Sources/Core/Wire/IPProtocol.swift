// SPDX-License-Identifier: Apache-2.0
/// The protocol after an IP header: the Protocol field of IPv4, the Next Header field of IPv6 (one registry for both).
public struct IPProtocol: Hashable, Sendable, RawRepresentable {
    public var rawValue: UInt8

    @inline(always)
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    @inlinable public static var hopByHopOptions: IPProtocol { IPProtocol(rawValue: 0) }
    @inlinable public static var icmp: IPProtocol { IPProtocol(rawValue: 1) }
    @inlinable public static var tcp: IPProtocol { IPProtocol(rawValue: 6) }
    @inlinable public static var udp: IPProtocol { IPProtocol(rawValue: 17) }
    @inlinable public static var dccp: IPProtocol { IPProtocol(rawValue: 33) }
    @inlinable public static var routing: IPProtocol { IPProtocol(rawValue: 43) }
    @inlinable public static var fragment: IPProtocol { IPProtocol(rawValue: 44) }
    @inlinable public static var icmpv6: IPProtocol { IPProtocol(rawValue: 58) }
    @inlinable public static var noNextHeader: IPProtocol { IPProtocol(rawValue: 59) }
    @inlinable public static var destinationOptions: IPProtocol { IPProtocol(rawValue: 60) }
    @inlinable public static var sctp: IPProtocol { IPProtocol(rawValue: 132) }
    @inlinable public static var udpLite: IPProtocol { IPProtocol(rawValue: 136) }

    /// The IPv6 headers that RFC 7915 §5.1 skips: "If any of an IPv6 Hop-by-Hop Options header, Destination Options header, or Routing
    /// header with the Segments Left field equal to zero are present in the IPv6 packet, those IPv6 extension headers MUST be ignored". The
    /// Fragment header has its own rules; AH and the rest count as transports.
    @inlinable public var isSkippedExtensionHeader: Bool {
        self == .hopByHopOptions || self == .destinationOptions || self == .routing
    }

    /// A number that has no meaning in an IPv4 packet, but in an IPv6 packet is ICMPv6 or an extension header.
    @inlinable public var isOnlyOfIPv6: Bool { self == .icmpv6 || self == .fragment || isSkippedExtensionHeader }
}

extension IPProtocol: CustomStringConvertible {
    public var description: String {
        switch self {
        case .icmp: "ICMP"
        case .icmpv6: "ICMPv6"
        case .tcp: "TCP"
        case .udp: "UDP"
        case .sctp: "SCTP"
        default: "protocol \(rawValue)"
        }
    }
}

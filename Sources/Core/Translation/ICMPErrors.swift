// SPDX-License-Identifier: Apache-2.0
/// An ICMPv4 error that a translator or router originates.
public struct ICMPv4Error: Hashable, Sendable {
    public var type: UInt8
    public var code: UInt8
    /// The four octets after the checksum.
    public var rest: UInt32

    @inlinable
    public init(type: UInt8, code: UInt8, rest: UInt32 = 0) {
        self.type = type
        self.code = code
        self.rest = rest
    }

    public static let networkUnreachable = ICMPv4Error(type: 3, code: 0)
    public static let hostUnreachable = ICMPv4Error(type: 3, code: 1)
    public static let protocolUnreachable = ICMPv4Error(type: 3, code: 2)
    public static let portUnreachable = ICMPv4Error(type: 3, code: 3)
    public static let sourceRouteFailed = ICMPv4Error(type: 3, code: 5)
    public static let hostAdministrativelyProhibited = ICMPv4Error(type: 3, code: 10)
    public static let communicationAdministrativelyProhibited = ICMPv4Error(type: 3, code: 13)
    public static let ttlExceeded = ICMPv4Error(type: 11, code: 0)
    public static let reassemblyTimeExceeded = ICMPv4Error(type: 11, code: 1)

    /// Fragmentation needed and DF set, with the next hop's MTU (RFC 1191 §4).
    public static func fragmentationNeeded(mtu: Int) -> ICMPv4Error {
        ICMPv4Error(type: 3, code: 4, rest: UInt32(clamping: min(mtu, 65_535)))
    }
}

/// An ICMPv6 error that a translator or router originates.
public struct ICMPv6Error: Hashable, Sendable {
    public var type: UInt8
    public var code: UInt8
    /// The four octets after the checksum.
    public var rest: UInt32

    @inlinable
    public init(type: UInt8, code: UInt8, rest: UInt32 = 0) {
        self.type = type
        self.code = code
        self.rest = rest
    }

    public static let noRoute = ICMPv6Error(type: 1, code: 0)
    public static let administrativelyProhibited = ICMPv6Error(type: 1, code: 1)
    public static let addressUnreachable = ICMPv6Error(type: 1, code: 3)
    public static let portUnreachable = ICMPv6Error(type: 1, code: 4)
    public static let hopLimitExceeded = ICMPv6Error(type: 3, code: 0)
    public static let reassemblyTimeExceeded = ICMPv6Error(type: 3, code: 1)

    public static func packetTooBig(mtu: Int) -> ICMPv6Error {
        ICMPv6Error(type: 2, code: 0, rest: UInt32(clamping: mtu))
    }

    /// Erroneous header field encountered, at `pointer` octets from the start of the packet.
    public static func erroneousHeader(at pointer: Int) -> ICMPv6Error {
        ICMPv6Error(type: 4, code: 0, rest: UInt32(clamping: pointer))
    }
}

/// An ICMP error of either family.
public enum ICMPError: Hashable, Sendable {
    case ipv4(ICMPv4Error)
    case ipv6(ICMPv6Error)
}

// SPDX-License-Identifier: Apache-2.0
public import Wire

/// The choices that RFC 7915 leaves to configuration; the defaults are the RFC's.
public struct TranslationOptions: Hashable, Sendable {
    /// The treatment of an IPv4 UDP packet without a checksum (RFC 7915 §4.5).
    public enum UDPZeroChecksum: Hashable, Sendable {
        case drop
        /// Computed for whole packets. A fragment's cannot be computed, so fragments are dropped.
        case compute
    }

    /// The MTU of the next hop on the IPv6 side: at least 1280.
    public var ipv6MTU: Int { didSet { ipv6MTU = Self.valid(ipv6MTU, atLeast: 1280) } }
    /// The MTU of the next hop on the IPv4 side: at least 68.
    public var ipv4MTU: Int { didSet { ipv4MTU = Self.valid(ipv4MTU, atLeast: 68) } }
    /// RFC 7915 §4.1's "lowest-ipv6-mtu": the maximum size of the fragments of IPv4 packets without DF, unless the next hop's MTU is even
    /// smaller. At least 1280.
    public var lowestIPv6MTU: Int { didSet { lowestIPv6MTU = Self.valid(lowestIPv6MTU, atLeast: 1280) } }
    /// Ignore the TOS octet and set the traffic class to zero (RFC 7915 §4.1).
    public var zeroesTrafficClass: Bool
    /// Ignore the traffic class and set the TOS octet to zero (RFC 7915 §5.1).
    public var zeroesTOS: Bool
    public var udpZeroChecksum: UDPZeroChecksum
    /// A link-local address that is translated nevertheless, against RFC 7915 §4.1 and §5.1: that of a cloud's metadata service, behind a
    /// NAT64 of a cloud that allows its clients to reach it.
    public var carriedLinkLocal: IPv4Address?
    /// Guess the MTU if a router's Fragmentation Needed does not contain it (RFC 1191 §5, RFC 7915 §4.2).
    public var usesPlateaus: Bool

    /// Clamps MTUs to the values that the protocols allow.
    public init(
        ipv6MTU: Int = 1500, ipv4MTU: Int = 1500, lowestIPv6MTU: Int = 1280, zeroesTrafficClass: Bool = false,
        zeroesTOS: Bool = false, udpZeroChecksum: UDPZeroChecksum = .compute, usesPlateaus: Bool = true
    ) {
        self.ipv6MTU = Self.valid(ipv6MTU, atLeast: 1280)
        self.ipv4MTU = Self.valid(ipv4MTU, atLeast: 68)
        self.lowestIPv6MTU = Self.valid(lowestIPv6MTU, atLeast: 1280)
        self.zeroesTrafficClass = zeroesTrafficClass
        self.zeroesTOS = zeroesTOS
        self.udpZeroChecksum = udpZeroChecksum
        self.usesPlateaus = usesPlateaus
    }

    /// As `lowestIPv6MTU` it means that only the next hop's MTU limits the size: for a next hop behind which no link is smaller.
    public static let largestMTU = 65_535

    private static func valid(_ mtu: Int, atLeast least: Int) -> Int { min(max(mtu, least), largestMTU) }
}

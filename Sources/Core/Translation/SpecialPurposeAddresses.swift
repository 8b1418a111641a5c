// SPDX-License-Identifier: Apache-2.0
public import Wire

/// How far packets from and to an address are forwarded.
public enum AddressScope: Hashable, Sendable {
    /// No router forwards a packet from or to it: an illegal address.
    case notForwarded
    /// Forwarded within networks, but not globally reachable.
    case notGlobal
    case global
}

extension IPv4Address {
    /// The registry of special-purpose addresses as a function, for speed: both translators call it for each packet, in both directions.
    /// `SpecialPurpose.registry` is its slow equivalent.
    public var scope: AddressScope {
        switch bits >> 24 {
        // 0.0.0.0/8 "this network", 127.0.0.0/8 loopback (RFC 1122 §3.2.1.3, RFC 1812 §5.3.7).
        case 0, 127: return .notForwarded
        // 224.0.0.0/4 multicast (RFC 5771), which is not translated (RFC 7915 §1.2).
        case 224...239: return .notForwarded
        // 240.0.0.0/4 reserved, class E, and the limited broadcast in it (RFC 1112 §4, RFC 1812 §5.3.7).
        case 240...255: return .notForwarded
        // 169.254.0.0/16 link local: no router forwards it (RFC 3927 §2.7, §7).
        case 169: return isLinkLocal ? .notForwarded : .global
        // 10.0.0.0/8 private use (RFC 1918).
        case 10: return .notGlobal
        // 100.64.0.0/10 shared address space (RFC 6598).
        case 100: return isWithin(100, 64, 0, 0, 10) ? .notGlobal : .global
        // 172.16.0.0/12 private use (RFC 1918).
        case 172: return isWithin(172, 16, 0, 0, 12) ? .notGlobal : .global
        case 192:
            // 192.0.0.0/24 IETF protocol assignments (RFC 6890), except for PCP and TURN anycast (RFC 7723, RFC 8155). 464XLAT's hosts use
            // 192.0.0.0/29 (RFC 7335).
            if isWithin(192, 0, 0, 0, 24) {
                return self == IPv4Address(192, 0, 0, 9) || self == IPv4Address(192, 0, 0, 10) ? .global : .notGlobal
            }
            // 192.0.2.0/24 TEST-NET-1 (RFC 5737), 192.168.0.0/16 private use (RFC 1918).
            return isWithin(192, 0, 2, 0, 24) || isWithin(192, 168, 0, 0, 16) ? .notGlobal : .global
        // 198.18.0.0/15 benchmarking (RFC 2544), 198.51.100.0/24 TEST-NET-2 (RFC 5737).
        case 198: return isWithin(198, 18, 0, 0, 15) || isWithin(198, 51, 100, 0, 24) ? .notGlobal : .global
        // 203.0.113.0/24 TEST-NET-3 (RFC 5737).
        case 203: return isWithin(203, 0, 113, 0, 24) ? .notGlobal : .global
        default: return .global
        }
    }

    /// Whether the well-known prefix may carry it (RFC 6052 §3.1).
    public var isGlobal: Bool { scope == .global }

    /// Packets from or to such an address are dropped silently (RFC 7915 §4.1, §5.1).
    public var isIllegal: Bool { scope == .notForwarded }

    /// 169.254.0.0/16
    public var isLinkLocal: Bool { isWithin(169, 254, 0, 0, 16) }
    /// Whether a cloud's metadata service has it: 169.254.169.254 in most clouds; 169.254.170.2 and 169.254.170.23 in containers at AWS.
    public var isCloudMetadata: Bool { [0xa9fe_a9fe, 0xa9fe_aa02, 0xa9fe_aa17].contains(bits) }
    /// 224.0.0.0/4
    public var isMulticast: Bool { bits >> 28 == 0xe }
    /// 255.255.255.255
    public var isLimitedBroadcast: Bool { bits == ~0 }

    private func isWithin(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8, _ length: UInt32) -> Bool {
        (bits ^ IPv4Address(a, b, c, d).bits) >> (32 - length) == 0
    }
}

extension IPv6Address {
    /// No router forwards a packet from such an address: `::`, `::1`, multicast, link-local (RFC 4291 §2.5.2, §2.5.3, §2.5.6, §2.7). It is
    /// dropped silently (RFC 7915 §5.1).
    public var isIllegalSource: Bool { self == .unspecified || self == .loopback || isMulticast || isLinkLocal }
}

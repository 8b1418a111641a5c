public import Wire

extension IPv4Address {
    /// The address is globally reachable by the registry of special-purpose addresses (RFC 6890 §2.2.2, as IANA keeps it), and
    /// neither multicast nor reserved: one that the well-known prefix may carry (RFC 6052 §3.1).
    public var isGlobal: Bool {
        switch bits >> 24 {
        // 0.0.0.0/8 "this network", 10.0.0.0/8 private use (RFC 1918), 127.0.0.0/8 loopback.
        case 0, 10, 127: return false
        // 224.0.0.0/4 multicast (RFC 5771), 240.0.0.0/4 reserved, limited broadcast.
        case 224...255: return false
        // 100.64.0.0/10 shared address space (RFC 6598).
        case 100: return !isWithin(100, 64, 0, 0, 10)
        // 169.254.0.0/16 link local (RFC 3927).
        case 169: return !isWithin(169, 254, 0, 0, 16)
        // 172.16.0.0/12 private use (RFC 1918).
        case 172: return !isWithin(172, 16, 0, 0, 12)
        case 192:
            // 192.0.0.0/24 IETF protocol assignments (RFC 6890), but for PCP and TURN anycast (RFC 7723, RFC 8155).
            if isWithin(192, 0, 0, 0, 24) {
                return self == IPv4Address(192, 0, 0, 9) || self == IPv4Address(192, 0, 0, 10)
            }
            // 192.0.2.0/24 TEST-NET-1 (RFC 5737), 192.168.0.0/16 private use (RFC 1918).
            return !isWithin(192, 0, 2, 0, 24) && !isWithin(192, 168, 0, 0, 16)
        // 198.18.0.0/15 benchmarking (RFC 2544), 198.51.100.0/24 TEST-NET-2 (RFC 5737).
        case 198: return !isWithin(198, 18, 0, 0, 15) && !isWithin(198, 51, 100, 0, 24)
        // 203.0.113.0/24 TEST-NET-3 (RFC 5737).
        case 203: return !isWithin(203, 0, 113, 0, 24)
        default: return true
        }
    }

    /// A source that RFC 1122 §3.2.1.3 and RFC 1812 §5.3.7 call illegal: "this network", loopback, multicast, broadcast and
    /// reserved addresses. Such packets are dropped (RFC 7915 §4.1).
    public var isIllegalSource: Bool {
        let first = bits >> 24
        return first == 0 || first == 127 || first >= 224
    }

    /// 224.0.0.0/4
    public var isMulticast: Bool { bits >> 28 == 0xe }
    /// 255.255.255.255
    public var isLimitedBroadcast: Bool { bits == ~0 }

    private func isWithin(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8, _ length: UInt32) -> Bool {
        (bits ^ IPv4Address(a, b, c, d).bits) >> (32 - length) == 0
    }
}

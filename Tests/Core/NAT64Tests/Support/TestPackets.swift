import Wire

/// What is above IP in a test's packet, without the checksum: that depends on who carries it.
struct Upper {
    var transport: UInt8
    var octets: [UInt8]
    /// Where the checksum is; nil for what has none.
    var checksumOffset: Int?
    /// ICMPv4 sums no pseudo-header.
    var hasPseudoHeader = true

    static func udp(_ source: UInt16, _ destination: UInt16, _ payload: [UInt8] = [1, 2, 3, 4, 5]) -> Upper {
        let length = UInt16(8 + payload.count)
        return Upper(
            transport: 17,
            octets: NAT64Tests.octets(source) + NAT64Tests.octets(destination) + NAT64Tests.octets(length) + [0, 0]
                + payload,
            checksumOffset: 6)
    }

    static func tcp(
        _ source: UInt16, _ destination: UInt16, _ flags: TCPFlags, sequence: UInt32 = 1, payload: [UInt8] = []
    ) -> Upper {
        let header =
            NAT64Tests.octets(source) + NAT64Tests.octets(destination) + NAT64Tests.octets(sequence) + [0, 0, 0, 9]
            + [0x50, flags.rawValue, 0xff, 0xff, 0, 0, 0, 0]
        return Upper(transport: 6, octets: header + payload, checksumOffset: 16)
    }

    static func icmpv4(_ type: UInt8, _ code: UInt8, _ rest: [UInt8]) -> Upper {
        Upper(transport: 1, octets: [type, code, 0, 0] + rest, checksumOffset: 2, hasPseudoHeader: false)
    }

    static func icmpv6(_ type: UInt8, _ code: UInt8, _ rest: [UInt8]) -> Upper {
        Upper(transport: 58, octets: [type, code, 0, 0] + rest, checksumOffset: 2)
    }

    static func echoRequest4(_ identifier: UInt16, payload: [UInt8] = [7, 7]) -> Upper {
        .icmpv4(8, 0, NAT64Tests.octets(identifier) + [0, 1] + payload)
    }

    static func echoReply4(_ identifier: UInt16, payload: [UInt8] = [7, 7]) -> Upper {
        .icmpv4(0, 0, NAT64Tests.octets(identifier) + [0, 1] + payload)
    }

    static func echoRequest6(_ identifier: UInt16, payload: [UInt8] = [7, 7]) -> Upper {
        .icmpv6(128, 0, NAT64Tests.octets(identifier) + [0, 1] + payload)
    }

    static func echoReply6(_ identifier: UInt16, payload: [UInt8] = [7, 7]) -> Upper {
        .icmpv6(129, 0, NAT64Tests.octets(identifier) + [0, 1] + payload)
    }

    /// The octets with their checksum, over the pseudo-header given.
    func summed(_ pseudoHeader: [UInt8]) -> [UInt8] {
        guard let checksumOffset else { return octets }
        var result = octets
        let sum = slowChecksum((hasPseudoHeader ? pseudoHeader : []) + octets)
        // RFC 768: a computed checksum of zero is sent as all ones.
        let field = transport == 17 && sum == 0 ? 0xffff : sum
        result.replaceSubrange(checksumOffset..<checksumOffset + 2, with: NAT64Tests.octets(field))
        return result
    }
}

struct TCPFlags: OptionSet {
    let rawValue: UInt8

    static let fin = TCPFlags(rawValue: 0x01)
    static let syn = TCPFlags(rawValue: 0x02)
    static let rst = TCPFlags(rawValue: 0x04)
    static let ack = TCPFlags(rawValue: 0x10)
}

/// An IPv6 packet with right lengths and checksums.
func ipv6Packet(
    _ source: IPv6Address, _ destination: IPv6Address, _ upper: Upper, hopLimit: UInt8 = 64
) -> [UInt8] {
    let payload = upper.summed(pseudoHeader(source, destination, upper.transport, upper.octets.count))
    return ipv6Header(source, destination, upper.transport, payload.count, hopLimit: hopLimit) + payload
}

func ipv6Header(
    _ source: IPv6Address, _ destination: IPv6Address, _ next: UInt8, _ length: Int, hopLimit: UInt8 = 64
) -> [UInt8] {
    [0x60, 0, 0, 0] + octets(UInt16(length)) + [next, hopLimit] + octets(source) + octets(destination)
}

/// An IPv4 packet with right lengths and checksums.
func ipv4Packet(
    _ source: IPv4Address, _ destination: IPv4Address, _ upper: Upper, ttl: UInt8 = 64, dontFragment: Bool = true
) -> [UInt8] {
    let payload = upper.summed(pseudoHeader(source, destination, upper.transport, upper.octets.count))
    return ipv4Header(source, destination, upper.transport, payload.count, ttl: ttl, dontFragment: dontFragment)
        + payload
}

func ipv4Header(
    _ source: IPv4Address, _ destination: IPv4Address, _ transport: UInt8, _ length: Int, ttl: UInt8 = 64,
    identification: UInt16 = 0x1234, dontFragment: Bool = false, moreFragments: Bool = false, offset: Int = 0
) -> [UInt8] {
    let flags = UInt16(dontFragment ? 0x4000 : 0) | UInt16(moreFragments ? 0x2000 : 0) | UInt16(offset / 8)
    var header =
        [0x45, 0] + octets(UInt16(20 + length)) + octets(identification) + octets(flags) + [ttl, transport, 0, 0]
        + octets(source) + octets(destination)
    header.replaceSubrange(10..<12, with: octets(slowChecksum(header)))
    return header
}

/// Cuts a datagram into IPv6 fragments of `size` octets of payload each.
func ipv6Fragments(
    _ source: IPv6Address, _ destination: IPv6Address, _ upper: Upper, size: Int, identification: UInt32 = 0xabcd_1234
) -> [[UInt8]] {
    let payload = upper.summed(pseudoHeader(source, destination, upper.transport, upper.octets.count))
    return stride(from: 0, to: payload.count, by: size).map { offset in
        let part = Array(payload[offset..<min(offset + size, payload.count)])
        let isLast = offset + size >= payload.count
        let fragmentHeader =
            [upper.transport, 0] + octets(UInt16(offset) | (isLast ? 0 : 1)) + octets(identification)
        return ipv6Header(source, destination, 44, 8 + part.count) + fragmentHeader + part
    }
}

/// Cuts a datagram into IPv4 fragments of `size` octets of payload each.
func ipv4Fragments(
    _ source: IPv4Address, _ destination: IPv4Address, _ upper: Upper, size: Int, identification: UInt16 = 0x1234,
    hasChecksum: Bool = true
) -> [[UInt8]] {
    let payload =
        hasChecksum
        ? upper.summed(pseudoHeader(source, destination, upper.transport, upper.octets.count)) : upper.octets
    return stride(from: 0, to: payload.count, by: size).map { offset in
        let part = Array(payload[offset..<min(offset + size, payload.count)])
        return ipv4Header(
            source, destination, upper.transport, part.count, identification: identification,
            moreFragments: offset + size < payload.count, offset: offset) + part
    }
}

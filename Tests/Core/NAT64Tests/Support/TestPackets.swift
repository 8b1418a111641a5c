// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Wire

// Packets as the suites of RFC 6146 write them: from, to, and what is above IP.

/// An IPv6 packet with right lengths and checksums.
func ipv6Packet(
    _ source: IPv6Address, _ destination: IPv6Address, _ upper: UpperLayer, hopLimit: UInt8 = 64
) -> [UInt8] {
    IPv6Datagram(source: source, destination: destination, hopLimit: hopLimit).packet(upper)
}

/// An IPv4 packet with right lengths and checksums.
func ipv4Packet(
    _ source: IPv4Address, _ destination: IPv4Address, _ upper: UpperLayer, ttl: UInt8 = 64, dontFragment: Bool = true
) -> [UInt8] {
    IPv4Datagram(
        source: source, destination: destination, identification: 0x1234, dontFragment: dontFragment, ttl: ttl
    ).packet(upper)
}

/// Cuts a datagram into IPv6 fragments of `size` octets of payload each.
func ipv6Fragments(
    _ source: IPv6Address, _ destination: IPv6Address, _ upper: UpperLayer, size: Int,
    identification: UInt32 = 0xabcd_1234
) -> [[UInt8]] {
    IPv6Datagram(source: source, destination: destination)
        .fragments(upper, size: size, identification: identification)
}

/// Cuts a datagram into IPv4 fragments of `size` octets of payload each.
func ipv4Fragments(
    _ source: IPv4Address, _ destination: IPv4Address, _ upper: UpperLayer, size: Int,
    identification: UInt16 = 0x1234, hasChecksum: Bool = true
) -> [[UInt8]] {
    var upper = upper
    if !hasChecksum { upper.checksumOffset = nil }
    return IPv4Datagram(source: source, destination: destination, identification: identification)
        .fragments(upper, size: size)
}

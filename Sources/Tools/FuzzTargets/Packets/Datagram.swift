// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Wire

/// A packet to make, whole or in fragments, of the family that the length of its addresses indicates.
struct Datagram {
    var source: [UInt8]
    var destination: [UInt8]
    var upper: UpperLayer
    var hopLimit: UInt8 = 64
    var trafficClass: UInt8 = 0
    var identification: UInt32 = 0
    var dontFragment = false
    /// IPv4 options, a multiple of four octets.
    var options: [UInt8] = []
    /// IPv6 extension headers in front of everything else; their Next Header is filled in.
    var extensions: [(number: UInt8, octets: [UInt8])] = []

    var isIPv6: Bool { source.count == 16 }

    var whole: [UInt8] {
        if isIPv6 { return ipv6.packet(upper) }
        var ipv4 = ipv4
        ipv4.dontFragment = dontFragment
        return ipv4.packet(upper)
    }

    /// The fragment with `count` octets of the payload from `offset` on, which is a multiple of 8.
    func fragment(at offset: Int, count: Int) -> [UInt8] {
        isIPv6
            ? ipv6.fragment(upper, at: offset, count: count, identification: identification)
            : ipv4.fragment(upper, at: offset, count: count)
    }

    /// All fragments, with `size` octets of the payload each.
    func fragments(of size: Int) -> [[UInt8]] {
        isIPv6
            ? ipv6.fragments(upper, size: size, identification: identification)
            : ipv4.fragments(upper, size: size)
    }

    private var ipv4: IPv4Datagram {
        IPv4Datagram(
            source: IPv4Address(bits: source.reduce(0) { $0 << 8 | UInt32($1) }),
            destination: IPv4Address(bits: destination.reduce(0) { $0 << 8 | UInt32($1) }), tos: trafficClass,
            identification: UInt16(truncatingIfNeeded: identification), ttl: hopLimit, options: options)
    }

    private var ipv6: IPv6Datagram {
        IPv6Datagram(
            source: IPv6Address(bits: source.reduce(0) { $0 << 8 | UInt128($1) }),
            destination: IPv6Address(bits: destination.reduce(0) { $0 << 8 | UInt128($1) }),
            trafficClass: trafficClass, hopLimit: hopLimit, extensions: extensions)
    }
}

// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Wire

/// Whole packets for captures, with right lengths and checksums, between a client, a translator and the world.
enum Packets {
    static let client = IPv6Address("2e00:2:0:1::c0:100")!
    static let world = IPv4Address(203, 0, 113, 5)
    static let pool = IPv4Address(192, 0, 2, 64)
    /// `world` under the well-known prefix.
    static let synthesised = IPv6Address("64:ff9b::cb00:7105")!

    /// From the client to the world.
    static func ipv6(
        from source: IPv6Address = client, to destination: IPv6Address = synthesised, _ upper: UpperLayer,
        hopLimit: UInt8 = 64
    ) -> [UInt8] {
        IPv6Datagram(source: source, destination: destination, hopLimit: hopLimit).packet(upper)
    }

    /// From the world to the pool.
    static func ipv4(
        from source: IPv4Address = world, to destination: IPv4Address = pool, _ upper: UpperLayer
    ) -> [UInt8] {
        IPv4Datagram(source: source, destination: destination, identification: 7, dontFragment: true).packet(upper)
    }

    /// The fragments of an IPv6 packet, of `size` octets each.
    static func fragments6(_ upper: UpperLayer, size: Int) -> [[UInt8]] {
        IPv6Datagram(source: client, destination: synthesised)
            .fragments(upper, size: size, identification: 0xabcd_1234)
    }
}

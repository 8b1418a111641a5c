import Wire

/// Whole packets for captures, with right lengths and checksums, from their parts.
enum Packets {
    static let client = IPv6Address("2001:2:0:aab1::100")!
    static let world = IPv4Address(203, 0, 113, 5)
    static let pool = IPv4Address(192, 0, 2, 64)
    /// `world` under the well-known prefix.
    static let synthesised = IPv6Address("64:ff9b::cb00:7105")!

    static func udp(_ source: UInt16, _ destination: UInt16, payload: [UInt8] = [1, 2, 3, 4, 5]) -> [UInt8] {
        octets(source) + octets(destination) + octets(UInt16(8 + payload.count)) + [0, 0] + payload
    }

    static func tcp(_ source: UInt16, _ destination: UInt16, flags: UInt8, payload: [UInt8] = []) -> [UInt8] {
        octets(source) + octets(destination) + [0, 0, 0, 1, 0, 0, 0, 9, 0x50, flags, 0xff, 0xff, 0, 0, 0, 0] + payload
    }

    static let syn: UInt8 = 0x02
    static let synAck: UInt8 = 0x12
    static let ack: UInt8 = 0x10

    static func echo6(_ identifier: UInt16) -> [UInt8] { [128, 0, 0, 0] + octets(identifier) + [0, 1, 7, 7] }

    /// From the client to the world.
    static func ipv6(
        from source: IPv6Address = client, to destination: IPv6Address = synthesised, _ transport: IPProtocol,
        _ payload: [UInt8], hopLimit: UInt8 = 64
    ) -> [UInt8] {
        var sum = InternetChecksum(pseudoHeaderFrom: source, to: destination, of: transport, length: payload.count)
        return header6(source, destination, transport, payload.count, hopLimit) + summed(payload, transport, &sum)
    }

    /// From the world to the pool.
    static func ipv4(
        from source: IPv4Address = world, to destination: IPv4Address = pool, _ transport: IPProtocol,
        _ payload: [UInt8]
    ) -> [UInt8] {
        var sum =
            transport == .icmp
            ? InternetChecksum()
            : InternetChecksum(pseudoHeaderFrom: source, to: destination, of: transport, length: payload.count)
        return header4(source, destination, transport, payload.count) + summed(payload, transport, &sum)
    }

    /// The fragments of an IPv6 packet, of `size` octets each.
    static func fragments6(_ transport: IPProtocol, _ payload: [UInt8], size: Int) -> [[UInt8]] {
        var sum = InternetChecksum(pseudoHeaderFrom: client, to: synthesised, of: transport, length: payload.count)
        let whole = summed(payload, transport, &sum)
        return stride(from: 0, to: whole.count, by: size).map { offset in
            let part = whole[offset..<min(offset + size, whole.count)]
            let more: UInt16 = offset + size < whole.count ? 1 : 0
            return header6(client, synthesised, .fragment, 8 + part.count, 64)
                + [transport.rawValue, 0] + octets(UInt16(offset) | more) + [0xab, 0xcd, 0x12, 0x34] + part
        }
    }

    private static func header6(
        _ source: IPv6Address, _ destination: IPv6Address, _ next: IPProtocol, _ length: Int, _ hopLimit: UInt8
    ) -> [UInt8] {
        [0x60, 0, 0, 0] + octets(UInt16(length)) + [next.rawValue, hopLimit] + octets(source.bits)
            + octets(destination.bits)
    }

    private static func header4(
        _ source: IPv4Address, _ destination: IPv4Address, _ transport: IPProtocol, _ length: Int
    ) -> [UInt8] {
        var header =
            [0x45, 0] + octets(UInt16(20 + length)) + [0, 7, 0x40, 0, 64, transport.rawValue, 0, 0]
            + octets(source.bits) + octets(destination.bits)
        var sum = InternetChecksum()
        sum.add(header.span, in: 0..<header.count)
        header.replaceSubrange(10..<12, with: octets(sum.checksum))
        return header
    }

    private static func summed(_ payload: [UInt8], _ transport: IPProtocol, _ sum: inout InternetChecksum) -> [UInt8] {
        let place = transport == .udp ? 6 : transport == .tcp ? 16 : 2
        sum.add(payload.span, in: 0..<payload.count)
        var payload = payload
        payload.replaceSubrange(place..<place + 2, with: octets(sum.checksum))
        return payload
    }

    static func octets(_ number: some FixedWidthInteger) -> [UInt8] {
        (0..<number.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}

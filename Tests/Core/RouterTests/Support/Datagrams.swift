// SPDX-License-Identifier: Apache-2.0
import Wire

/// UDP datagrams with right checksums, whose payload is all zeros.
enum Datagram {
    static func ipv6(
        from source: IPv6Address = Place.client6, to destination: IPv6Address = Place.host6, hopLimit: UInt8 = 64,
        payload: Int = 8, ports: (UInt16, UInt16) = (4000, 9)
    ) -> PacketBuffer {
        let length = UDPHeader.length + payload
        var packet = PacketBuffer()
        packet.resize(to: IPv6Header.length + length)
        var fields = IPv6Header.Fields(
            payloadLength: UInt16(length), nextHeader: .udp, source: source, destination: destination)
        fields.hopLimit = hopLimit
        var bytes = packet.mutableBytes
        fields.write(to: &bytes)
        var sum = InternetChecksum(pseudoHeaderFrom: source, to: destination, of: .udp, length: length)
        write(&bytes, at: IPv6Header.length, length, ports, &sum)
        return packet
    }

    static func ipv4(
        from source: IPv4Address = Place.client4, to destination: IPv4Address = Place.host4, ttl: UInt8 = 64,
        payload: Int = 8, dontFragment: Bool = false, ports: (UInt16, UInt16) = (4000, 9)
    ) -> PacketBuffer {
        let length = UDPHeader.length + payload
        var packet = PacketBuffer()
        packet.resize(to: IPv4Header.length + length)
        var fields = IPv4Header.Fields(
            totalLength: UInt16(IPv4Header.length + length), protocolNumber: .udp, source: source,
            destination: destination)
        fields.ttl = ttl
        fields.dontFragment = dontFragment
        fields.identification = 7
        var bytes = packet.mutableBytes
        fields.write(to: &bytes)
        var sum = InternetChecksum()
        sum.add(source)
        sum.add(destination)
        sum.add(UInt16(IPProtocol.udp.rawValue))
        sum.add(UInt16(length))
        write(&bytes, at: IPv4Header.length, length, ports, &sum)
        return packet
    }

    private static func write(
        _ bytes: inout MutableSpan<UInt8>, at offset: Int, _ length: Int, _ ports: (UInt16, UInt16),
        _ sum: inout InternetChecksum
    ) {
        for index in offset..<offset + length { bytes[index] = 0 }
        UDPHeader.Fields(sourcePort: ports.0, destinationPort: ports.1, udpLength: UInt16(length))
            .write(to: &bytes, at: offset)
        sum.add(bytes.span, in: offset..<offset + length)
        bytes.setUInt16(sum.checksum, at: offset + UDPHeader.checksum)
    }
}

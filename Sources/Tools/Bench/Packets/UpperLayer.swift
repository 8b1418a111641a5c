// SPDX-License-Identifier: Apache-2.0
import NAT64
import Wire

/// The part of a packet above IP.
struct UpperLayer {
    let transport: TransportProtocol
    /// Only for TCP.
    let flags: TCPHeader.Flags
    /// Octets of payload in a segment, if the packet is a super-packet.
    let segmentSize: UInt16?

    init(_ transport: TransportProtocol, flags: TCPHeader.Flags = .ack, segmentSize: UInt16? = nil) {
        self.transport = transport
        self.flags = flags
        self.segmentSize = segmentSize
    }

    var numberOverIPv6: IPProtocol { transport == .icmp ? .icmpv6 : numberOverIPv4 }

    var numberOverIPv4: IPProtocol {
        switch transport {
        case .udp: .udp
        case .tcp: .tcp
        case .icmp: .icmp
        }
    }

    private var header: (length: Int, checksum: Int) {
        switch transport {
        case .udp: (UDPHeader.length, UDPHeader.checksum)
        case .tcp: (TCPHeader.length, TCPHeader.checksum)
        case .icmp: (ICMPHeader.length, ICMPHeader.checksum)
        }
    }

    func write(
        to bytes: inout MutableSpan<UInt8>, at offset: Int, from source: UInt16, to destination: UInt16, isRequest: Bool
    ) {
        switch transport {
        case .udp:
            UDPHeader.Fields(
                sourcePort: source, destinationPort: destination, udpLength: UInt16(bytes.count - offset)
            ).write(to: &bytes, at: offset)
        case .tcp:
            TCPHeader.Fields(sourcePort: source, destinationPort: destination, flags: flags, window: 0xffff)
                .write(to: &bytes, at: offset)
        case .icmp:
            // Echo from the IPv6 side and Echo Reply back; the identifier is the host's, or its mapping's.
            let type = isRequest ? ICMPv6Type.echoRequest : ICMPv4Type.echoReply
            let identifier = isRequest ? source : destination
            ICMPHeader.Fields(type: type, rest: UInt32(identifier) << 16).write(to: &bytes, at: offset)
        }
    }

    /// Writes the checksum, or a super-packet's partial checksum and offload.
    func finish(_ packet: inout PacketBuffer, at offset: Int, _ pseudoHeader: InternetChecksum) {
        var sum = pseudoHeader
        if let segmentSize {
            packet.offload = offload(segmentSize: segmentSize, at: offset)
            // A partial checksum is that of the pseudo-header, not complemented.
            var bytes = packet.mutableBytes
            bytes.setUInt16(~sum.checksum, at: offset + header.checksum)
        } else {
            sum.add(packet.bytes, in: offset..<packet.count)
            var bytes = packet.mutableBytes
            // In UDP, zero means that there is no checksum (RFC 768).
            let isZero = transport == .udp && sum.checksum == 0
            bytes.setUInt16(isZero ? 0xffff : sum.checksum, at: offset + header.checksum)
        }
    }

    private func offload(segmentSize: UInt16, at offset: Int) -> Offload {
        var offload = Offload()
        switch transport {
        case .tcp: offload.segmentation = offset == IPv6Header.length ? .tcpIPv6 : .tcpIPv4
        case .udp, .icmp: offload.segmentation = .udp
        }
        offload.segmentSize = segmentSize
        offload.headerLength = UInt16(offset + header.length)
        offload.hasPartialChecksum = true
        offload.checksumStart = UInt16(offset)
        offload.checksumOffset = UInt16(header.checksum)
        return offload
    }
}

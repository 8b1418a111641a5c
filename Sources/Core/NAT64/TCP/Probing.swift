// SPDX-License-Identifier: Apache-2.0
import Translation
import Wire

// RFC 6146 §3.5.2.2: when an ESTABLISHED session expires, "the NAT64 SHOULD send a probe packet … to at least one of the endpoints of the
// TCP connection". If the connection is alive, the answer brings the session back from TRANS.

extension NAT64 {
    /// Sends a segment to the IPv6 host, as if from its peer: without data, with no flag but ACK, and with sequence and acknowledgment
    /// numbers of zero.
    mutating func probe(_ session: Session, _ output: any PacketOutput) {
        let source = prefixes[Int(session.prefix)].embed(session.remote)
        let offset = IPv6Header.length
        var packet = takeScratch()
        packet.reset()
        packet.resize(to: offset + TCPHeader.length)

        var bytes = packet.mutableBytes
        IPv6Header.Fields(
            payloadLength: UInt16(TCPHeader.length), nextHeader: .tcp, source: source, destination: session.host
        ).write(to: &bytes)
        TCPHeader.Fields(sourcePort: session.remotePort, destinationPort: session.hostPort, flags: .ack)
            .write(to: &bytes, at: offset)
        var sum = InternetChecksum(
            pseudoHeaderFrom: source, to: session.host, of: .tcp, length: TCPHeader.length)
        sum.add(bytes.span, in: offset..<offset + TCPHeader.length)
        bytes.setUInt16(sum.checksum, at: offset + TCPHeader.checksum)

        counters.probesSent &+= 1
        emit(&packet, to: .ipv6, nil, output)
        scratch = consume packet
    }
}

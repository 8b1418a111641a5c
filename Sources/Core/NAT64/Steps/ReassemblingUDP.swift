// SPDX-License-Identifier: Apache-2.0
import Translation
import Wire

// RFC 6146 §3.4: IPv6 requires a UDP checksum, and that of an IPv4 datagram without one needs all of the datagram. So such a datagram is
// reassembled, or dropped, as configured.

extension NAT64 {
    func isUDPWithoutChecksum(_ packet: Span<UInt8>, _ layout: IPv4Layout) -> Bool {
        layout.transport.kind == .udp && packet.uint16(at: layout.transport.offset + UDPHeader.checksum) == 0
    }

    /// Stores a fragment of a datagram without a checksum and, if it was the last missing one, sends all of them on as one packet.
    mutating func reassemble(
        _ packet: borrowing PacketBuffer, from origin: Origin, of number: UInt32, _ output: any PacketOutput
    ) throws(Refusal) {
        if configuration.zeroChecksumFragments == .drop {
            condemn(number, because: .udpWithoutChecksum, output)
            throw Refusal(.udpWithoutChecksum)
        }
        fragments[number].progress = .reassembling
        try store(packet, of: number, output)
        if !fragments[number].isComplete { return }

        var whole = PacketBuffer()
        let isPacket = assemble(number, into: &whole)
        fragments.remove(number)
        if isPacket {
            receiveIPv4(&whole, from: origin, output)
        } else {
            drop(whole, .malformedFragment, from: origin.side, output)
        }
    }

    /// Moves all fragments of a datagram into `whole`, with a header without options; false if the datagram exceeds the maximum of IPv4.
    private mutating func assemble(_ number: UInt32, into whole: inout PacketBuffer) -> Bool {
        let datagram = fragments[number]
        let length = IPv4Header.length + Int(datagram.octetsInAll)
        let fits = length <= Int(UInt16.max)
        whole.reset()
        whole.resize(to: fits ? length : 0)

        var part = takeScratch()
        var stored = fragments.takeStored(of: number)
        while stored != noEntry {
            fragmentStore.load(stored, into: &part)
            let next = fragmentStore.packet(after: stored) ?? noEntry
            fragmentStore.remove(stored)
            if fits, let layout = try? IPv4Layout(part.bytes) { copy(part.bytes, layout, into: &whole) }
            stored = next
        }
        scratch = consume part
        return fits
    }

    private func copy(_ part: Span<UInt8>, _ layout: IPv4Layout, into whole: inout PacketBuffer) {
        let length = whole.count
        var bytes = whole.mutableBytes
        let start = IPv4Header.length + layout.fragment.offset
        for index in 0..<layout.transport.count { bytes[start + index] = part[layout.transport.offset + index] }
        if layout.fragment.offset > 0 { return }
        var header = IPv4Header.Fields(
            totalLength: UInt16(truncatingIfNeeded: length), protocolNumber: layout.transport.protocolNumber,
            source: layout.source, destination: layout.destination)
        header.tos = part[IPv4Header.tos]
        header.ttl = part[IPv4Header.ttl]
        header.identification = UInt16(truncatingIfNeeded: layout.fragment.identification)
        header.write(to: &bytes)
    }
}

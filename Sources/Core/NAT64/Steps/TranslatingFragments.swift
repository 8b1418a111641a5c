// SPDX-License-Identifier: Apache-2.0
import Translation
import Wire

// RFC 6146 §3.4, fragments: only the first one has the ports, and it may not arrive first. It determines the datagram's mapping; the others
// are translated with the same addresses. Fragments that arrive before it wait.

/// A fragment, of either family.
struct Fragment {
    var key: FragmentKey
    var position: FragmentPosition
    /// Octets of payload.
    var count: Int
    var transport: TransportLayout.Kind
    var protocolNumber: IPProtocol
    var origin: Origin

    var isFirst: Bool { position.offset == 0 }
}

extension IncomingPacket6 {
    var fragment: Fragment {
        let key = FragmentKey(
            source: layout.source.bits, destination: layout.destination.bits,
            identification: layout.fragment.identification, transport: layout.transport.protocolNumber.rawValue,
            side: .ipv6)
        return Fragment(
            key: key, position: layout.fragment, count: layout.transport.count, transport: layout.transport.kind,
            protocolNumber: layout.transport.protocolNumber, origin: .ipv6Side)
    }
}

extension IncomingPacket4 {
    var fragment: Fragment {
        let key = FragmentKey(
            source: UInt128(layout.source.bits), destination: UInt128(layout.destination.bits),
            identification: layout.fragment.identification, transport: layout.transport.protocolNumber.rawValue,
            side: .ipv4)
        return Fragment(
            key: key, position: layout.fragment, count: layout.transport.count, transport: layout.transport.kind,
            protocolNumber: layout.transport.protocolNumber, origin: origin)
    }
}

extension NAT64 {
    // MARK: - From the IPv6 side

    mutating func receiveFragment(
        _ packet: inout PacketBuffer, _ incoming: IncomingPacket6, _ output: any PacketOutput
    ) throws(Refusal) {
        let fragment = incoming.fragment
        let number = try note(fragment, offload: packet.offload, output)
        if !fragment.isFirst {
            guard fragments[number].progress == .translating else { return try store(packet, of: number, output) }
            try translateLater(&packet, incoming, of: number, output)
            fragments.removeIfComplete(number)
            return
        }
        let tuple: Tuple4
        do throws(Refusal) { tuple = try filterAndUpdate(packet, incoming, output) } catch {
            condemn(number, because: .fragmentOfRefusedDatagram, output)
            throw error
        }
        fragments.translate(
            number, source: UInt128(tuple.source.bits), destination: UInt128(tuple.destination.bits))
        // In all cases the other fragments are released, as they were waiting for the mapping only.
        defer { releaseStored(of: number, output) }
        try translate(&packet, incoming.layout, to: tuple, output)
    }

    private mutating func translateLater(
        _ packet: inout PacketBuffer, _ incoming: IncomingPacket6, of number: UInt32, _ output: any PacketOutput
    ) throws(Refusal) {
        let datagram = fragments[number]
        let tuple = Tuple4(
            source: IPv4Address(bits: UInt32(truncatingIfNeeded: datagram.outgoingSource)),
            destination: IPv4Address(bits: UInt32(truncatingIfNeeded: datagram.outgoingDestination)))
        try translate(&packet, incoming.layout, to: tuple, output)
    }

    // MARK: - From the IPv4 side

    mutating func receiveFragment(
        _ packet: inout PacketBuffer, _ incoming: IncomingPacket4, _ output: any PacketOutput
    ) throws(Refusal) {
        let fragment = incoming.fragment
        let number = try note(fragment, offload: packet.offload, output)
        if fragments[number].progress == .reassembling
            || (fragment.isFirst && isUDPWithoutChecksum(packet.bytes, incoming.layout))
        {
            return try reassemble(packet, from: incoming.origin, of: number, output)
        }
        if !fragment.isFirst {
            guard fragments[number].progress == .translating else { return try store(packet, of: number, output) }
            try translateLater(&packet, incoming, of: number, output)
            fragments.removeIfComplete(number)
            return
        }
        let tuple: Tuple6?
        do throws(Refusal) { tuple = try filterAndUpdate(packet, incoming) } catch {
            condemn(number, because: .fragmentOfRefusedDatagram, output)
            throw error
        }
        // A SYN in fragments, which has been stored: the rest of it is not needed.
        guard let tuple else { return condemn(number, because: .fragmentOfRefusedDatagram, output) }
        fragments.translate(number, source: tuple.source.bits, destination: tuple.destination.bits)
        defer { releaseStored(of: number, output) }
        try translate(&packet, incoming.layout, from: incoming.origin, to: tuple, output)
    }

    private mutating func translateLater(
        _ packet: inout PacketBuffer, _ incoming: IncomingPacket4, of number: UInt32, _ output: any PacketOutput
    ) throws(Refusal) {
        let datagram = fragments[number]
        let tuple = Tuple6(
            source: IPv6Address(bits: datagram.outgoingSource),
            destination: IPv6Address(bits: datagram.outgoingDestination))
        try translate(&packet, incoming.layout, from: incoming.origin, to: tuple, output)
    }

    // MARK: - Both

    /// Finds or makes the fragment's datagram, and records that the fragment arrived.
    private mutating func note(
        _ fragment: Fragment, offload: Offload, _ output: any PacketOutput
    ) throws(Refusal) -> UInt32 {
        switch fragment.protocolNumber {
        case .udp, .tcp: break
        // RFC 7915 §4.1, §5.1: ICMP's checksum would need the length of the whole datagram.
        case .icmp, .icmpv6: throw Refusal(.fragmentedICMP)
        default: throw Refusal(.unsupportedTransport, answer: fragment.isFirst ? .protocolUnreachable : nil)
        }
        if fragment.count == 0 { throw Refusal(.malformedFragment) }
        // A fragment's checksum is that of the whole datagram, so it cannot be completed here.
        if offload != .none { throw Refusal(.unsupportedOffload) }

        guard
            let number = fragments.find(fragment.key) ?? fragments.insert(fragment.key, from: fragment.origin, at: now)
        else {
            throw Refusal(.fragmentStoreFull)
        }
        if fragments[number].progress == .condemned { throw Refusal(.fragmentOfRefusedDatagram) }
        let first = UInt16(truncatingIfNeeded: fragment.position.offset)
        let end = UInt16(truncatingIfNeeded: fragment.position.offset + fragment.count)
        switch fragments.note(first: first, end: end, isLast: !fragment.position.moreFollow, of: number) {
        case .new:
            return number
        case .duplicate:
            throw Refusal(.duplicateFragment)
        case .overlap:
            condemn(number, because: .fragmentOverlap, output)
            throw Refusal(.fragmentOverlap)
        case .tooMany:
            condemn(number, because: .fragmentStoreFull, output)
            throw Refusal(.fragmentStoreFull)
        }
    }

    mutating func store(
        _ packet: borrowing PacketBuffer, of number: UInt32, _ output: any PacketOutput
    ) throws(Refusal) {
        guard let stored = fragmentStore.store(packet.bytes) else {
            condemn(number, because: .fragmentStoreFull, output)
            throw Refusal(.fragmentStoreFull)
        }
        if let last = fragments.appendStored(stored, to: number) { fragmentStore.append(stored, after: last) }
        counters.stored &+= 1
    }

    /// Drops the stored fragments of a datagram, and all of its fragments that still arrive.
    mutating func condemn(_ number: UInt32, because reason: DropReason, _ output: any PacketOutput) {
        fragments[number].progress = .condemned
        dropStored(of: number, because: reason, output)
    }

    private mutating func dropStored(of number: UInt32, because reason: DropReason, _ output: any PacketOutput) {
        let side = fragments[number].origin.side
        var stored = fragments.takeStored(of: number)
        if stored == noEntry { return }
        var packet = takeScratch()
        while stored != noEntry {
            fragmentStore.load(stored, into: &packet)
            let next = fragmentStore.packet(after: stored) ?? noEntry
            fragmentStore.remove(stored)
            drop(packet, reason, from: side, output)
            stored = next
        }
        scratch = consume packet
    }

    /// Processes the fragments that waited for the first one, in the order in which they arrived.
    private mutating func releaseStored(of number: UInt32, _ output: any PacketOutput) {
        var stored = fragments.takeStored(of: number)
        if stored != noEntry {
            var packet = takeScratch()
            while stored != noEntry {
                fragmentStore.load(stored, into: &packet)
                let next = fragmentStore.packet(after: stored) ?? noEntry
                fragmentStore.remove(stored)
                release(&packet, of: number, output)
                stored = next
            }
            scratch = consume packet
        }
        fragments.removeIfComplete(number)
    }

    private mutating func release(_ packet: inout PacketBuffer, of number: UInt32, _ output: any PacketOutput) {
        let origin = fragments[number].origin
        do throws(Refusal) {
            if origin == .ipv6Side {
                let layout = try IPv6Layout(of: packet)
                let incoming = try incomingPacket6(layout, to: remote(behind: layout.destination))
                try translateLater(&packet, incoming, of: number, output)
            } else {
                let incoming = try incomingPacket4(try IPv4Layout(of: packet), from: origin)
                try translateLater(&packet, incoming, of: number, output)
            }
        } catch {
            refuse(packet, error, from: origin, output)
        }
    }

    /// Handles a datagram that has expired.
    mutating func expireDatagram(_ number: UInt32, _ output: any PacketOutput) {
        dropStored(of: number, because: .fragmentsExpired, output)
        fragments.remove(number)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Translation
package import Wire

// RFC 6146 §3.4, Determining the Incoming Tuple, with the checks of §3.5 that come before any look-up.

/// A host of the IPv4 side, as an address of the IPv6 side names it.
package struct Remote: Hashable, Sendable {
    package let address: IPv4Address
    /// Which Pref64.
    let prefix: UInt8
}

/// A packet from the IPv6 side. Its destination is `remote` under a Pref64.
struct IncomingPacket6 {
    var layout: IPv6Layout
    var remote: IPv4Address
    /// Which Pref64.
    var prefix: UInt8

    var host: TransportAddress6 { TransportAddress6(layout.source, layout.transport.sourcePort) }
    var remoteTransport: TransportAddress4 { TransportAddress4(remote, layout.transport.destinationPort) }
}

/// Where a packet comes from.
enum Origin {
    case ipv6Side
    case ipv4Side
    /// From the IPv6 side; it has been translated once already (RFC 6146 §3.8).
    case hairpin
    /// From the NAT64 itself: an ICMP error about a hairpinned packet.
    case ourselves

    /// What reports call it.
    var side: Side { self == .ipv4Side ? .ipv4 : .ipv6 }
    /// Whether a packet, being an IPv4 one, is still to be counted down: a hairpinned one was when it became one, and the whole
    /// way through the NAT64 is one hop.
    var isForwarded: Bool { self == .ipv4Side }
}

/// A packet whose destination is an address of the pool.
struct IncomingPacket4 {
    var layout: IPv4Layout
    var origin: Origin

    var remote: TransportAddress4 { TransportAddress4(layout.source, layout.transport.sourcePort) }
    var mapped: TransportAddress4 { TransportAddress4(layout.destination, layout.transport.destinationPort) }
}

extension IPv6Layout {
    /// Of a packet that nobody has examined yet.
    init(of packet: borrowing PacketBuffer) throws(Refusal) {
        do { self = try IPv6Layout(packet.bytes) } catch { throw Refusal(DropReason(ipv6: error)) }
    }
}

extension IPv4Layout {
    /// Of a packet that nobody has examined yet.
    init(of packet: borrowing PacketBuffer) throws(Refusal) {
        do { self = try IPv4Layout(packet.bytes) } catch { throw Refusal(DropReason(ipv4: error)) }
    }
}

extension NAT64 {
    /// The host that an address of the IPv6 side stands for; `nil` outside of all Pref64s.
    package mutating func remote(behind address: IPv6Address) -> Remote? {
        for number in prefixes.indices {
            guard let remote = prefixes[number].extract(address) else { continue }
            return Remote(address: remote, prefix: UInt8(truncatingIfNeeded: number))
        }
        return nil
    }

    mutating func incomingPacket6(_ layout: IPv6Layout, to remote: Remote?) throws(Refusal) -> IncomingPacket6 {
        // RFC 6146 §3.5: a source inside a Pref64 would make packets that go round and round.
        for number in prefixes.indices where prefixes[number].contains(layout.source) {
            throw Refusal(.sourceInsidePref64)
        }
        if layout.source.isIllegalSource { throw Refusal(.illegalSource) }
        guard let remote else { throw Refusal(.destinationOutsidePref64) }
        if remote.address.isLinkLocal, remote.address == translator.options.carriedLinkLocal {
            return IncomingPacket6(layout: layout, remote: remote.address, prefix: remote.prefix)
        }
        // A client that asks a cloud's metadata service at a link-local address is told at once that it is not there.
        if !mayAppear(remote.address, under: remote.prefix)
            && (!remote.address.isIllegal || remote.address.isLinkLocal)
        {
            throw Refusal(.nonGlobalIPv4, answer: .administrativelyProhibited)
        }
        if remote.address.isIllegal { throw Refusal(.illegalDestination) }
        return IncomingPacket6(layout: layout, remote: remote.address, prefix: remote.prefix)
    }

    mutating func incomingPacket4(_ layout: IPv4Layout, from origin: Origin) throws(Refusal) -> IncomingPacket4 {
        if !pool.contains(layout.destination) { throw Refusal(.destinationOutsidePool) }
        // An ICMP error from an illegal source is translated, "for the purpose of trouble shooting" (RFC 7915 §4.1).
        if layout.source.isIllegal && layout.transport.kind != .icmpError
            && layout.source != translator.options.carriedLinkLocal
        {
            throw Refusal(.illegalSource)
        }
        return IncomingPacket4(layout: layout, origin: origin)
    }

    /// RFC 6052 §3.1: "The Well-Known Prefix MUST NOT be used to represent non-global IPv4 addresses"; those that the
    /// configuration exempts are the simulated world's own.
    @inline(always)
    mutating func mayAppear(_ address: IPv4Address, under prefix: UInt8) -> Bool {
        if address.isGlobal || !prefixes[Int(prefix)].isWellKnown { return true }
        return exemptIPv4.contains { $0.contains(address) }
    }

    /// The same for an IPv4 host that speaks first, under the prefix that it would get.
    mutating func checkPrefix(mayCarry remote: IPv4Address, under prefix: UInt8) throws(Refusal) {
        if !mayAppear(remote, under: prefix) { throw Refusal(.nonGlobalIPv4) }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Translation
package import Wire

// RFC 6146 §3.4, Determining the Incoming Tuple, with the checks of §3.5 that precede any look-up.

/// A host of the IPv4 side that an address of the IPv6 side represents.
package struct Remote: Hashable, Sendable {
    package let address: IPv4Address
    /// The index of its Pref64.
    let prefix: UInt8
}

/// A packet from the IPv6 side. Its destination is `remote` under a Pref64.
struct IncomingPacket6 {
    var layout: IPv6Layout
    var remote: IPv4Address
    /// The index of its Pref64.
    var prefix: UInt8

    var host: TransportAddress6 { TransportAddress6(layout.source, layout.transport.sourcePort) }
    var remoteTransport: TransportAddress4 { TransportAddress4(remote, layout.transport.destinationPort) }
}

/// The origin of a packet.
enum Origin {
    case ipv6Side
    case ipv4Side
    /// From the IPv6 side; already translated once (RFC 6146 §3.8).
    case hairpin
    /// From the NAT64 itself: an ICMP error about a hairpinned packet.
    case ourselves

    /// The side that reports show.
    var side: Side { self == .ipv4Side ? .ipv4 : .ipv6 }
    /// Whether the TTL of an IPv4 packet still has to be decremented: that of a hairpinned packet was when it became an IPv4 packet, and
    /// the whole path through the NAT64 is one hop.
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
    /// From an unexamined packet.
    init(of packet: borrowing PacketBuffer) throws(Refusal) {
        do { self = try IPv6Layout(packet.bytes) } catch { throw Refusal(DropReason(ipv6: error)) }
    }
}

extension IPv4Layout {
    /// From an unexamined packet.
    init(of packet: borrowing PacketBuffer) throws(Refusal) {
        do { self = try IPv4Layout(packet.bytes) } catch { throw Refusal(DropReason(ipv4: error)) }
    }
}

extension NAT64 {
    /// The host that an address of the IPv6 side represents; `nil` outside of all Pref64s.
    package mutating func remote(behind address: IPv6Address) -> Remote? {
        for number in prefixes.indices {
            guard let remote = prefixes[number].extract(address) else { continue }
            return Remote(address: remote, prefix: UInt8(truncatingIfNeeded: number))
        }
        return nil
    }

    mutating func incomingPacket6(_ layout: IPv6Layout, to remote: Remote?) throws(Refusal) -> IncomingPacket6 {
        // RFC 6146 §3.5: a source inside a Pref64 would make packets loop.
        for number in prefixes.indices where prefixes[number].contains(layout.source) {
            throw Refusal(.sourceInsidePref64)
        }
        if layout.source.isIllegalSource { throw Refusal(.illegalSource) }
        guard let remote else { throw Refusal(.destinationOutsidePref64) }
        if remote.address.isLinkLocal, remote.address == translator.options.carriedLinkLocal {
            return IncomingPacket6(layout: layout, remote: remote.address, prefix: remote.prefix)
        }
        // A client that contacts a cloud's metadata service at a link-local address gets an error at once.
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

    /// RFC 6052 §3.1: "The Well-Known Prefix MUST NOT be used to represent non-global IPv4 addresses"; the configuration exempts those of
    /// the simulated world.
    @inline(always)
    mutating func mayAppear(_ address: IPv4Address, under prefix: UInt8) -> Bool {
        if address.isGlobal || !prefixes[Int(prefix)].isWellKnown { return true }
        return exemptIPv4.contains { $0.contains(address) }
    }

    /// The same for an IPv4 host that opens a flow, under the prefix that it would get.
    mutating func checkPrefix(mayCarry remote: IPv4Address, under prefix: UInt8) throws(Refusal) {
        if !mayAppear(remote, under: prefix) { throw Refusal(.nonGlobalIPv4) }
    }
}

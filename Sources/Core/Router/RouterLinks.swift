// SPDX-License-Identifier: Apache-2.0
import Topology
import NAT64
import Translation
import Wire

/// The steps for every packet as it arrives and as it leaves, independent of its path in between: capture, traffic, flows, faults, and the
/// log of drops.
///
/// A class, as the translators send through it while the router changes.
final class RouterLinks: PacketOutput {
    var faults: LinkFaults
    /// `nil` if packets pass at once.
    private(set) var conditioner: LinkConditioner?
    /// `nil` if all hosts are on the world's link.
    let paths: RemoteHops?
    /// Time at which the client was connected.
    private let start: Instant
    /// Arrival time of the current packet.
    var now: Instant
    /// Prefixes under which IPv4 hosts appear on the client's link.
    var prefixes: [Pref64] = []
    /// `nil` if the client has none. Packets to the CLAT's IPv6 address for the client become IPv4 as they leave.
    private(set) var clat: CLATStage?
    private let ipv6Link: Link
    private var translates: Bool
    private let ipv6Router: IPv6Address
    private let ipv4Router: IPv4Address
    private let output: any RouterOutput
    private let joinsDatagrams: Bool
    /// The translator's generator, for the IPv4 packets that it makes; `nil` if there is none.
    var identifications: IdentificationGenerator?
    private var clientJoiner = DatagramJoiner()
    private var worldJoiner = DatagramJoiner()
    private let tap: (any PacketTap)?
    /// `nil` if flows are not recorded.
    private(set) var flows: FlowLog?
    /// `nil` if there is one client.
    private(set) var clients: ClientTable?
    private(set) var drops = DropLog()
    private(set) var traffic = LinkTraffic()

    init(_ configuration: RouterConfiguration, now: Instant, output: any RouterOutput, tap: (any PacketTap)?) {
        self.now = now
        faults = configuration.faults
        start = now
        conditioner = LinkConditioner(configuration, now: now)
        paths = RemoteHops(configuration, now: now)
        ipv6Link = configuration.ipv6Link
        clat = CLATStage(configuration, now: now)
        translates = configuration.translates
        ipv6Router = configuration.errors.ipv6Source
        ipv4Router = configuration.errors.ipv4Source
        self.output = output
        joinsDatagrams = configuration.joinsDatagrams
        self.tap = tap
        if configuration.clientLimit > 0 {
            clients = ClientTable(limit: configuration.clientLimit)
        } else if configuration.recordsFlows {
            flows = FlowLog(since: now)
        }
    }

    /// Moves the client to another network, or to none. Records stay.
    func change(to configuration: RouterConfiguration) {
        clat = CLATStage(configuration, now: now)
        if let conditioner {
            conditioner.change(to: configuration.conditions)
        } else {
            conditioner = LinkConditioner(configuration, now: start)
        }
        translates = configuration.translates
        prefixes = configuration.translatedPrefixes
    }

    /// The link of the translator's side of this family.
    @inline(always)
    func link(of side: Side) -> Link { side == .ipv6 ? ipv6Link : ipv6Link.other }

    // MARK: - Arriving

    /// A packet that is only forwarded is captured once, on the client's link.
    func arrived(_ packet: borrowing PacketBuffer, from link: Link) {
        switch link {
        case .client:
            tap?.record(packet)
            traffic.fromClient.count(packet)
        case .world:
            if translates, let family = packet.family, self.link(of: family) == .world { tap?.record(packet) }
            traffic.fromWorld.count(packet)
        }
    }

    /// Whether a fault has dropped the packet on purpose.
    func lose(_ packet: borrowing PacketBuffer, _ family: IPFamily, from link: Link) -> Bool {
        guard faults.swallow(packet, isIPv6: family == .ipv6) else { return false }
        drop(packet, from: link, because: .faultBlackHole)
        return true
    }

    // MARK: - Leaving

    /// Sends a packet from a translator.
    func emit(_ packet: inout PacketBuffer, to side: Side, _ outline: IPv6Outline?) {
        let link = link(of: side)
        if link == .world { tap?.record(packet) }
        depart(&packet, side, to: link, outline, numberedBy: side == .ipv4 ? identifications : nil)
    }

    /// Sends a packet that was not translated.
    func send(_ packet: inout PacketBuffer, to link: Link) {
        depart(&packet, packet.family ?? .ipv6, to: link, nil)
    }

    private func depart(
        _ packet: inout PacketBuffer, _ family: IPFamily, to link: Link, _ outline: IPv6Outline?,
        numberedBy numbering: IdentificationGenerator? = nil
    ) {
        if link == .client {
            if let clat, family == .ipv6, packet.bytes.ipv6Address(at: IPv6Header.destination) == clat.addresses.source
            {
                return leave(by: clat, &packet)
            }
            tap?.record(packet)
        }
        if lose(packet, family, from: link.other) { return }
        if link == .client { note(packet, outline) }
        if link == .world, let conditioner {
            if let reason = conditioner.takeUp(packet, at: now) { drop(packet, from: .client, because: reason) }
            return releaseUp(conditioner)
        }
        if link == .world, let paths { return travel(paths, &packet, numberedBy: numbering) }
        write(&packet, to: link, numberedBy: numbering)
    }

    /// Sends the packets to the world that are due.
    func releaseUp(_ conditioner: LinkConditioner) {
        conditioner.sendUp(at: now) { packet in
            guard let paths else { return write(&packet, to: .world) }
            travel(paths, &packet)
        }
    }

    /// Sends a packet that has left this router for the world.
    private func travel(
        _ paths: RemoteHops, _ packet: inout PacketBuffer, numberedBy numbering: IdentificationGenerator? = nil
    ) {
        let reason = paths.take(&packet, to: .world, at: now) { write(&$0, to: .world, numberedBy: numbering) }
        if let reason { drop(packet, from: .client, because: reason) }
    }

    /// Passes the packets to the world that are due on the links of hosts.
    func arriveAtHosts(_ paths: RemoteHops) { paths.sendUp(at: now) { write(&$0, to: .world) } }

    /// Sends a host the answer of a router on the way.
    func tellHost(_ answer: inout PacketBuffer) { write(&answer, to: .world) }

    @inline(always)
    private func write(
        _ packet: inout PacketBuffer, to link: Link, numberedBy numbering: IdentificationGenerator? = nil
    ) {
        if !joinsDatagrams { return hand(&packet, standingFor: 1, to: link) }
        switch link {
        case .client: clientJoiner.take(&packet, numberedBy: numbering) { hand(&$0, standingFor: $1, to: .client) }
        case .world: worldJoiner.take(&packet, numberedBy: numbering) { hand(&$0, standingFor: $1, to: .world) }
        }
    }

    /// Sends the packets that wait for datagrams to be joined with.
    func flush() {
        clientJoiner.flush { hand(&$0, standingFor: $1, to: .client) }
        worldJoiner.flush { hand(&$0, standingFor: $1, to: .world) }
    }

    private func hand(_ packet: inout PacketBuffer, standingFor datagrams: Int, to link: Link) {
        if let reason = output.send(&packet, to: link) {
            for _ in 0..<datagrams { drop(packet, from: link.other, because: reason) }
            return
        }
        switch link {
        case .client: traffic.toClient.count(packet, datagrams: datagrams)
        case .world: traffic.toWorld.count(packet, datagrams: datagrams)
        }
    }

    /// No error is sent for a hop limit that expires between the NAT64 and the CLAT: the NAT64, which the error would pass, is still
    /// handling this packet.
    private func leave(by clat: CLATStage, _ packet: inout PacketBuffer) {
        if lose(packet, .ipv6, from: .world) { return }
        let layout: IPv6Layout
        do throws(WireError) { layout = try IPv6Layout(packet.bytes) } catch {
            return drop(packet, from: .world, because: DropReason(ipv6: error))
        }
        switch clat.translate(&packet, layout) {
        case .translated: depart(&packet, .ipv4, to: .client, nil)
        case .pieces(var pieces):
            // Not the buffer of the CLAT, which is in use: a packet from the CLAT may come back at once.
            var piece = PacketBuffer()
            while pieces.next(of: packet, into: &piece) { depart(&piece, .ipv4, to: .client, nil) }
        case .dropped(let reason, _): drop(packet, from: .world, because: reason)
        }
    }

    // MARK: - Dropping

    func drop(_ packet: borrowing PacketBuffer, from link: Link, because reason: DropReason) {
        drops.record(reason, packet)
        clients?.noteDrop(packet, because: reason, isFromClient: link == .client)
        output.dropped(packet, from: link, because: reason)
    }

    func dropped(_ packet: borrowing PacketBuffer, from side: Side, because reason: DropReason) {
        drop(packet, from: link(of: side), because: reason)
    }

    // MARK: - Flows

    /// Notes a packet from the client.
    func note(_ packet: borrowing PacketBuffer, _ layout: IPv6Layout, to remote: IPv4Address?) {
        if flows == nil && clients == nil { return }
        let outline = IPv6Outline(layout)
        let isFlow = !isDNSOfRouter(outline)
        clients?.note(packet, outline, isFromClient: true, isOfFlow: isFlow, at: now) { _ in remote }
        if isFlow { flows?.record(packet.bytes, outline, isFromClient: true, at: now) { _ in remote } }
    }

    func note(_ packet: borrowing PacketBuffer, _ layout: IPv4Layout, isFromClient: Bool) {
        if flows == nil { return }
        if layout.transport.isDNS, layout.source == ipv4Router || layout.destination == ipv4Router { return }
        // Pings to the CLAT end there and do not cross it.
        if let clat, layout.transport.kind == .icmpEcho,
            layout.source == clat.addresses.router || layout.destination == clat.addresses.router
        {
            return
        }
        flows?.record(packet.bytes, layout, isFromClient: isFromClient, at: now)
    }

    /// Notes a packet to the client, with the translator's outline of it, if there is one.
    private func note(_ packet: borrowing PacketBuffer, _ outline: IPv6Outline?) {
        if flows == nil && clients == nil { return }
        if let outline {
            noteIPv6(packet, outline)
        } else if let layout = try? IPv6Layout(packet.bytes) {
            noteIPv6(packet, IPv6Outline(layout))
        } else if let layout = try? IPv4Layout(packet.bytes) {
            note(packet, layout, isFromClient: false)
        }
    }

    private func noteIPv6(_ packet: borrowing PacketBuffer, _ outline: IPv6Outline) {
        let isFlow = !isDNSOfRouter(outline)
        clients?.note(
            packet, outline, isFromClient: false, isOfFlow: isFlow, at: now, ipv4Destination: translated)
        if isFlow {
            flows?.record(packet.bytes, outline, isFromClient: false, at: now, ipv4Destination: translated)
        }
    }

    /// The IPv4 address in an IPv6 address, if that is under a prefix of the NAT64.
    private func translated(_ address: IPv6Address) -> IPv4Address? {
        for prefix in prefixes {
            if let ipv4 = prefix.extract(address) { return ipv4 }
        }
        return nil
    }

    /// Whether this is DNS traffic with the router's resolver, which is in the DNS service's log.
    private func isDNSOfRouter(_ outline: IPv6Outline) -> Bool {
        outline.transport.isDNS && (outline.source == ipv6Router || outline.destination == ipv6Router)
    }
}

extension TransportLayout {
    fileprivate var isDNS: Bool { (kind == .udp || kind == .tcp) && (sourcePort == 53 || destinationPort == 53) }
}

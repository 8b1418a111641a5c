// SPDX-License-Identifier: Apache-2.0
import NAT64
package import Translation
package import Wire

// A packet's path through the stages.

extension Router {
    /// Takes a packet from `link`. The router may change the buffer's contents, which have no meaning afterwards.
    package mutating func receive(_ packet: inout PacketBuffer, from link: Link, at now: Instant) {
        links.now = now
        if link == .world, let paths = links.paths {
            let reason = paths.take(&packet, to: .client, at: now) { arriveFromWorld(&$0, at: now) }
            if let reason { refuse(packet, from: .world, because: reason) }
        } else if link == .world {
            arriveFromWorld(&packet, at: now)
        } else {
            pass(&packet, from: link, at: now)
        }
        if let paths = links.paths { settle(paths, at: now) }
    }

    /// Takes a packet from the world's own link.
    private mutating func arriveFromWorld(_ packet: inout PacketBuffer, at now: Instant) {
        guard let conditioner = links.conditioner else { return pass(&packet, from: .world, at: now) }
        if let reason = conditioner.takeDown(packet, at: now) { refuse(packet, from: .world, because: reason) }
        releaseDown(conditioner, at: now)
    }

    /// Passes on the packets from the world that are due.
    mutating func releaseDown(_ conditioner: LinkConditioner, at now: Instant) {
        conditioner.sendDown(at: now) { pass(&$0, from: .world, at: now) }
    }

    /// Passes on the packets that are due on the links of hosts, and the answers of routers on the way to them.
    mutating func settle(_ paths: RemoteHops, at now: Instant) {
        paths.sendDown(at: now) {
            arriveFromWorld(&$0, at: now)
        } drop: {
            refuse($0, from: .world, because: $1)
        }
        paths.sendAnswers(to: .client, at: now) { arriveFromWorld(&$0, at: now) }
        // Last, as both of these may have sent packets there.
        links.arriveAtHosts(paths)
        paths.sendAnswers(to: .world, at: now) { links.tellHost(&$0) }
    }

    /// Handles a packet that has arrived.
    @inline(always)
    private mutating func pass(_ packet: inout PacketBuffer, from link: Link, at now: Instant) {
        links.arrived(packet, from: link)
        guard let family = packet.family else {
            return links.drop(packet, from: link, because: packet.count == 0 ? .truncated : .notIP)
        }
        if hasOneFamilyPerLink, links.link(of: family) != link {
            return links.drop(packet, from: link, because: .wrongFamily)
        }
        switch family {
        case .ipv6:
            let layout: IPv6Layout
            do throws(WireError) { layout = try IPv6Layout(packet.bytes) } catch {
                return links.drop(packet, from: link, because: DropReason(ipv6: error))
            }
            receive(&packet, layout, from: link, at: now)
        case .ipv4:
            let layout: IPv4Layout
            do throws(WireError) { layout = try IPv4Layout(packet.bytes) } catch {
                return links.drop(packet, from: link, because: DropReason(ipv4: error))
            }
            receive(&packet, layout, from: link, at: now)
        }
    }

    /// Counts a packet that could not be read.
    package mutating func refuse(_ packet: borrowing PacketBuffer, from link: Link, because reason: DropReason) {
        links.arrived(packet, from: link)
        links.drop(packet, from: link, because: reason)
    }

    // MARK: - IPv6

    private mutating func receive(
        _ packet: inout PacketBuffer, _ layout: IPv6Layout, from link: Link, at now: Instant
    ) {
        if forwarding?.isSpoofed(layout.source, from: link) == true {
            if link == .client { advertising?.disown(layout.source, at: now) }
            return links.drop(packet, from: link, because: .spoofedSource)
        }
        let remote = remote(behind: layout.destination, from: link)
        if link == .client { links.note(packet, layout, to: remote?.address) }
        if links.lose(packet, .ipv6, from: link) { return }
        if responder?.answer(&packet, layout) == true { return links.send(&packet, to: link) }
        if link == .client, neighbours?.answer(&packet, layout) == true { return links.send(&packet, to: .client) }
        if link == .client, let receipt = advertising?.receive(&packet, layout, at: now), receipt != .none {
            if receipt == .answered { links.send(&packet, to: .client) }
            return
        }
        pass(&packet, layout, to: remote, from: link, at: now)
    }

    /// The NAT64's remote host behind a destination; `nil` if the packet is not from the link of the translator's IPv6 side.
    @inline(always)
    private mutating func remote(behind destination: IPv6Address, from link: Link) -> Remote? {
        links.link(of: .ipv6) == link ? nat64?.remote(behind: destination) : nil
    }

    @inline(always)
    private mutating func pass(
        _ packet: inout PacketBuffer, _ layout: IPv6Layout, to remote: Remote?, from link: Link, at now: Instant
    ) {
        if links.link(of: .ipv6) == link, nat64 != nil, remote != nil || forwarding == nil {
            if let remote, let (reason, answer) = forwarding?.objection(to: remote.address, layout) {
                return refuse(packet, from: link, because: reason, answer: answer, at: now)
            }
            nat64?.receive(&packet, layout, to: remote, at: now, output: links)
        } else if stateless != nil {
            stateless?.receive(&packet, layout, from: link, at: now, output: links)
        } else {
            guard let decision = forwarding?.decide(&packet, layout, from: link) else {
                return links.drop(packet, from: link, because: .noRoute)
            }
            follow(decision, packet: &packet, from: link, at: now)
        }
    }

    // MARK: - IPv4

    private mutating func receive(
        _ packet: inout PacketBuffer, _ layout: IPv4Layout, from link: Link, at now: Instant
    ) {
        if forwarding?.isSpoofed(layout.source, from: link) == true {
            return links.drop(packet, from: link, because: .spoofedSource)
        }
        if link == .client { links.note(packet, layout, isFromClient: true) }
        if links.lose(packet, .ipv4, from: link) { return }
        if responder != nil, !isHosts(layout, from: link, at: now), responder?.answer(&packet, layout) == true {
            return links.send(&packet, to: link)
        }
        if link == .client, let clat = links.clat { return cross(clat, &packet, layout, at: now) }

        if nat64 != nil, links.link(of: .ipv4) == link {
            nat64?.receive(&packet, layout, at: now, output: links)
        } else if stateless != nil {
            stateless?.receive(&packet, layout, from: link, at: now, output: links)
        } else {
            guard let decision = forwarding?.decide(&packet, layout, from: link) else {
                return links.drop(packet, from: link, because: .noRoute)
            }
            follow(decision, packet: &packet, from: link, at: now)
        }
    }

    /// Whether a ping is for a host behind the NAT64, even if its destination is the router's own address.
    private mutating func isHosts(_ layout: IPv4Layout, from link: Link, at now: Instant) -> Bool {
        guard links.link(of: .ipv4) == link else { return false }
        return nat64?.hasBinding(forQuery: layout, at: now, output: links) ?? false
    }

    // MARK: - From the client through its CLAT

    private mutating func cross(
        _ clat: CLATStage, _ packet: inout PacketBuffer, _ layout: IPv4Layout, at now: Instant
    ) {
        if clat.responder.answer(&packet, layout) { return links.send(&packet, to: .client) }
        switch clat.translate(&packet, layout) {
        case .translated: receiveTranslated(&packet, at: now)
        case .pieces(var pieces):
            while pieces.next(of: packet, into: &clat.piece) { receiveTranslated(&clat.piece, at: now) }
        case .dropped(let reason, let answer):
            refuse(packet, from: .client, because: reason, answer: answer, by: clat.errors, at: now)
        }
    }

    /// Handles an IPv6 packet from the CLAT. It has been noted as the client sent it, and its source is the CLAT's own choice.
    private mutating func receiveTranslated(_ packet: inout PacketBuffer, at now: Instant) {
        let layout: IPv6Layout
        do throws(WireError) { layout = try IPv6Layout(packet.bytes) } catch {
            return links.drop(packet, from: .client, because: DropReason(ipv6: error))
        }
        if links.lose(packet, .ipv6, from: .client) { return }
        pass(&packet, layout, to: remote(behind: layout.destination, from: .client), from: .client, at: now)
    }

    // MARK: - Forwarding and refusing

    private mutating func follow(
        _ decision: Hop.Decision, packet: inout PacketBuffer, from link: Link, at now: Instant
    ) {
        switch decision {
        case .forward: links.send(&packet, to: link.other)
        case .fragment(var pieces):
            while pieces.next(of: packet, into: &scratch) { links.send(&scratch, to: link.other) }
        case .drop(let reason, let answer): refuse(packet, from: link, because: reason, answer: answer, at: now)
        }
    }

    /// Drops the packet, and sends its source an error if the rules of ICMP permit one.
    private mutating func refuse(
        _ packet: borrowing PacketBuffer, from link: Link, because reason: DropReason, answer: ICMPError?,
        by origin: ErrorOrigin? = nil, at now: Instant
    ) {
        links.drop(packet, from: link, because: reason)
        guard let answer, (origin ?? errors).make(answer, about: packet, into: &scratch, at: now) == .made else {
            return
        }
        links.send(&scratch, to: link)
    }
}

import Evidence
import LinuxNet
import NAT64
import Translation
import Wire

/// What the packet path's thread does: waits for packets, takes each to the NAT64 or forwards it, and keeps the time.
final class PathLoop {
    private enum Token: UInt64 {
        case client, world, mailbox
    }

    /// Packets that one TUN may deliver before the other has its turn.
    private static let turn = 64
    /// More than the queue of a TUN holds (500 packets).
    private static let queueLimit = 2048

    let output: PathOutput
    private(set) var translator: AddressTranslator
    private let forwarding: Forwarding
    private let client: ClientAddresses
    private var reach: Reach
    /// `nil` on a network without translation.
    private(set) var nat64: NAT64?
    private var mailbox: PathMailbox?
    private var epoll: Epoll
    private var errors: ErrorOrigin
    private var buffer = PacketBuffer()
    /// For a part of what is in the other.
    private var piece = PacketBuffer()
    private var now = MonotonicClock.now()

    /// The addresses of the one client that this path serves.
    struct ClientAddresses {
        var ipv6: IPv6Address
        /// `nil` on an IPv6-only network.
        var ipv4: IPv4Address?
        /// The NAT64's, for this client.
        var pool: IPv4Address
    }

    init(
        output: PathOutput, translator: AddressTranslator, forwarding: Forwarding, client: ClientAddresses,
        nat64: consuming NAT64?
    ) throws(SystemError) {
        self.output = output
        self.translator = translator
        self.forwarding = forwarding
        self.client = client
        reach = output.world.reach
        self.nat64 = nat64
        epoll = try Epoll()
        errors = ErrorOrigin(ipv6Router: forwarding.ipv6Router, ipv4Router: forwarding.ipv4Router, now: now)
    }

    func prepare(_ mailbox: PathMailbox) throws(SystemError) {
        try epoll.add(output.client.descriptor, .readable, token: Token.client.rawValue)
        try epoll.add(output.world.tun.descriptor, .readable, token: Token.world.rawValue)
        try epoll.add(mailbox.bell.descriptor, .readable, token: Token.mailbox.rawValue)
        self.mailbox = mailbox
    }

    /// Translates by another prefix from the next packet on. Sessions end: their hosts' addresses of the far side are no more.
    func change(to translator: AddressTranslator, nat64: consuming NAT64?) {
        self.translator = translator
        output.translator = translator
        self.nat64 = nat64
    }

    func run() {
        while true {
            let events = epoll.wait(until: nat64?.nextDeadline ?? .distantFuture)
            now = MonotonicClock.now()
            reach.refresh()
            var isStopping = false
            for index in 0..<events {
                switch Token(rawValue: epoll[index].token) {
                case .client: drainClient()
                case .world: drainWorld()
                case .mailbox, nil: isStopping = mailbox?.empty(for: self) ?? true
                }
            }
            nat64?.expire(at: now, output: output)
            if isStopping { return finish() }
        }
    }

    /// What had been sent before the end is still moved, and seen: on a machine under load it may have waited a while. A
    /// client that goes on sending does not keep us.
    private func finish() {
        drainClient(Self.queueLimit)
        drainWorld(Self.queueLimit)
    }

    /// A TUN whose interface was deleted gives nothing but an error, and is readable for ever: it is no longer waited for.
    private func end(_ side: DeletedLink.Side) {
        guard output.noteDeleted(side, at: now) else { return }
        let descriptor = side == .client ? output.client.descriptor : output.world.tun.descriptor
        do throws(SystemError) {
            try epoll.remove(descriptor)
        } catch {
            preconditionFailure("a TUN that was watched: \(error)")
        }
    }

    // MARK: - From the client

    private func drainClient(_ limit: Int = turn) {
        for _ in 0..<limit {
            switch output.client.read(into: &buffer) {
            case .packet: takeFromClient()
            case .malformed: output.refuse(buffer, .unsupportedOffload)
            case .wouldBlock: return
            case .error: return end(.client)
            }
        }
    }

    private func takeFromClient() {
        output.arrivedFromClient(buffer)
        if output.isLost(buffer) { return }
        switch buffer.bytes[0] >> 4 {
        case 6: takeIPv6FromClient()
        case 4: takeIPv4FromClient()
        default: output.refuse(buffer, .notIP)
        }
    }

    private func takeIPv6FromClient() {
        let layout: IPv6Layout
        do throws(WireError) {
            layout = try IPv6Layout(buffer.bytes)
        } catch {
            return output.refuse(buffer, DropReason(ipv6: error))
        }
        if let destination = translator.ipv4Address(behind: layout.destination) {
            if hasRoute(to: destination) {
                nat64?.receive(&buffer, from: .ipv6, at: now, output: output)
            } else if Pref64.wellKnown.contains(layout.destination), !destination.isGlobal {
                // RFC 6052 §3.1
                refuse(.nonGlobalIPv4, answer: .ipv6(.administrativelyProhibited), toClient: true)
            } else {
                refuse(.noRoute, answer: .ipv6(.noRoute), toClient: true)
            }
            return
        }
        guard
            reach.contains(layout.destination) || layout.destination == forwarding.ipv6Router
                || layout.destination.isMulticast || layout.destination.isLinkLocal
        else { return refuse(.noRoute, answer: .ipv6(.noRoute), toClient: true) }
        follow(forwarding.decide(&buffer, layout, to: .world), to: .world)
    }

    /// Whether the NAT64 has anything to send such a packet to. Its pool's own addresses lead back (RFC 6146 §3.8).
    private func hasRoute(to destination: IPv4Address) -> Bool {
        reach.contains(destination) || destination == forwarding.ipv4Router || destination == client.pool
    }

    private func takeIPv4FromClient() {
        let layout: IPv4Layout
        do throws(WireError) {
            layout = try IPv4Layout(buffer.bytes)
        } catch {
            return output.refuse(buffer, DropReason(ipv4: error))
        }
        guard client.ipv4 != nil,
            reach.contains(layout.destination) || layout.destination == forwarding.ipv4Router
        else { return refuse(.noRoute, answer: .ipv4(.networkUnreachable), toClient: true) }
        follow(forwarding.decide(&buffer, layout, to: .world), to: .world)
    }

    // MARK: - From the world

    private func drainWorld(_ limit: Int = turn) {
        for _ in 0..<limit {
            switch output.world.tun.read(into: &buffer) {
            case .packet: takeFromWorld()
            case .malformed: output.refuse(buffer, .unsupportedOffload)
            case .wouldBlock: return
            case .error: return end(.world)
            }
        }
    }

    private func takeFromWorld() {
        output.arrivedFromWorld(buffer)
        if output.isLost(buffer) { return }
        switch buffer.bytes[0] >> 4 {
        case 6: takeIPv6FromWorld()
        case 4: takeIPv4FromWorld()
        default: output.refuse(buffer, .notIP)
        }
    }

    private func takeIPv6FromWorld() {
        let layout: IPv6Layout
        do throws(WireError) {
            layout = try IPv6Layout(buffer.bytes)
        } catch {
            return output.refuse(buffer, DropReason(ipv6: error))
        }
        // What is late for the client of an earlier run.
        if layout.destination != client.ipv6 && !layout.destination.isMulticast {
            return output.refuse(buffer, .addressUnreachable)
        }
        follow(forwarding.decide(&buffer, layout, to: .client), to: .client)
    }

    private func takeIPv4FromWorld() {
        if nat64 != nil {
            nat64?.receive(&buffer, from: .ipv4, at: now, output: output)
            return
        }
        let layout: IPv4Layout
        do throws(WireError) {
            layout = try IPv4Layout(buffer.bytes)
        } catch {
            return output.refuse(buffer, DropReason(ipv4: error))
        }
        if layout.destination != client.ipv4 { return output.refuse(buffer, .addressUnreachable) }
        follow(forwarding.decide(&buffer, layout, to: .client), to: .client)
    }

    // MARK: - Forwarding and refusing

    private func follow(_ decision: Forwarding.Decision, to nextHop: Forwarding.NextHop) {
        switch decision {
        case .forward: send(&buffer, to: nextHop)
        case .fragment(var pieces): while pieces.next(of: buffer, into: &piece) { send(&piece, to: nextHop) }
        case .drop(let reason, let answer): refuse(reason, answer: answer, toClient: nextHop == .world)
        }
    }

    private func send(_ packet: inout PacketBuffer, to nextHop: Forwarding.NextHop) {
        switch nextHop {
        case .client: output.sendToClient(&packet)
        case .world: output.sendToWorld(&packet)
        }
    }

    private func refuse(_ reason: DropReason, answer: ICMPError?, toClient: Bool) {
        output.refuse(buffer, reason)
        guard let answer, errors.make(answer, about: buffer, at: now) else { return }
        send(&errors.packet, to: toClient ? .client : .world)
    }
}

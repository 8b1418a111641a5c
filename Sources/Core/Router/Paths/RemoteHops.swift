// SPDX-License-Identifier: Apache-2.0
import Evidence
import Randomness
import Topology
import Translation
import Wire

/// The paths behind the world's link to hosts that are further away: routers, and then the hosts' own links.
///
/// Theory of operation. A packet to such a host passes the routers and then waits on the host's link; one from it does so in reverse.
/// Packets of other hosts pass at once. A router's answer waits, too, until `sendAnswers`: at this time `Router` is still handling the
/// packet that it answers.
final class RemoteHops {
    private let numbers: [IPAddress: Int]
    /// The routers themselves.
    private let responders: [IPAddress: EchoResponder]
    private var ways: [HostWay]
    /// Indices of the paths on which packets may wait, and the room that they share.
    private let conditioned: [Int]
    private let room: LateRoom
    private var answersToClient: LatePackets
    private var answersToWorld: LatePackets
    // One of each kind per direction, as a packet that arrives may be answered at once by one in the other direction.
    private var downBuffer: PacketBuffer
    private var upBuffer: PacketBuffer
    private var downPiece: PacketBuffer
    private var upPiece: PacketBuffer
    private var reply: PacketBuffer
    private var answer: PacketBuffer

    /// Octets of routers' answers that may wait: each is sent before the next packet is looked at.
    private static let answerRoom = 1 << 16

    /// `nil` if there are no paths.
    init?(_ configuration: RouterConfiguration, now: Instant) {
        if configuration.paths.isEmpty { return nil }
        // Allocated only now: most runs have no paths and need no buffers.
        downBuffer = PacketBuffer()
        upBuffer = PacketBuffer()
        downPiece = PacketBuffer()
        upPiece = PacketBuffer()
        reply = PacketBuffer()
        answer = PacketBuffer()
        room = LateRoom(configuration.latePackets)
        var random = SplitMix64(seed: configuration.seed ^ 0x7061_7468)
        let ways = configuration.paths.map { [room] in HostWay($0, seed: random.next(), in: room, now: now) }
        self.ways = ways
        conditioned = ways.indices.filter { ways[$0].hasConditions }
        var numbers: [IPAddress: Int] = [:]
        for (number, path) in configuration.paths.enumerated() {
            for host in path.hosts where numbers[host] == nil { numbers[host] = number }
        }
        self.numbers = numbers
        var responders: [IPAddress: EchoResponder] = [:]
        for router in configuration.paths.lazy.flatMap(\.routers) {
            let responder = EchoResponder(router.errors)
            for address in router.addresses where numbers[address] == nil { responders[address] = responder }
        }
        self.responders = responders
        answersToClient = LatePackets(LateRoom(Self.answerRoom))
        answersToWorld = LatePackets(LateRoom(Self.answerRoom))
    }

    /// Takes a packet towards its destination.
    /// - Parameter emit: gets packets that arrive at once; the others are passed on by `sendUp` or `sendDown`.
    /// - Returns: the reason why it is lost, `nil` if it is not.
    func take(
        _ packet: inout PacketBuffer, to end: Link, at now: Instant, emit: (inout PacketBuffer) -> Void
    ) -> DropReason? {
        guard let address = Self.host(of: packet, goingTo: end) else {
            emit(&packet)
            return nil
        }
        guard let number = numbers[address] else {
            if end == .world, let responder = responders[address] { return ask(responder, &packet, at: now) }
            emit(&packet)
            return nil
        }
        // From the host, its link is first.
        if end == .client, ways[number].hasConditions { return ways[number].take(packet, to: end, at: now) }
        return cross(&packet, way: number, to: end, at: now, emit: emit)
    }

    /// Passes on the packets that are due at the hosts.
    func sendUp(at now: Instant, _ send: (inout PacketBuffer) -> Void) {
        if room.isEmpty { return }
        for number in conditioned {
            while ways[number].next(to: .world, into: &upBuffer, at: now) { send(&upBuffer) }
        }
    }

    /// Takes the packets that are due past the routers, and passes on those that get through.
    func sendDown(
        at now: Instant, _ send: (inout PacketBuffer) -> Void, drop: (borrowing PacketBuffer, DropReason) -> Void
    ) {
        if room.isEmpty { return }
        for number in conditioned {
            while ways[number].next(to: .client, into: &downBuffer, at: now) {
                if let reason = cross(&downBuffer, way: number, to: .client, at: now, emit: send) {
                    drop(downBuffer, reason)
                }
            }
        }
    }

    /// Sends the routers' answers that go to this end.
    func sendAnswers(to end: Link, at now: Instant, emit: (inout PacketBuffer) -> Void) {
        switch end {
        case .client: while answersToClient.next(into: &answer, at: now) { emit(&answer) }
        case .world: while answersToWorld.next(into: &answer, at: now) { emit(&answer) }
        }
    }

    var nextDeadline: Instant {
        var next = Instant.distantFuture
        if room.isEmpty { return next }
        for number in conditioned { next = min(next, ways[number].nextDeadline) }
        return next
    }

    /// The effects of the hosts' links, in the order of the configuration's paths; `nil` for a link without conditions.
    var counts: [(down: ConditionCounts, up: ConditionCounts)?] { ways.map(\.counts) }

    // MARK: - Crossing

    private func cross(
        _ packet: inout PacketBuffer, way number: Int, to end: Link, at now: Instant,
        emit: (inout PacketBuffer) -> Void
    ) -> DropReason? {
        var router = 0
        switch ways[number].cross(&packet, to: end, endedAt: &router) {
        case .forward: return arrive(&packet, way: number, to: end, at: now, emit: emit)
        case .fragment(let pieces):
            switch end {
            case .world: return arrive(pieces, of: packet, in: &upPiece, way: number, to: end, at: now, emit: emit)
            case .client: return arrive(pieces, of: packet, in: &downPiece, way: number, to: end, at: now, emit: emit)
            }
        case .drop(let reason, let error):
            if let error, ways[number].answer(error, about: packet, by: router, into: &reply, at: now) {
                switch end {
                case .world: _ = answersToClient.take(reply, until: now)
                case .client: _ = answersToWorld.take(reply, until: now)
                }
            }
            return reason
        }
    }

    /// Takes a packet that has passed the routers.
    private func arrive(
        _ packet: inout PacketBuffer, way number: Int, to end: Link, at now: Instant,
        emit: (inout PacketBuffer) -> Void
    ) -> DropReason? {
        // To the host, its link is last.
        if end == .world, ways[number].hasConditions { return ways[number].take(packet, to: end, at: now) }
        emit(&packet)
        return nil
    }

    private func arrive(
        _ pieces: PacketPieces, of packet: borrowing PacketBuffer, in piece: inout PacketBuffer, way number: Int,
        to end: Link, at now: Instant, emit: (inout PacketBuffer) -> Void
    ) -> DropReason? {
        var pieces = pieces
        var lost: DropReason?
        while pieces.next(of: packet, into: &piece) {
            lost = arrive(&piece, way: number, to: end, at: now, emit: emit) ?? lost
        }
        return lost
    }

    /// Takes a packet for one of the routers. They answer only pings.
    private func ask(_ responder: EchoResponder, _ packet: inout PacketBuffer, at now: Instant) -> DropReason? {
        let isAnswered =
            if let layout = try? IPv6Layout(packet.bytes) {
                responder.answer(&packet, layout)
            } else if let layout = try? IPv4Layout(packet.bytes) {
                responder.answer(&packet, layout)
            } else {
                false
            }
        guard isAnswered else { return .addressUnreachable }
        _ = answersToClient.take(packet, until: now)
        return nil
    }

    /// The address in the packet that is not the client's.
    private static func host(of packet: borrowing PacketBuffer, goingTo end: Link) -> IPAddress? {
        let bytes = packet.bytes
        switch packet.family {
        case .ipv6 where bytes.count >= IPv6Header.length:
            return .ipv6(bytes.ipv6Address(at: end == .world ? IPv6Header.destination : IPv6Header.source))
        case .ipv4 where bytes.count >= IPv4Header.length:
            return .ipv4(bytes.ipv4Address(at: end == .world ? IPv4Header.destination : IPv4Header.source))
        default: return nil
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Evidence
import NAT64
import Randomness
import Topology
import Translation
import Wire

/// The path to one host, which may have several addresses: routers, and the host's link.
struct HostWay {
    private let routers: [HostPath.Router]
    /// The routers' errors, each with a limit of its own.
    private let errors: [ErrorOrigin]
    /// `nil` if packets pass at once.
    private var link: ConditionedLink?

    init(_ path: HostPath, seed: UInt64, in room: LateRoom, now: Instant) {
        var random = SplitMix64(seed: seed)
        routers = path.routers
        errors = path.routers.map { ErrorOrigin($0.errors, seed: random.next(), now: now) }
        if path.link.areNone { return }
        link = ConditionedLink(
            path.link, seeds: (random.next(), random.next()), rooms: (room, room), start: now)
    }

    // MARK: - Routers

    /// Takes a packet past the routers.
    /// - Parameter router: the router at which the packet ended, if it is dropped.
    func cross(_ packet: inout PacketBuffer, to end: Link, endedAt router: inout Int) -> Hop.Decision {
        // To the host that reassembles them, fragments of fragments are the same as the fragments that the narrowest link makes.
        var narrowest: Int?
        for step in routers.indices {
            router = end == .world ? step : routers.count - 1 - step
            let mtu = routers[router].mtu ?? .max
            switch pass(&packet, over: narrowest == nil ? mtu : .max) {
            case .forward: narrowest = narrowest.map { min($0, mtu) }
            case .fragment: narrowest = mtu
            case .drop(let reason, let answer): return .drop(reason, answer: answer)
            }
        }
        guard let narrowest, let layout = try? IPv4Layout(packet.bytes) else { return .forward }
        return .fragment(PacketPieces(ofIPv4: packet, layout, mtu: narrowest))
    }

    private func pass(_ packet: inout PacketBuffer, over mtu: Int) -> Hop.Decision {
        // An MTU below the minimum of IPv6 applies to IPv4 only (RFC 8200 §5).
        if packet.family == .ipv6 { return Hop(mtu: max(mtu, IPv6Header.minimumMTU)).pass(&packet) }
        do throws(WireError) { return Hop(mtu: mtu).pass(&packet, try IPv4Layout(packet.bytes)) } catch {
            return .drop(DropReason(ipv4: error), answer: nil)
        }
    }

    /// The router's error about a packet that it has dropped.
    /// - Returns: whether there is an error to send.
    func answer(
        _ error: ICMPError, about packet: borrowing PacketBuffer, by router: Int, into reply: inout PacketBuffer,
        at now: Instant
    ) -> Bool {
        let isSilent =
            switch error {
            case .ipv4: routers[router].ipv4 == nil
            case .ipv6: routers[router].ipv6 == nil
            }
        return !isSilent && errors[router].make(error, about: packet, into: &reply, at: now) == .made
    }

    // MARK: - The host's link

    /// Whether packets of this direction wait in `next`, however briefly.
    var hasConditions: Bool { link != nil }

    /// - Returns: the reason why the packet is lost, `nil` if it is not.
    mutating func take(_ packet: borrowing PacketBuffer, to end: Link, at now: Instant) -> DropReason? {
        link?.take(packet, to: end, at: now)
    }

    var nextDeadline: Instant { link?.nextDeadline ?? .distantFuture }

    /// - Returns: whether a packet for that end was due, and is in the buffer now.
    mutating func next(to end: Link, into buffer: inout PacketBuffer, at now: Instant) -> Bool {
        link?.next(to: end, into: &buffer, at: now) ?? false
    }

    /// The effects of the host's link; `nil` if it has no conditions.
    var counts: (down: ConditionCounts, up: ConditionCounts)? { link?.counts }
}

extension HostPath.Router {
    /// A missing address becomes the unspecified one, from which `HostWay.answer` sends nothing.
    var errors: ErrorPolicy {
        ErrorPolicy(ipv6Source: ipv6 ?? .unspecified, ipv4Source: ipv4 ?? IPv4Address(0, 0, 0, 0))
    }
}

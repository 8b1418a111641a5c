// SPDX-License-Identifier: Apache-2.0
import NAT64
import Randomness
import Topology
import Translation
import Wire

/// Advertises the router on the client's link (RFC 4861 §6.2).
///
/// Theory of operation. Two advertisements can be due: one to all hosts, and one to a host that sent a solicitation. `receive` looks at
/// packets that are for the router on this link alone, `send` sends the advertisements that are due. A solicitation gets no answer of its
/// own while another answer is due: there is one host on the link.
struct AdvertisingStage: ~Copyable {
    private var link: AdvertisedLink
    private var prefixes: [Pref64]
    /// Prefixes that are no longer valid, advertised with a lifetime of 0 (RFC 8781 §4).
    private var withdrawn: [Pref64] = []
    /// Prefixes of the device's earlier networks, advertised as no longer usable (RFC 4862 §5.5.4).
    private var formerPrefixes: [IPv6Prefix] = []
    /// Whether the device has no network, so that this is not its router.
    private var isSilent = false
    /// Answers pings to the router's link-local address.
    private let responder: EchoResponder
    private var random: SplitMix64
    /// Number of advertisements still to be sent in quick succession (§6.2.4).
    private var hasty: Int
    /// Time of the next advertisement to all hosts.
    private var next: Instant
    private var last: Instant?
    private var answer: (host: IPv6Address, time: Instant)?
    private var packet = PacketBuffer()

    private static let withdrawnLimit = 4
    // RFC 4861 §10
    private static let hastyCount = 3
    private static let hastyInterval = Duration.seconds(16)
    private static let shortestDistance = Duration.seconds(3)
    private static let longestDelay = Duration.milliseconds(500)

    init(_ link: AdvertisedLink, _ errors: ErrorPolicy, prefixes: [Pref64], seed: UInt64, now: Instant) {
        self.link = link
        self.prefixes = prefixes
        var policy = errors
        policy.ipv6Source = link.router
        responder = EchoResponder(policy)
        random = SplitMix64(seed: seed)
        hasty = Self.hastyCount
        next = link.isUnsolicited ? now : .distantFuture
    }

    var nextDeadline: Instant { min(next, answer?.time ?? .distantFuture) }

    enum Receipt {
        /// The packet is for another stage.
        case none
        /// The packet was for this stage and needs no further action.
        case taken
        /// The packet has become the answer for the client.
        case answered
    }

    /// Takes a packet from the client that is for this router on the link alone.
    mutating func receive(_ packet: inout PacketBuffer, _ layout: IPv6Layout, at now: Instant) -> Receipt {
        guard layout.destination == link.router || layout.destination == NeighbourMessage.allRouters else {
            return .none
        }
        if responder.answer(&packet, layout) { return .answered }
        guard
            NeighbourMessage.isValid(
                &packet, layout, type: ICMPv6Type.routerSolicitation,
                options: NeighbourMessage.Offset.solicitationOptions)
        else { return .none }
        if isSilent { return .taken }
        // §6.2.6: delayed by a random time; to all hosts at the earliest three seconds after the last one.
        let time = now + Self.longestDelay * Double.random(in: 0...1, using: &random)
        if layout.source == .unspecified {
            next = min(next, soonest(time))
        } else if answer == nil {
            answer = (layout.source, time)
        }
        return .taken
    }

    /// Sends the advertisements that are due.
    mutating func send(at now: Instant, _ emit: (inout PacketBuffer) -> Void) {
        if let answer, answer.time <= now {
            self.answer = nil
            send(to: answer.host, emit)
        }
        guard next <= now else { return }
        send(to: NeighbourMessage.allHosts, emit)
        last = now
        if hasty > 0 { hasty -= 1 }
        next = link.isUnsolicited && !(isSilent && hasty == 0) ? now + interval() : .distantFuture
    }

    /// Moves the device to another network, or to none, and advertises that the prefix of the last network is no longer to be used.
    mutating func move(to link: AdvertisedLink?, _ prefixes: [Pref64], at now: Instant) {
        leave(self.link.prefix)
        isSilent = link == nil
        if let link {
            formerPrefixes.removeAll { $0 == link.prefix }
            self.link = link
        }
        change(to: prefixes, at: now)
    }

    /// Handles a device's use of a prefix that belonged to another slot, or to the device before the router restarted: an advertisement
    /// soon withdraws the prefix.
    mutating func disown(_ address: IPv6Address, at now: Instant) {
        guard hasNeighbours, NetworkPlan.deviceNetworks.contains(address), let prefix = IPv6Prefix(address, length: 64),
            prefix != link.prefix, !formerPrefixes.contains(prefix)
        else { return }
        leave(prefix)
        next = min(next, soonest(now))
    }

    private mutating func leave(_ prefix: IPv6Prefix) {
        formerPrefixes = Array(([prefix] + formerPrefixes.filter { $0 != prefix }).prefix(Self.withdrawnLimit))
    }

    /// The earliest time, from this one on, for an advertisement to all hosts (§6.2.6).
    private func soonest(_ time: Instant) -> Instant {
        max(time, last.map { $0 + Self.shortestDistance } ?? time)
    }

    /// Whether the link has neighbours.
    var hasNeighbours: Bool { link.ethernet != nil }

    /// Advertises other prefixes from now on: soon, and in quick succession as at the beginning (§6.2.4).
    mutating func change(to prefixes: [Pref64], at now: Instant) {
        let gone = (self.prefixes + withdrawn).filter { !prefixes.contains($0) }
        withdrawn = Array(gone.prefix(Self.withdrawnLimit))
        self.prefixes = prefixes
        hasty = Self.hastyCount
        next = soonest(now)
    }

    private mutating func interval() -> Duration {
        let seconds = Double.random(
            in: Double(link.interval.lowerBound)...Double(link.interval.upperBound), using: &random)
        return hasty > 0 ? min(.seconds(seconds), Self.hastyInterval) : .seconds(seconds)
    }

    private mutating func send(to host: IPv6Address, _ emit: (inout PacketBuffer) -> Void) {
        let lifetime = link.advertisement.pref64Lifetime
        let told = lifetime.map { lifetime in prefixes.map { ($0, lifetime) } + withdrawn.map { ($0, 0) } } ?? []
        let advertisement = RouterAdvertisement(
            link: link, prefixes: told, formerPrefixes: formerPrefixes, isRouter: !isSilent)
        for message in advertisement.messages {
            NeighbourMessage.write(message, from: link.router, to: host, into: &packet)
            emit(&packet)
        }
    }
}

extension AdvertisingStage {
    /// `nil` if the router does not advertise itself.
    init?(_ configuration: RouterConfiguration, now: Instant) {
        guard let link = configuration.advertisedLink else { return nil }
        self.init(
            link, configuration.errors, prefixes: configuration.translatedPrefixes, seed: configuration.seed, now: now)
    }
}

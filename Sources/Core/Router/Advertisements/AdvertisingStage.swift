// SPDX-License-Identifier: Apache-2.0
import NAT64
import Randomness
import Topology
import Translation
import Wire

/// The router as one that advertises itself on the client's link (RFC 4861 §6.2).
///
/// Theory of operation. Two things can be due: an advertisement to all hosts, and one to the host that has asked. `receive` looks at
/// what comes for the router on this link alone, `send` lets go what is due. Hosts that ask while an answer is due get none of
/// their own: there is one host on the link.
struct AdvertisingStage: ~Copyable {
    private var link: AdvertisedLink
    private var prefixes: [Pref64]
    /// Prefixes that hold no longer, told with a lifetime of 0 (RFC 8781 §4).
    private var withdrawn: [Pref64] = []
    /// Of the networks on which the device was: they are told as no longer to be used (RFC 4862 §5.5.4).
    private var formerPrefixes: [IPv6Prefix] = []
    /// Whether the device has no network, and the router is none of its.
    private var isSilent = false
    /// For pings to the router's link-local address.
    private let responder: EchoResponder
    private var random: SplitMix64
    /// Advertisements that are still to come in quick succession (§6.2.4).
    private var hasty: Int
    /// The next to all hosts.
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
        /// It is for another stage.
        case none
        /// It was for this one, and nothing is to be done with it.
        case taken
        /// It has become its answer, for the client.
        case answered
    }

    /// Takes what came from the client for this router on the link alone.
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
        // §6.2.6: delayed by a random time, and to all hosts no sooner than three seconds after the last one.
        let time = now + Self.longestDelay * Double.random(in: 0...1, using: &random)
        if layout.source == .unspecified {
            next = min(next, soonest(time))
        } else if answer == nil {
            answer = (layout.source, time)
        }
        return .taken
    }

    /// Sends what is due.
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

    /// The device has another network from now on, or none, and is told so: what it had from the last one is not to be used any more.
    mutating func move(to link: AdvertisedLink?, _ prefixes: [Pref64], at now: Instant) {
        leave(self.link.prefix)
        isSilent = link == nil
        if let link {
            formerPrefixes.removeAll { $0 == link.prefix }
            self.link = link
        }
        change(to: prefixes, at: now)
    }

    /// The device uses a prefix that was another slot's, or its own before the router was started anew: it is told soon to leave it.
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

    /// When all hosts may be told, from this time on (§6.2.6).
    private func soonest(_ time: Instant) -> Instant {
        max(time, last.map { $0 + Self.shortestDistance } ?? time)
    }

    /// Whether the link has neighbours.
    var hasNeighbours: Bool { link.ethernet != nil }

    /// Tells of other prefixes from now on: soon, and in quick succession as at the beginning (§6.2.4).
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
    /// `nil` if the router says nothing of itself.
    init?(_ configuration: RouterConfiguration, now: Instant) {
        guard let link = configuration.advertisedLink else { return nil }
        self.init(
            link, configuration.errors, prefixes: configuration.translatedPrefixes, seed: configuration.seed, now: now)
    }
}

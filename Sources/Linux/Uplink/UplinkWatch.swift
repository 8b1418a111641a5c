// SPDX-License-Identifier: Apache-2.0
import Router
internal import LinuxNet
internal import Topology
internal import Wire

/// What ends with an uplink, and what its thread keeps up to date: the addresses of the configuration's names, and the
/// host's own.
struct UplinkWatch: LoopState, ~Copyable {
    /// How long an answer about a name of the configuration holds; one that has not come yet is awaited more eagerly.
    private static let period = Duration.seconds(30)
    private static let eagerPeriod = Duration.seconds(2)

    let network: SimulatedNetwork
    /// Whether the links are on the host's network itself, and not on one that pasta leads out of.
    let isOnHost: Bool
    let destinations: DestinationBoard
    /// Is told what may be reached from now on.
    var changed: @Sendable (AllowedDestinations) -> Void = { _ in }
    private var entries: AllowList
    private var nextLook: Instant
    // In the order in which they go.
    private var masquerade: Masquerade?
    private var anchor: Anchor?
    private var pasta: Pasta?

    init(
        network: SimulatedNetwork, isOnHost: Bool, destinations: DestinationBoard, entries: AllowList,
        masquerade: consuming Masquerade, anchor: consuming Anchor, pasta: consuming Pasta?
    ) {
        self.network = network
        self.isOnHost = isOnHost
        self.destinations = destinations
        self.entries = entries
        self.masquerade = consume masquerade
        self.anchor = consume anchor
        self.pasta = consume pasta
        nextLook = MonotonicClock.now() + Self.period(until: entries)
    }

    private static func period(until entries: AllowList) -> Duration {
        entries.unresolved.isEmpty ? period : eagerPeriod
    }

    /// Another list of exceptions; it is looked at in the same round.
    mutating func allow(_ list: [AllowedEntry]) {
        entries = AllowList(list)
        nextLook = .zero
    }

    /// Takes away what was made, in the order in which it must go.
    mutating func takeDown() {
        masquerade = nil
        anchor = nil
        pasta = nil
    }

    // MARK: - The rounds

    var nextDeadline: Instant? { nextLook }

    mutating func handle(_ event: Epoll.Event) {}

    mutating func advance() {
        guard nextLook <= MonotonicClock.now() else { return }
        // A resolver may take its time.
        entries.resolve()
        nextLook = MonotonicClock.now() + Self.period(until: entries)
        let old = destinations.current
        let own = isOnHost ? (try? HostAddresses.own())?.filter { !network.contains($0) } : nil
        let new = AllowedDestinations(
            exceptions: entries.all, own: own ?? old.own, hasIPv6: isOnHost ? HostAddresses.haveIPv6() : old.hasIPv6,
            clientLinks: old.clientLinks)
        if new.exceptions != old.exceptions { try? masquerade?.allow(new.exceptions) }
        if destinations.post(new) { changed(new) }
    }
}

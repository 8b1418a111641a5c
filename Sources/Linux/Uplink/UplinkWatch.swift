// SPDX-License-Identifier: Apache-2.0
import Router
internal import LinuxNet
internal import Topology
internal import Wire

/// The parts that end with an uplink, and the data that its thread keeps up to date: the addresses of the configuration's names, and the
/// host's own.
struct UplinkWatch: LoopState, ~Copyable {
    /// Interval between look-ups of the configuration's names; shorter while one has no address yet.
    private static let period = Duration.seconds(30)
    private static let eagerPeriod = Duration.seconds(2)

    let network: SimulatedNetwork
    /// Whether the links are on the host's network itself, rather than on one behind pasta.
    let isOnHost: Bool
    let destinations: DestinationBoard
    /// Called with the new destinations.
    var changed: @Sendable (AllowedDestinations) -> Void = { _ in }
    private var entries: AllowList
    private var nextLook: Instant
    // In the order in which they are removed.
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

    /// Replaces the list of exceptions; its names are looked up in the same round.
    mutating func allow(_ list: [AllowedEntry]) {
        entries = AllowList(list)
        nextLook = .zero
    }

    /// Removes the parts, in the required order.
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
        // A resolver may take long.
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

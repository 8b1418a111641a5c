// SPDX-License-Identifier: Apache-2.0
package import Topology
import DNS64
import DNSServer
package import Evidence
package import LinuxNet
package import NAT64
package import RouterThread
package import Router
import Synchronization
import Wire
import World

/// A client that is connected to its network.
package final class Connection: Sendable {
    package let place: ClientSlot
    /// Those by which the world's servers know what is in the place.
    private let servedPlaces: [ClientSlot]
    private let path: RouterThread
    /// The router of its network, or of none.
    private let router: @Sendable (Network?, LinkPlan?) -> RouterConfiguration
    /// As the client has them; `nil` is as all have them.
    private let links: Mutex<LinkPlan?>
    /// What changes the router is posted to its path under this lock, so that it comes there in the order in which the network changes.
    private let current: Mutex<Network?>
    private let dns: DNSService
    /// This client's number there.
    private let asker: UInt64
    private let servers: ServerGroup
    private let start: Instant
    private let conditions: ConditionPlan
    private let paths: [HostPath]
    /// The networks that it has had.
    private let visited: Mutex<[Network]>

    /// The path has moved no packet yet.
    init(
        path: RouterThread, dns: DNSService, servers: ServerGroup, place: ClientSlot, servedAs: [ClientSlot],
        network: Network, over links: LinkPlan?, conditions: ConditionPlan, paths: [HostPath],
        router: @escaping @Sendable (Network?, LinkPlan?) -> RouterConfiguration
    ) {
        self.path = path
        self.router = router
        self.links = Mutex(links)
        current = Mutex(network)
        visited = Mutex([network])
        self.dns = dns
        self.servers = servers
        self.place = place
        servedPlaces = servedAs
        self.conditions = conditions
        self.paths = paths
        start = MonotonicClock.now()
        asker = dns.follow(place.addresses(on: network), since: start)
        for place in servedAs { servers.begin(place, at: start) }
    }

    /// `nil` while it has none.
    package var network: Network? { current.withLock { $0 } }

    /// How long the path's thread may take for a change.
    private static let changeLimit = Duration.seconds(2)

    /// The client has another network when this returns, or none: with its own addresses, and the router that it has there.
    package func move(to network: Network?) {
        _ = try? moving(to: network).answer(until: MonotonicClock.now() + Self.changeLimit)
    }

    /// A client that has links of its own has them otherwise when it is moved next.
    package func wish(_ wishes: LinkWishes) throws(LinkWishes.Mistake) {
        try links.withLock { (links) throws(LinkWishes.Mistake) in links = try links?.with(wishes) }
    }

    /// The client has another network once this is answered.
    package func moving(to network: Network?) -> PendingReply<Bool> {
        if let network {
            dns.follow(place.addresses(on: network), of: asker)
            visited.withLock { $0.append(network) }
        }
        return current.withLock { current in
            current = network
            return path.move(to: router(network, links.withLock { $0 }))
        }
    }

    /// Begins to move packets. A client that cannot be connected leaves nothing behind.
    func begin() throws(SystemError) {
        do throws(SystemError) {
            try path.start()
        } catch {
            leave()
            throw error
        }
    }

    /// Cuts the client off.
    package func cut() {
        _ = path.stop()
        leave()
    }

    /// What the client has left behind is not the next one's.
    @discardableResult
    private func leave() -> (refusals: [WorldRefusal], seen: ConnectionLog.Seen) {
        dns.leave(asker)
        return servers.end(servedPlaces)
    }

    /// Has the client cut off, and does not wait for that.
    package func requestCut() { path.requestStop() }

    /// Cuts the client off, and says what was seen of it, to the last packet and query that it sent.
    package func end() -> NetworkEvidence {
        let seen = path.stop()
        // While the DNS server does the same.
        let listeners = servers.settling()
        dns.settle()
        var evidence = NetworkEvidence()
        if place.link.prefix != ClientLink.standard.prefix { evidence.clientPrefix = "\(place.link.prefix)" }
        if let asked = dns.queries(of: asker) {
            evidence.queries = asked.excerpt
            evidence.questions = asked.questions
            evidence.refusals = asked.refusals.all
            evidence.lost.queries = asked.lost
        }
        servers.settle(place, after: listeners)
        let left = leave()
        evidence.refusals += left.refusals
        evidence.connections = left.seen.connections
        evidence.lost.connections = left.seen.omittedConnections
        evidence.servedQueries = left.seen.queries
        evidence.lost.queries += left.seen.omittedQueries
        guard let seen else {
            // A thread that is stuck, on a file system that hangs for instance: what it saw is missing, and that is said.
            evidence.lost.path = true
            return evidence
        }
        evidence.flows = seen.flows
        evidence.drops = seen.drops
        evidence.counters = seen.counters
        evidence.deletedLinks = seen.deleted.map { DeletedLink(side: $0.key, time: max(.zero, $0.value - start)) }
            .sorted { $0.time < $1.time }
        evidence.lost.flows = seen.lost
        var written: [String] = []
        for text in visited.withLock({ $0 }).flatMap(conditions.written) where !written.contains(text) {
            written.append(text)
        }
        evidence.conditions = seen.conditions.map {
            ConditionEvidence(written: written, down: $0.down, up: $0.up)
        }
        evidence.hostConditions = zip(paths, seen.hostConditions).compactMap { path, counts in
            guard let counts, counts.down.packets + counts.up.packets > 0 else { return nil }
            return ConditionEvidence(
                host: path.name, written: path.writtenLink, down: counts.down, up: counts.up)
        }
        return evidence
    }

    /// What its path looks like now. A client that has been cut off is asked nothing.
    package func snapshot() -> PendingReply<PathSnapshot> {
        path.snapshot()
    }

    /// The clients of a network that is not ours, as the router saw them, and how many have been forgotten for others.
    package func clients() -> PendingReply<(all: [ClientSighting], forgotten: Int)> { path.clients() }

    /// The NAT64's session table, or as much of it as `limit` allows.
    package func sessions(limit: Int) -> PendingReply<TableExcerpt<SessionReport>> {
        path.sessions(limit: limit)
    }

    /// The NAT64's BIB, likewise.
    package func bindings(limit: Int) -> PendingReply<TableExcerpt<BindingReport>> {
        path.bindings(limit: limit)
    }

    /// Has the NAT64 forget the client's sessions, and says how many there were.
    package func forgetSessions() -> PendingReply<Int> {
        path.forgetSessions()
    }

    /// Translates by another prefix from the next packet on, where its network has a NAT64; the sessions that there are end.
    /// - Parameter nat64: the NAT64 that it has on a network.
    func change(to nat64: (Network) -> NAT64Configuration, seed: UInt64) {
        current.withLock { network in
            guard let network, network.entry.hasNAT64 else { return }
            path.change(to: nat64(network), seed: seed)
        }
    }
}

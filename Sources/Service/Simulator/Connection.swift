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
    /// The places by which the world's servers know the clients in this place.
    private let servedPlaces: [ClientSlot]
    private let path: RouterThread
    /// The router of its network, or of none.
    private let router: @Sendable (Network?, LinkPlan?) -> RouterConfiguration
    /// The properties of this client's links; `nil` for the common ones.
    private let links: Mutex<LinkPlan?>
    /// Changes of the router are posted to its path under this lock, so that they arrive in the order in which the network changes.
    private let current: Mutex<Network?>
    private let dns: DNSService
    /// This client's number in the DNS service.
    private let asker: UInt64
    private let servers: ServerGroup
    private let start: Instant
    private let conditions: ConditionPlan
    private let paths: [HostPath]
    /// The networks that it has had.
    private let visited: Mutex<[Network]>

    /// Call it before the path has moved a packet.
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

    /// `nil` while the client has no network.
    package var network: Network? { current.withLock { $0 } }

    /// Timeout for the path's thread to make a change.
    private static let changeLimit = Duration.seconds(2)

    /// Moves the client to another network, or to none, with its own addresses and router there, before it returns.
    package func move(to network: Network?) {
        _ = try? moving(to: network).answer(until: MonotonicClock.now() + Self.changeLimit)
    }

    /// Changes the properties of a client's own links; applies when the client is moved next.
    package func wish(_ wishes: LinkWishes) throws(LinkWishes.Mistake) {
        try links.withLock { (links) throws(LinkWishes.Mistake) in links = try links?.with(wishes) }
    }

    /// Moves the client to another network; answered when that is done.
    package func moving(to network: Network?) -> PendingReply<Bool> {
        if let network {
            dns.follow(place.addresses(on: network), of: asker)
            visited.withLock { if !$0.contains(network) { $0.append(network) } }
        }
        return current.withLock { current in
            current = network
            return path.move(to: router(network, links.withLock { $0 }))
        }
    }

    /// Begins to move packets. If that fails, nothing of the client remains.
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

    /// Removes the client's state from the servers, so that the next client does not get it.
    @discardableResult
    private func leave() -> (refusals: [WorldRefusal], seen: ConnectionLog.Seen) {
        dns.leave(asker)
        return servers.end(servedPlaces)
    }

    /// Starts to cut the client off, and does not wait for it.
    package func requestCut() { path.requestStop() }

    /// Cuts the client off, and returns the evidence of it, to the last packet and query that it sent.
    package func end() -> NetworkEvidence {
        let seen = path.stop()
        // Runs while the DNS server settles, too.
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
            // The path's thread is stuck, on a file system that hangs for instance: the evidence notes that its part is missing.
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

    /// The state of its path now. A client that has been cut off is not asked.
    package func snapshot() -> PendingReply<PathSnapshot> {
        path.snapshot()
    }

    /// The clients of an external network, as seen by the router, and the number of clients that were forgotten to make room.
    package func clients() -> PendingReply<(all: [ClientSighting], forgotten: Int)> { path.clients() }

    /// The NAT64's session table, or as much of it as `limit` allows.
    package func sessions(limit: Int) -> PendingReply<TableExcerpt<SessionReport>> {
        path.sessions(limit: limit)
    }

    /// The NAT64's BIB, with the same limit.
    package func bindings(limit: Int) -> PendingReply<TableExcerpt<BindingReport>> {
        path.bindings(limit: limit)
    }

    /// Has the NAT64 forget the client's sessions; answered with their number.
    package func forgetSessions() -> PendingReply<Int> {
        path.forgetSessions()
    }

    /// Changes the prefix from the next packet on, if its network has a NAT64; existing sessions end.
    /// - Parameter nat64: returns the configuration for a network.
    func change(to nat64: (Network) -> NAT64Configuration, seed: UInt64) {
        current.withLock { network in
            guard let network, network.entry.hasNAT64 else { return }
            path.change(to: nat64(network), seed: seed)
        }
    }
}

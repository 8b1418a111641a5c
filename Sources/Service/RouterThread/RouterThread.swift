// SPDX-License-Identifier: Apache-2.0
package import Evidence
package import LinuxNet
package import NAT64
package import Router
import Synchronization
import Topology
package import Translation
package import Wire

/// The way of every packet between a client and the world: one thread, two links, one buffer.
///
/// Theory of operation. `start` begins to move packets on a loop thread of the path's own, which alone touches the links and the
/// router from then on. Others see them through questions, which are answered on that thread. `stop` ends the thread, once
/// it has moved what was sent before, and says what it saw, as often as it is called. A path serves one client, on one
/// network, once.
///
/// Of a packet that is read, the header is rewritten where it lies and the packet is written again: nothing is copied
/// or allocated for it.
package final class RouterThread: Sendable {
    private let loop: LoopThread<PathLoop>
    /// What was seen, once the path has ended.
    private let sightings = Mutex<Sightings?>(nil)

    /// - Parameters:
    ///   - configuration: one that a router can be made of.
    ///   - tap: gets every packet of both sides; it is the path's until that has ended.
    ///   - isShared: whether there are other clients, to whom a client that floods is to leave the processors.
    package init(
        _ configuration: RouterConfiguration, client: consuming LinkDevice, world: WorldLink,
        tap: (any PacketTap)? = nil, isShared: Bool = false
    ) throws(SystemError) {
        let links = PathLinks(client: client, world: world)
        // The world's link serves one client after another, and not all have conditions.
        try links.setOffloads(configuration.isAsCables)
        let interests = try InterestList()
        let router = Self.router(configuration, links, tap)
        let state = try PathLoop(links, router, destinations: world.destinations, isShared: isShared, interests)
        loop = try LoopThread(name: "packets", state, on: interests)
    }

    private static func router(
        _ configuration: RouterConfiguration, _ links: PathLinks, _ tap: (any PacketTap)?
    ) -> Router {
        var configuration = configuration
        configuration.joinsDatagrams = links.haveUDPSegmentation
        do throws(ConfigurationError) {
            return try Router(configuration, now: MonotonicClock.now(), output: links, tap: tap)
        } catch {
            preconditionFailure("the network and the world contradict each other: \(error)")
        }
    }

    package func start() throws(SystemError) { try loop.start() }

    /// For the last round of a path that finds its queues full, on a machine under load.
    package static let timeout = Duration.seconds(10)

    /// Has the thread end, and does not wait for that; `stop` is called later.
    package func requestStop() { loop.requestStop() }

    /// Ends the thread and returns what it saw; `nil` if it is stuck and does not end in time.
    package func stop(within limit: Duration = timeout) -> Sightings? {
        sightings.withLock { sightings in
            if let state = try? loop.stop(within: limit) {
                sightings = Sightings(state.router, deleted: state.links.deleted)
            }
            return sightings
        }
    }

    // MARK: - Questions: a path that has ended does not take them

    /// What it looks like now.
    package func snapshot() -> PendingReply<PathSnapshot> {
        loop.pose { PathSnapshot($0.router) }
    }

    /// The NAT64's session table, or as much of it as `limit` allows.
    package func sessions(limit: Int) -> PendingReply<TableExcerpt<SessionReport>> {
        loop.pose { loop in TableExcerpt(limit: limit) { loop.router.forEachSession($0) } }
    }

    /// The NAT64's BIB, likewise.
    package func bindings(limit: Int) -> PendingReply<TableExcerpt<BindingReport>> {
        loop.pose { loop in TableExcerpt(limit: limit) { loop.router.forEachBinding($0) } }
    }

    /// The clients of a network that is not ours, and how many have been forgotten for others.
    package func clients() -> PendingReply<(all: [ClientSighting], forgotten: Int)> {
        loop.pose { ($0.router.clients, $0.router.forgottenClients) }
    }

    /// Its NAT64 has forgotten all sessions once this is answered: so many.
    package func forgetSessions() -> PendingReply<Int> {
        loop.pose { $0.router.forgetSessions() }
    }

    /// Its client has another network, or none, once this is answered. The configuration must be a valid one.
    package func move(to configuration: RouterConfiguration) -> PendingReply<Bool> {
        loop.pose { loop in
            do throws(ConfigurationError) {
                // Nothing is lost where it cannot be changed: trains of packets are late and lost as one then.
                try? loop.links.setOffloads(configuration.isAsCables)
                try loop.router.move(to: configuration, now: loop.now)
            } catch {
                preconditionFailure("the network and the world contradict each other: \(error)")
            }
            return true
        }
    }

    /// Translates in another way from the next packet on; the sessions that there are end. The configuration must be a valid one.
    package func change(to nat64: NAT64Configuration, seed: UInt64) {
        loop.tell { loop in
            do throws(ConfigurationError) {
                try loop.router.change(to: nat64, seed: seed, now: loop.now)
            } catch {
                preconditionFailure("the network and the world contradict each other: \(error)")
            }
        }
    }
}

/// What a path saw of its client.
package struct Sightings: Sendable {
    package let flows: [Flow]
    package let drops: [Drop]
    /// The NAT64's; empty on a network without.
    package let counters: [NamedCount]
    package let deleted: [DeletedLink.Side: Instant]
    /// Packets of flows that found no place in the log.
    package let lost: Int
    /// What conditions did to packets; `nil` where there are none.
    package let conditions: (down: ConditionCounts, up: ConditionCounts)?
    /// What the links of hosts did, in the order of the configuration's paths; `nil` of one that is as a cable.
    package let hostConditions: [(down: ConditionCounts, up: ConditionCounts)?]

    init(_ router: borrowing Router, deleted: [DeletedLink.Side: Instant]) {
        flows = router.flows
        drops = router.drops.entries
        counters = router.translatorCounters?.named ?? []
        self.deleted = deleted
        lost = router.lostFlows
        conditions = router.conditionCounts
        hostConditions = router.hostConditionCounts
    }
}

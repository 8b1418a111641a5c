// SPDX-License-Identifier: Apache-2.0
package import Evidence
package import LinuxNet
package import NAT64
package import Router
import Synchronization
import Topology
package import Translation
package import Wire

/// Carries every packet between a client and the world: one thread, two links, one buffer.
///
/// Theory of operation. `start` begins to move packets on a loop thread of the path's own, which alone uses the links and the
/// router from then on. Other threads pose questions, which are answered on that thread. `stop` ends the thread after it has
/// moved the packets sent before, and returns its sightings, on every call. A path serves one client, on one network, once.
///
/// The header of a packet is rewritten in place, and the packet is written from the same buffer: nothing is copied or allocated
/// for it.
package final class RouterThread: Sendable {
    private let loop: LoopThread<PathLoop>
    /// The sightings, once the path has ended.
    private let sightings = Mutex<Sightings?>(nil)

    /// - Parameters:
    ///   - configuration: must be valid for a router.
    ///   - tap: gets every packet of both sides; owned by the path until that has ended.
    ///   - isShared: whether there are other clients, to which a client that floods must leave processor time.
    package init(
        _ configuration: RouterConfiguration, client: consuming LinkDevice, world: WorldLink,
        tap: (any PacketTap)? = nil, isShared: Bool = false
    ) throws(SystemError) {
        let links = PathLinks(client: client, world: world)
        // The world's link serves one client after another, and only some of them have conditions.
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

    /// Time for the last round of a path whose queues are full, on a machine under load.
    package static let timeout = Duration.seconds(10)

    /// Asks the thread to end, and does not wait for it; `stop` is called later.
    package func requestStop() { loop.requestStop() }

    /// Ends the thread and returns its sightings; `nil` if it is stuck and does not end in time.
    package func stop(within limit: Duration = timeout) -> Sightings? {
        sightings.withLock { sightings in
            if let state = try? loop.stop(within: limit) {
                sightings = Sightings(state.router, deleted: state.links.deleted)
            }
            return sightings
        }
    }

    // MARK: - Questions: a path that has ended does not take them

    /// The state of the path now.
    package func snapshot() -> PendingReply<PathSnapshot> {
        loop.pose { PathSnapshot($0.router) }
    }

    /// The NAT64's session table, or as much of it as `limit` allows.
    package func sessions(limit: Int) -> PendingReply<TableExcerpt<SessionReport>> {
        loop.pose { loop in TableExcerpt(limit: limit) { loop.router.forEachSession($0) } }
    }

    /// The NAT64's BIB, with the same limit.
    package func bindings(limit: Int) -> PendingReply<TableExcerpt<BindingReport>> {
        loop.pose { loop in TableExcerpt(limit: limit) { loop.router.forEachBinding($0) } }
    }

    /// The clients of an external network, and the number of clients that were forgotten to make room.
    package func clients() -> PendingReply<(all: [ClientSighting], forgotten: Int)> {
        loop.pose { ($0.router.clients, $0.router.forgottenClients) }
    }

    /// Has the NAT64 forget all sessions; answered with their number.
    package func forgetSessions() -> PendingReply<Int> {
        loop.pose { $0.router.forgetSessions() }
    }

    /// Moves the client to another network, or to none; answered when that is done. The configuration must be a valid one.
    package func move(to configuration: RouterConfiguration) -> PendingReply<Bool> {
        loop.pose { loop in
            do throws(ConfigurationError) {
                // If they cannot be changed, trains of packets are delayed and lost as one, which does no harm.
                try? loop.links.setOffloads(configuration.isAsCables)
                try loop.router.move(to: configuration, now: loop.now)
            } catch {
                preconditionFailure("the network and the world contradict each other: \(error)")
            }
            return true
        }
    }

    /// Changes the translation from the next packet on; existing sessions end. The configuration must be a valid one.
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

/// A path's observations of its client.
package struct Sightings: Sendable {
    package let flows: [Flow]
    package let drops: [Drop]
    /// The counters of the NAT64; empty on a network without one.
    package let counters: [NamedCount]
    package let deleted: [DeletedLink.Side: Instant]
    /// Packets of flows that were not logged, as the log was full.
    package let lost: Int
    /// The effects of conditions on packets; `nil` if there are none.
    package let conditions: (down: ConditionCounts, up: ConditionCounts)?
    /// The effects of the hosts' links, in the order of the configuration's paths; `nil` for an ideal link.
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

import Dispatch
package import Evidence
package import LinuxNet
package import NAT64
package import Router
import Synchronization
package import Translation
package import Wire

/// The way of every packet between a client and the world: one thread, two TUNs, one buffer.
///
/// Theory of operation. `start` begins to move packets on a thread of the path's own, which alone touches the TUNs and the
/// router from then on. Others see them through questions, which are answered on that thread. `stop` ends the
/// thread, once it has moved what was sent before, and waits for it; then the evidence may be read. A path serves one client, on one network, once.
///
/// Of a packet that is read, the header is rewritten where it lies and the packet is written again: nothing is copied
/// or allocated for it.
package final class PacketPath: @unchecked Sendable {
    private let mailbox: PathMailbox
    private let loop: PathLoop
    private let thread = Mutex<WorkerThread?>(nil)

    /// - Parameters:
    ///   - configuration: one that a router can be made of.
    ///   - tap: gets every packet of both sides.
    package init(
        _ configuration: RouterConfiguration, client: consuming TUNDevice, world: WorldLink,
        tap: (any PacketTap)? = nil
    ) throws(SystemError) {
        let links = PathLinks(client: client, world: world)
        mailbox = try PathMailbox()
        loop = try PathLoop(
            links, Self.router(configuration, links, tap), destinations: world.destinations)
    }

    private static func router(
        _ configuration: RouterConfiguration, _ links: PathLinks, _ tap: (any PacketTap)?
    ) -> Router {
        do throws(ConfigurationError) {
            return try Router(configuration, now: MonotonicClock.now(), output: links, tap: tap)
        } catch {
            preconditionFailure("the network and the world contradict each other: \(error)")
        }
    }

    deinit {
        // The thread is waited for when its handle goes, just behind this.
        mailbox.requestStop()
    }

    package func start() throws(SystemError) {
        try loop.prepare(mailbox)
        // The loop is handed over here, and taken back by joining the thread.
        nonisolated(unsafe) let loop = self.loop
        var started: WorkerThread? = try WorkerThread.start(name: "packets") { unsafe loop.run() }
        thread.withLock { $0 = started.take() }
    }

    /// Ends the thread and returns what it saw.
    package func stop() -> Sightings {
        mailbox.requestStop()
        // Taken out of the lock, so that nobody waits for the thread while holding it.
        let running = thread.withLock { thread in thread.take() }
        running?.join()
        return Sightings(loop.router, deleted: loop.links.deleted)
    }

    // MARK: - Questions, nil if the path has ended

    /// What it looks like now.
    package func snapshot() -> PathSnapshot? {
        ask { PathSnapshot($0.router) }
    }

    /// The NAT64's session table, or as much of it as `limit` allows.
    package func sessions(limit: Int) -> TableExcerpt<SessionReport>? {
        ask { loop in TableExcerpt(limit: limit) { loop.router.forEachSession($0) } }
    }

    /// The NAT64's BIB, likewise.
    package func bindings(limit: Int) -> TableExcerpt<BindingReport>? {
        ask { loop in TableExcerpt(limit: limit) { loop.router.forEachBinding($0) } }
    }

    /// Translates in another way from the next packet on; the sessions that there are end. The configuration must be a valid one.
    package func change(to nat64: NAT64Configuration, seed: UInt64) {
        _ = ask { loop in
            do throws(ConfigurationError) {
                try loop.router.change(to: nat64, seed: seed, now: loop.now)
            } catch {
                preconditionFailure("the network and the world contradict each other: \(error)")
            }
        }
    }

    /// Has `question` answered between two packets, and waits for it.
    private func ask<Answer: Sendable>(_ question: @escaping @Sendable (PathLoop) -> Answer) -> Answer? {
        let answer = Answers<Answer>()
        guard mailbox.send({ loop in answer.give(question(loop)) }) else { return nil }
        return answer.wait()
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

    init(_ router: borrowing Router, deleted: [DeletedLink.Side: Instant]) {
        flows = router.flows
        drops = router.drops.entries
        counters = router.translatorCounters?.named ?? []
        self.deleted = deleted
        lost = router.lostFlows
    }
}

/// One answer from one thread to another.
private final class Answers<Answer: Sendable>: Sendable {
    private let value = Mutex<Answer?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func give(_ answer: Answer) {
        value.withLock { $0 = answer }
        isThere.signal()
    }

    func wait() -> Answer? {
        isThere.wait()
        return value.withLock { $0 }
    }
}

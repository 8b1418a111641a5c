import Dispatch
import Evidence
import LinuxNet
import NAT64
import Synchronization
import Translation
import Wire

/// The way of every packet between a client and the world: one thread, two TUNs, one buffer.
///
/// Theory of operation. `start` begins to move packets on a thread of the path's own, which alone touches the TUNs, the NAT64
/// and the logs from then on. Others see them through `ask`, which has a question answered on that thread. `stop` ends the
/// thread, once it has moved what was sent before, and waits for it; then the evidence may be read. A path serves one client, on one network, once.
///
/// Of a packet that is read, the header is rewritten where it lies and the packet is written again: nothing is copied
/// or allocated for it.
final class PacketPath: @unchecked Sendable {
    private let mailbox: PathMailbox
    private let loop: PathLoop
    private let thread = Mutex<WorkerThread?>(nil)

    init(_ loop: PathLoop) throws(SystemError) {
        mailbox = try PathMailbox()
        self.loop = loop
    }

    deinit {
        // The thread is waited for when its handle goes, just behind this.
        mailbox.requestStop()
    }

    func start() throws(SystemError) {
        try loop.prepare(mailbox)
        // The loop is handed over here, and taken back by joining the thread.
        nonisolated(unsafe) let loop = self.loop
        var started: WorkerThread? = try WorkerThread.start(name: "packets") { unsafe loop.run() }
        thread.withLock { $0 = started.take() }
    }

    /// Has `question` answered between two packets, and waits for it. Nil where the path has ended.
    func ask<Answer: Sendable>(_ question: @escaping @Sendable (PathLoop) -> Answer) -> Answer? {
        let answer = Answers<Answer>()
        guard mailbox.send({ loop in answer.give(question(loop)) }) else { return nil }
        return answer.wait()
    }

    /// What was seen of a client.
    struct Sightings {
        var flows: [Flow]
        var drops: [Drop]
        /// The NAT64's; empty on a network without.
        var counters: [NamedCount]
        var deleted: [DeletedLink.Side: Instant]
        var lost: Int
    }

    /// Ends the thread and returns what it saw.
    func stop() -> Sightings {
        mailbox.requestStop()
        // Taken out of the lock, so that nobody waits for the thread while holding it.
        let running = thread.withLock { thread in thread.take() }
        running?.join()
        let output = loop.output
        return Sightings(
            flows: output.flows.flows, drops: output.drops.entries,
            counters: loop.counters?.named ?? [],
            deleted: output.deleted, lost: output.flows.lost)
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

// SPDX-License-Identifier: Apache-2.0
import AttachServer
import DNSServer
import LinuxNet
import RouterThread
import Synchronization
import Wire

/// Looks after the daemon's other threads, on a thread of its own: what the clients' packet paths have counted, what is new
/// for the events, and who does not answer.
///
/// Theory of operation. The thread looks once a second, and when somebody wants to know how things are now. What it saw is on
/// a board, which can be read without waiting; whoever wants a fresh look waits for it, but not for long.
final class Watch: Sendable {
    private let board = Board()
    private let loop: LoopThread<Round>
    private let signs: Signs

    private final class Board: Sendable {
        struct Notes {
            var looks: [UInt64: PathLooks.Look] = [:]
            var isDNSSilent = false
            var end = MonotonicClock.now()
        }

        private let state = Mutex(Notes())

        var notes: Notes {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    /// A thread that says nothing for so long is stuck.
    private static let timeout = Duration.seconds(5)
    /// For a fresh look: more than that takes where no path answers.
    private static let freshTimeout = Duration.seconds(2)

    /// - Parameter signs: of the thread that accepts clients.
    init(_ dns: DNSService, _ registry: Registry, signs: Signs) throws(SystemError) {
        self.signs = signs
        loop = try LoopThread(name: "watch", Round(dns, registry, board), on: InterestList())
        try loop.start()
    }

    /// What the paths looked like, not before now if the thread answers.
    func freshLooks() async -> [UInt64: PathLooks.Look] {
        let start = MonotonicClock.now()
        _ = try? await loop.pose { $0.look(since: start) }.answer(within: Self.freshTimeout)
        return board.notes.looks
    }

    /// The threads that do not answer, in words. Waits for nothing.
    func silentThreads(_ clients: [AttachedClient], at now: Instant = MonotonicClock.now()) -> [String] {
        let notes = board.notes
        var silent: [String] = []
        if signs.isOverdue(at: now, after: Self.timeout) { silent.append("the attach socket") }
        if notes.isDNSSilent { silent.append("the DNS server") }
        silent += clients.filter { notes.looks[$0.id]?.isSilent == true }.map {
            "the packet path of client \($0.id) (\($0.name))"
        }
        if now - notes.end > Self.timeout { silent.append("the watch over the other threads") }
        return silent
    }

    func stop() { _ = try? loop.stop() }

    /// What the thread has in hand.
    private struct Round: LoopState {
        private let dns: DNSService
        private let registry: Registry
        private let board: Board
        private var observer: Observer
        private var paths = PathLooks()
        private var dnsSign: PendingReply<Bool>?
        private var isDNSSilent = false
        private var start = MonotonicClock.now()
        private(set) var nextDeadline: Instant? = MonotonicClock.now()

        private static let interval = Duration.seconds(1)
        private static let dnsTimeout = Duration.milliseconds(500)

        init(_ dns: DNSService, _ registry: Registry, _ board: Board) {
            self.dns = dns
            self.registry = registry
            self.board = board
            observer = Observer(dns, registry)
        }

        mutating func handle(_ event: Epoll.Event) {}

        mutating func advance() {
            guard let nextDeadline, MonotonicClock.now() >= nextDeadline else { return }
            look(since: MonotonicClock.now())
            askDNS()
            observer.look(paths)
            registry.tellRefusals()
            post()
            self.nextDeadline = MonotonicClock.now() + Self.interval
        }

        /// Unless that was done since then, for another one who asked.
        mutating func look(since wanted: Instant) {
            guard start < wanted else { return }
            start = MonotonicClock.now()
            paths.look(at: registry.clients)
            post()
        }

        private func post() { board.notes = Board.Notes(looks: paths.looks, isDNSSilent: isDNSSilent) }

        private mutating func askDNS() {
            let sign = dnsSign ?? dns.sign()
            let limit = isDNSSilent ? .zero : Self.dnsTimeout
            do throws(LoopFailure) {
                isDNSSilent = try sign.answer(until: MonotonicClock.now() + limit) == nil
            } catch {
                isDNSSilent = true
            }
            dnsSign = isDNSSilent ? sign : nil
        }
    }
}

/// When a thread that waits for other things than questions last showed that it goes on.
final class Signs: Sendable {
    private let last = Atomic(MonotonicClock.now().nanoseconds)

    func give() { last.store(MonotonicClock.now().nanoseconds, ordering: .relaxed) }

    func isOverdue(at now: Instant, after limit: Duration) -> Bool {
        now - Instant(nanoseconds: last.load(ordering: .relaxed)) > limit
    }
}

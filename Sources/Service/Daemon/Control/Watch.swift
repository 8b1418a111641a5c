// SPDX-License-Identifier: Apache-2.0
import AttachServer
import DNSServer
import LinuxNet
import RouterThread
import Synchronization
import Wire

/// Monitors the daemon's other threads, on a thread of its own: the counters of the clients' packet paths, new entries for the
/// events, and threads that do not answer.
///
/// Theory of operation. The thread polls once a second, and on demand. The results are on a board, which can be read without
/// blocking; a caller that wants fresh results waits for them, but not for long.
final class Watch: Sendable {
    private let board = Board()
    private let loop: LoopThread<Round>
    private let signs: Signs

    private final class Board: Sendable {
        struct Notes {
            var looks: [UInt64: PathSnapshots.Latest] = [:]
            var isDNSSilent = false
            var end = MonotonicClock.now()
        }

        private let state = Mutex(Notes())

        var notes: Notes {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    /// A thread that shows no sign for this long is stuck.
    private static let timeout = Duration.seconds(5)
    /// Timeout for a fresh look, which takes longer only if no path answers.
    private static let freshTimeout = Duration.seconds(2)

    /// - Parameter signs: of the thread that accepts clients.
    init(_ dns: DNSService, _ registry: Registry, signs: Signs) throws(SystemError) {
        self.signs = signs
        loop = try LoopThread(name: "watch", Round(dns, registry, board), on: InterestList())
        try loop.start()
    }

    /// The latest looks at the paths, not older than this call if the thread answers.
    func freshSnapshots() async -> [UInt64: PathSnapshots.Latest] {
        let start = MonotonicClock.now()
        _ = try? await loop.pose { $0.look(since: start) }.answer(within: Self.freshTimeout)
        return board.notes.looks
    }

    /// The threads that do not answer, in words. Does not block.
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

    /// The state of the thread.
    private struct Round: LoopState {
        private let dns: DNSService
        private let registry: Registry
        private let board: Board
        private var observer: Observer
        private var paths = PathSnapshots()
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

        /// Polls the paths, unless that was done since then for another caller.
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

/// The time of the last sign of a thread that does not answer questions, as it waits for other things.
final class Signs: Sendable {
    private let last = Atomic(MonotonicClock.now().nanoseconds)

    func give() { last.store(MonotonicClock.now().nanoseconds, ordering: .relaxed) }

    func isOverdue(at now: Instant, after limit: Duration) -> Bool {
        now - Instant(nanoseconds: last.load(ordering: .relaxed)) > limit
    }
}

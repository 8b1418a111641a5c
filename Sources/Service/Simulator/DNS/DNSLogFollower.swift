package import DNS64
package import LinuxNet
import Synchronization
import Wire

/// Hands the DNS server's log on as it grows, on a thread of its own. What it does not keep up with is counted as lost, not
/// waited for.
package final class DNSLogFollower: Sendable {
    private static let pause = Duration.milliseconds(100)
    /// Records that are handed on at a time.
    private static let batch = 1024

    private let bell: EventSignal
    private let isStopping = Mutex(false)
    private let thread = Mutex<WorkerThread?>(nil)

    private init(bell: consuming EventSignal) {
        self.bell = bell
    }

    /// Begins with the first record that the log still has.
    /// - Parameter take: gets records in their order, on the follower's thread.
    package static func start(
        _ dns: DNSService, take: @escaping @Sendable (QueryLog.Excerpt) -> Void
    ) throws(SystemError) -> DNSLogFollower {
        let follower = DNSLogFollower(bell: try EventSignal())
        let epoll = try Epoll()
        try epoll.add(follower.bell.descriptor, .readable, token: 0)
        let waiting = Mutex<Epoll?>(epoll)
        var started: WorkerThread? = try WorkerThread.start(name: "dns-log") { [follower] in
            guard var epoll = waiting.withLock({ $0.take() }) else { return }
            follower.follow(dns, &epoll, take)
        }
        follower.thread.withLock { $0 = started.take() }
        return follower
    }

    private func follow(_ dns: DNSService, _ epoll: inout Epoll, _ take: (QueryLog.Excerpt) -> Void) {
        var next: UInt64 = 0
        while true {
            // Before the last look: what was there when the end was asked for is still handed on.
            let isLast = isStopping.withLock { $0 }
            var excerpt: QueryLog.Excerpt
            repeat {
                excerpt = dns.records(from: next, limit: Self.batch)
                next = excerpt.next
                if !excerpt.records.isEmpty { take(excerpt) }
            } while !excerpt.records.isEmpty
            if isLast { return }
            _ = epoll.wait(until: MonotonicClock.now() + Self.pause)
        }
    }

    /// Hands on what is there, and ends.
    package func stop() {
        isStopping.withLock { $0 = true }
        bell.ring()
        let running = thread.withLock { $0.take() }
        running?.join()
    }
}

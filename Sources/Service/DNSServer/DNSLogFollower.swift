// SPDX-License-Identifier: Apache-2.0
package import DNS64
package import LinuxNet
import Wire

/// Passes the DNS server's log on as it grows, on a thread of its own. If it falls behind, the records that it misses are counted
/// as lost.
package final class DNSLogFollower: Sendable {
    private let loop: LoopThread<Following>

    private struct Following: LoopState {
        /// The interval between two looks at the log.
        static let pause = Duration.milliseconds(100)
        /// Limit of records passed on at a time.
        static let batch = 1024

        let dns: DNSService
        let take: @Sendable (QueryLog.Excerpt) -> Void
        var next: UInt64 = 0
        var nextDeadline: Instant? = MonotonicClock.now()

        mutating func handle(_ event: Epoll.Event) {}

        mutating func advance() {
            var excerpt: QueryLog.Excerpt
            repeat {
                excerpt = dns.records(from: next, limit: Self.batch)
                next = excerpt.next
                if !excerpt.records.isEmpty { take(excerpt) }
            } while !excerpt.records.isEmpty
            nextDeadline = MonotonicClock.now() + Self.pause
        }
    }

    /// Begins with the first record that the log still has.
    /// - Parameter take: gets records in their order, on the follower's thread.
    package init(_ dns: DNSService, take: @escaping @Sendable (QueryLog.Excerpt) -> Void) throws(SystemError) {
        loop = try LoopThread(name: "dns-log", Following(dns: dns, take: take), on: InterestList())
        try loop.start()
    }

    /// Passes on the remaining records, and ends.
    package func stop() { _ = try? loop.stop() }
}

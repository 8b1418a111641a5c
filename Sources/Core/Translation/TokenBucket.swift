// SPDX-License-Identifier: Apache-2.0
package import Wire

/// The rate limit of ICMP errors: `burst` at once, `perSecond` in the long run (RFC 4443 §2.4(f)).
package struct TokenBucket {
    private static let second: Int64 = 1_000_000_000

    /// In billionths of a token, so that each nanosecond adds `perSecond` of them.
    private var level: Int64
    private let full: Int64
    private let perSecond: Int64
    private var updated: Instant

    package init(perSecond: Int, burst: Int, now: Instant) {
        let maximum = 1_000_000
        self.perSecond = Int64(max(0, min(perSecond, maximum)))
        full = Int64(max(0, min(burst, maximum))) * Self.second
        level = full
        updated = now
    }

    package mutating func take(at now: Instant) -> Bool {
        let elapsed = max(0, (now - updated).wholeNanoseconds)
        updated = max(updated, now)
        let (earned, overflow) = elapsed.multipliedReportingOverflow(by: perSecond)
        level = overflow || earned > full - level ? full : level + earned
        if level < Self.second { return false }
        level -= Self.second
        return true
    }
}

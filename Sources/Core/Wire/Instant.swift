// SPDX-License-Identifier: Apache-2.0
/// A point in time: nanoseconds since an origin that the caller chose (the process's start, a capture's first packet).
///
/// The pure targets never read a clock; their callers provide the time.
public struct Instant: Codable, Hashable, Comparable, Sendable {
    public var nanoseconds: Int64

    @inline(always)
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    public static let zero = Instant(nanoseconds: 0)
    public static let distantFuture = Instant(nanoseconds: .max)

    /// Saturates instead of overflowing, so that a hostile timestamp cannot trap.
    public static func + (left: Instant, right: Duration) -> Instant {
        left + Interval(right)
    }

    /// The time from `right` to `left`.
    public static func - (left: Instant, right: Instant) -> Duration {
        let (difference, overflow) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
        return .nanoseconds(overflow ? (left < right ? .min : .max) : difference)
    }

    public static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The earlier of two optional deadlines; `nil` if there is none.
    @inline(always)
    public static func earlier(_ one: Instant?, _ other: Instant?) -> Instant? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }
}

/// A length of time in the form in which it is added to an `Instant` for each packet: one addition, whereas a `Duration` of 128 bits needs
/// a division by a thousand million first.
public struct Interval: Hashable, Sendable {
    public let nanoseconds: Int64

    /// Saturates at about 292 years.
    public init(_ duration: Duration) {
        nanoseconds = duration.wholeNanoseconds
    }
}

extension Instant {
    /// Saturates instead of overflowing.
    @inline(always)
    public static func + (left: Instant, right: Interval) -> Instant {
        let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right.nanoseconds)
        return Instant(nanoseconds: overflow ? (right.nanoseconds < 0 ? .min : .max) : sum)
    }
}

extension Duration {
    /// Whole nanoseconds, saturating at about 292 years.
    public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, carried) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return carried ? (seconds < 0 ? .min : .max) : sum
    }
}

/// A point in time: nanoseconds since an origin that the caller chose (the process's start, a capture's first packet).
///
/// The pure targets never read a clock; whoever calls them says what time it is.
public struct Instant: Hashable, Comparable, Sendable {
    public var nanoseconds: Int64

    @inline(always)
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    public static let zero = Instant(nanoseconds: 0)
    public static let distantFuture = Instant(nanoseconds: .max)

    /// Saturates instead of overflowing, so that a hostile timestamp cannot trap.
    public static func + (left: Instant, right: Duration) -> Instant {
        let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right.wholeNanoseconds)
        return overflow ? (right < .zero ? Instant(nanoseconds: .min) : .distantFuture) : Instant(nanoseconds: sum)
    }

    /// The time from `right` to `left`.
    public static func - (left: Instant, right: Instant) -> Duration {
        let (difference, overflow) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
        return .nanoseconds(overflow ? (left < right ? .min : .max) : difference)
    }

    public static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }
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

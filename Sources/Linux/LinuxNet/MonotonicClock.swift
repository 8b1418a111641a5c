internal import Glibc
package import Wire

/// The clock of the data path: CLOCK_MONOTONIC, whose origin is the machine's start.
package enum MonotonicClock {
    @inline(never)
    package static func now() -> Instant {
        var time = timespec()
        // It has no way to fail: the clock exists since Linux 2.6, and the pointer is good.
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }

    /// The time of day in nanoseconds since 1970, for what people or files are to see.
    package static func wallTime() -> Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

// SPDX-License-Identifier: Apache-2.0
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

    /// The time that is left until `deadline` as poll(2) and epoll_wait(2) want it: -1 is no limit, 0 a deadline that has passed.
    /// Rounded up, so that the deadline has passed when they come back.
    package static func milliseconds(until deadline: Instant?) -> Int32 {
        guard let deadline else { return -1 }
        let remaining = max(0, (deadline - now()).wholeNanoseconds)
        return Int32(clamping: remaining / 1_000_000 + (remaining % 1_000_000 > 0 ? 1 : 0))
    }

    /// The time of day in nanoseconds since 1970, for what people or files are to see.
    package static func wallTime() -> Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

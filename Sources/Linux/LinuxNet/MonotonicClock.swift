// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import Wire

/// The clock of the data path: CLOCK_MONOTONIC, which starts at boot.
package enum MonotonicClock {
    @inline(never)
    package static func now() -> Instant {
        var time = timespec()
        // This cannot fail: the clock exists since Linux 2.6, and the pointer is valid.
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }

    /// The time left until `deadline` for poll(2) and epoll_wait(2): -1 for no deadline, 0 for one that has passed.
    /// Rounded up, so that the deadline has passed when they return.
    package static func milliseconds(until deadline: Instant?) -> Int32 {
        guard let deadline else { return -1 }
        let remaining = max(0, (deadline - now()).wholeNanoseconds)
        return Int32(clamping: remaining / 1_000_000 + (remaining % 1_000_000 > 0 ? 1 : 0))
    }

    /// The time of day in nanoseconds since 1970, to be shown to people or written to files.
    package static func wallTime() -> Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Glibc
import Wire

/// The time that the calling thread has had a processor: what others do on the machine costs a measurement less here.
enum ThreadClock {
    static func now() -> Instant {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}

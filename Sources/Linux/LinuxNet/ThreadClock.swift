// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The processors' time that the calling thread has had (CLOCK_THREAD_CPUTIME_ID): on a busy machine far less than has passed.
package enum ThreadClock {
    /// A system call, unlike the monotonic clock's.
    package static func now() -> Duration {
        var time = timespec()
        // It has no way to fail: the clock is the thread's own, and the pointer is good.
        _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

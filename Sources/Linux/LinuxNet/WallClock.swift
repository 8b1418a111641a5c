// SPDX-License-Identifier: Apache-2.0
package import Wire

/// Converts times of the monotonic clock to the time of day. An instance does not follow later changes of the system's time.
package struct WallClock: Sendable {
    /// The time of day at which the monotonic clock was 0, in nanoseconds since 1970.
    private let origin: Int64

    /// When this instance was made.
    package let start = MonotonicClock.now()

    /// - Parameter wallTime: the time of day, in nanoseconds since 1970.
    package init(at wallTime: Int64 = MonotonicClock.wallTime()) {
        origin = wallTime &- MonotonicClock.now().nanoseconds
    }

    /// In nanoseconds since 1970.
    package func time(of instant: Instant) -> Int64 { origin &+ instant.nanoseconds }
}

import FoundationEssentials
import LinuxNet
import Wire

/// Tells the time of day of what the monotonic clock has stamped.
struct WallClock: Sendable {
    /// When the daemon started.
    let start = Date()
    private let instant = MonotonicClock.now()

    func date(of instant: Instant) -> Date {
        start.addingTimeInterval((instant - self.instant) / .seconds(1))
    }
}

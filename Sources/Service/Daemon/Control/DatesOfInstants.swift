// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import LinuxNet
import Wire

extension WallClock {
    /// When the daemon started.
    var startDate: Date { date(of: start) }

    func date(of instant: Instant) -> Date { Date(timeIntervalSince1970: Double(time(of: instant)) / 1e9) }
}

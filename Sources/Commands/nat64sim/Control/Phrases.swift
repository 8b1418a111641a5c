// SPDX-License-Identifier: Apache-2.0
import Control
import Reports

/// `12 s`, `5 min`, `2 h 3 min`, `3 d 4 h`.
func span(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 1e12 else { return "never" }
    let whole = Int(max(0, seconds))
    switch whole {
    case ..<60: return "\(whole) s"
    case ..<3600: return "\(whole / 60) min"
    case ..<86_400: return "\(whole / 3600) h \(whole / 60 % 60) min"
    default: return "\(whole / 86_400) d \(whole / 3600 % 24) h"
    }
}

/// `12 in 3.4 kB`
func phrase(_ traffic: Traffic) -> String {
    "\(traffic.packets) in \(octets(traffic.octets))"
}

/// What to say of entries that are not shown.
func remark(shown: Int, of total: Int) -> String? {
    shown < total ? "\(shown) of \(total) are shown; --limit takes up to \(ControlLimits.maximumEntries)" : nil
}

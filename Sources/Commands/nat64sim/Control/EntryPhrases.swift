// SPDX-License-Identifier: Apache-2.0
import Control
import Reports
import Wire

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

/// `192.0.2.64 to 192.0.2.95, 203.0.113.7`: consecutive addresses as ranges.
func ranges(_ addresses: [String]) -> String {
    var ranges: [ClosedRange<UInt32>] = []
    for bits in addresses.compactMap({ IPv4Address($0)?.bits }) {
        if let last = ranges.last, last.upperBound < .max, bits == last.upperBound + 1 {
            ranges[ranges.count - 1] = last.lowerBound...bits
        } else {
            ranges.append(bits...bits)
        }
    }
    return ranges.map { range in
        let first = "\(IPv4Address(bits: range.lowerBound))"
        return range.count == 1 ? first : "\(first) to \(IPv4Address(bits: range.upperBound))"
    }.joined(separator: ", ")
}

/// A remark on the entries that are not shown; `nil` if all are.
func remark(shown: Int, of total: Int) -> String? {
    shown < total ? "\(shown) of \(total) are shown; --limit takes up to \(ControlLimits.maximumEntries)" : nil
}

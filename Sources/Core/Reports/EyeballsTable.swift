// SPDX-License-Identifier: Apache-2.0
package import Diagnosis
import Text

/// A client's marks, one line per step.
package enum EyeballsTable {
    /// The usual maximum length of a measurement.
    private static let width = 42

    package static func row(_ mark: EyeballsMark, _ style: TerminalStyle) -> String {
        let cells = [(words(mark.step), longestWords), (mark.measured, width), (sections(mark), 12)]
        return "  \(cells.map { $0.padded(to: $1) }.joined(separator: "  "))  \(graded(mark.grade, style))\n"
    }

    private static let longestWords = EyeballsMark.Step.allCases.map { words($0).count }.max() ?? 0

    private static func graded(_ grade: EyeballsMark.Grade, _ style: TerminalStyle) -> String {
        switch grade {
        case .asRFC, .asVersion3: style.good(grade.rawValue)
        case .departs: style.warning(grade.rawValue)
        case .notSeen: grade.rawValue
        case .fails: style.bad(grade.rawValue)
        }
    }

    private static func sections(_ mark: EyeballsMark) -> String {
        (mark.section.map { "§\($0), " } ?? "") + "v3 §\(mark.section3)"
    }

    private static func words(_ step: EyeballsMark.Step) -> String {
        switch step {
        case .both: "both families answer"
        case .ipv6Silent: "IPv6 is silent"
        case .ipv6Refused: "IPv6 refuses"
        case .aaaaLate: "AAAA is 2 s late"
        case .aLate: "A is 2 s late"
        case .noAAAA: "there is no AAAA"
        case .noA: "there is no A"
        case .manySilent: "three IPv6 and one IPv4 address are silent"
        case .httpsLate: "HTTPS is 2 s late"
        case .tlsSilent: "IPv6 accepts, and is silent in TLS"
        case .quicSilent: "QUIC is silent"
        case .pref64: "NAT64 without DNS64"
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package import Diagnosis
import Text

/// The marks of a client, a step a line.
package enum EyeballsTable {
    package static func render(_ marks: [EyeballsMark], style: TerminalStyle) -> String {
        let rows = marks.map { [words($0.step), $0.measured, "§\($0.section)"] }
        let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return zip(marks, rows).map { mark, row in
            let cells = zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ")
            return "  \(cells)  \(graded(mark.grade, style))\n"
        }.joined()
    }

    private static func graded(_ grade: EyeballsMark.Grade, _ style: TerminalStyle) -> String {
        switch grade {
        case .asRFC: style.good(grade.rawValue)
        case .departs, .notSeen: style.warning(grade.rawValue)
        case .fails: style.bad(grade.rawValue)
        }
    }

    private static func words(_ step: EyeballsMark.Step) -> String {
        switch step {
        case .both: "both families answer"
        case .ipv6Silent: "IPv6 is silent"
        case .ipv6Refused: "IPv6 refuses"
        case .aaaaLate: "AAAA is 2 s late"
        case .aLate: "A is 2 s late"
        case .noAAAA: "there is no AAAA"
        case .manySilent: "three IPv6 and one IPv4 address are silent"
        }
    }
}

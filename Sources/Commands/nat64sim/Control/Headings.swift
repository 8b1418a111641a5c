// SPDX-License-Identifier: Apache-2.0
import Text

/// Rows under headings, as in `docker ps` and `ss`, without terminal control sequences.
func table(_ headings: [String], numeric: Set<Int> = [], _ rows: [[String]]) -> String {
    TextTable([headings] + rows.map { $0.map(printable) }, numeric: numeric).lines.joined(separator: "\n")
}
